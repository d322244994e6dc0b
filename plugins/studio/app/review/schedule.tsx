import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Question } from '../parts/question.tsx'
import { unsolved } from './findings-store.ts'
import { publish } from '../stores/publishing.ts'
import { scheduled, type Scheduled } from '../stores/scheduled.ts'
import { momentOf, timeZone } from '../stores/formats.ts'
import { cancel, reschedule } from './intents.ts'
import { asItWas } from '../stores/published-changes.ts'
import { By } from './publish-row.tsx'
import { ScheduledConflicts } from './scheduled-conflicts.tsx'

/** A time as an input has it: local, without seconds. */
const inputTime = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const minuteMs = 60_000
const yearMs = 365 * 24 * 60 * minuteMs
const fromNow = (milliseconds: number): Date => new Date(Date.now() + milliseconds)

const changesGoOut = (count: number): string =>
  count === 1 ? 'This change goes out then.' : `These ${count} changes go out then.`

/** Publishes what is reviewed at a time. */
export function PublishAt({ disabled, count }: { readonly disabled: boolean; readonly count: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        needs="publish"
        disabled={disabled}
        title="Visitors see it at the time that you choose."
        onClick={() => setOpen(true)}
      >
        Publish at…
      </Button>
      {isOpen && (
        <TimeDialog
          label="Publish at a time"
          hint={`${unsolved.value} ${changesGoOut(count)} Later edits wait for another publish.`}
          onSend={(at) => publish({ at })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

interface TimeDialogProps {
  readonly label: string
  readonly hint: string
  /** The present time of a publish; in an hour by default, and if it is over. */
  readonly at?: string
  readonly onSend: (at: string) => Promise<void>
  readonly onClose: () => void
}

function TimeDialog({ label, hint, at, onSend, onClose }: TimeDialogProps) {
  const start = at === undefined || Date.parse(at) < Date.now() ? fromNow(60 * minuteMs) : new Date(at)
  const send = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void => {
    event.preventDefault()
    const { value } = event.currentTarget.elements.namedItem('at') as HTMLInputElement
    onClose()
    void onSend(new Date(value).toISOString())
  }
  return (
    <Dialog label={label} onClose={onClose}>
      <form class="fields" onSubmit={send}>
        <h2>{label}</h2>
        <div class="field">
          <label for="publish-at">Time ({timeZone})</label>
          <input
            id="publish-at"
            name="at"
            type="datetime-local"
            required
            min={inputTime(fromNow(minuteMs))}
            max={inputTime(fromNow(yearMs))}
            defaultValue={inputTime(start)}
          />
        </div>
        <p class="soft">{hint}</p>
        <Button variant="main" type="submit">
          Schedule
        </Button>
        <Button onClick={onClose}>Close</Button>
      </form>
    </Dialog>
  )
}

/** What waits for its time, and what failed at it. */
export function ScheduledList({ onGone }: { readonly onGone: () => void }) {
  const [moving, setMoving] = useState<Scheduled | undefined>(undefined)
  if (scheduled.value.length === 0) return null
  return (
    <>
      <h2>Scheduled</h2>
      <ul class="publishes">
        {scheduled.value.map((row) => (
          <li key={row.id}>
            <small>
              {momentOf(row.at)}
              <By actor={row.actor} />
            </small>
            <p class={row.status === 'failed' ? 'failure' : undefined}>
              {textOfConflicts(row) ?? row.error ?? scheduledText(row)}
            </p>
            <ScheduledConflicts row={row} />
            {row.status !== 'publishing' && (
              <>
                <Button needs="publish" onClick={() => setMoving(row)}>
                  Change the time
                </Button>{' '}
                <Question
                  label="Cancel this publish"
                  needs="publish"
                  onYes={() => void cancel(row.id).then(onGone)}
                >
                  Nothing is published at that time. The draft stays as it is.
                </Question>
              </>
            )}
          </li>
        ))}
      </ul>
      {moving && (
        <TimeDialog
          label="Change the time"
          hint="Its content stays as it was when it was scheduled."
          at={moving.at}
          onSend={(at) => reschedule(moving.id, at)}
          onClose={() => setMoving(undefined)}
        />
      )}
    </>
  )
}

function textOfConflicts({ status, conflicts = [] }: Scheduled): string | undefined {
  if (conflicts.length === 0 || status === 'publishing') return undefined
  return status === 'failed'
    ? 'Not published at its time: the site has newer values.'
    : 'It will fail at its time: the site has newer values.'
}

function scheduledText({ status, commit, createdAt, changes }: Scheduled): string {
  if (status === 'publishing') return 'It is being published…'
  if (commit !== undefined) return 'An earlier publish again'
  return asItWas(changes, createdAt)
}
