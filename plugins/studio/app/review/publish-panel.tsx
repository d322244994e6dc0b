import { useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { publish, publishing } from '../stores/publishing.ts'
import {
  countOf,
  loadAllPublishes,
  loadDiff,
  publishes,
  publishesShown,
  type Diff,
} from '../stores/review.ts'
import { site } from '../stores/site.ts'
import { momentOf } from '../stores/words.ts'
import { BackTo, PublishRow } from './publish-row.tsx'
import { PublishAt, ScheduledList } from './schedule.tsx'

const number = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** What will happen, the button that does it, and what came of the last publishes. */
export function PublishPanel({ shown }: { readonly shown: Diff }) {
  const count = countOf(shown)
  const address = site.value?.previewUrl
  const host = (address === undefined ? null : URL.parse(address)?.host) ?? site.value?.siteName ?? 'the site'
  const { pagesModified, pagesAdded } = shown.summary
  const removed = shown.pages.filter(({ status }) => status === 'removed')
  const { state } = publishing.value
  const panel = useRef<HTMLElement>(null)
  const live = publishes.value.find(({ status }) => status === 'success')
  const isRunning = state === 'sending' || state === 'deploying'
  return (
    <aside class="publish" aria-label="Publish" ref={panel} tabIndex={-1}>
      {pagesModified > 0 && <p>{number(pagesModified, 'changed page')}</p>}
      {pagesAdded > 0 && <p class="added">{number(pagesAdded, 'new page')}</p>}
      {removed.length > 0 && <p class="removed">Deleted: {removed.map(({ slug }) => slug).join(', ')}</p>}
      <Button look="main" needs="publish" disabled={count === 0 || isRunning} onClick={() => void publish()}>
        {isRunning ? 'Publishing…' : `Publish ${number(count, 'change')} to ${host}`}
      </Button>
      <PublishAt disabled={count === 0 || isRunning} />
      <Outcome host={host} address={address} />
      <ScheduledList onGone={() => panel.current?.focus()} />
      <h2>Last publishes</h2>
      {publishes.value.length === 0 && <p class="soft">Nothing was published yet.</p>}
      <ol class="publishes">
        {publishes.value.map((row) => (
          <PublishRow key={row.id} row={row} isLive={row === live} />
        ))}
      </ol>
      {publishes.value.length === publishesShown && (
        <Button onClick={() => void loadAllPublishes()}>Show earlier ones</Button>
      )}
    </aside>
  )
}

const steps = [
  { name: 'sending', text: 'Sent to the site' },
  { name: 'deploying', text: 'The site is built' },
] as const

function Outcome({ host, address }: { readonly host: string; readonly address: string | undefined }) {
  const now = publishing.value
  if (now.state === 'idle') return <div role="status" />
  if (now.state === 'sending' || now.state === 'deploying') return <Steps current={now.state} />
  if (now.state === 'scheduled')
    return (
      <p role="status" class="added">
        Scheduled for {momentOf(now.at)}.
      </p>
    )
  if (now.state === 'live')
    return (
      <div role="status">
        <p class="added">
          {now.pages === 1 ? '1 page is' : `${now.pages} pages are`} live, {momentOf(now.at)}.
        </p>
        {now.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {address !== undefined && (
          <p>
            <a href={address} target="_blank" rel="noreferrer">
              {host}
            </a>
          </p>
        )}
        {now.before !== undefined && <BackTo commit={now.before}>Back to before</BackTo>}
      </div>
    )
  return (
    <div role="alert" class="failure">
      <p>{now.why}</p>
      {now.state === 'moved' && <Button onClick={() => void lookAgain()}>Look again</Button>}
    </div>
  )
}

function Steps({ current }: { readonly current: (typeof steps)[number]['name'] }) {
  const reached = steps.findIndex(({ name }) => name === current)
  return (
    <div role="status">
      <ol>
        {steps.slice(0, reached + 1).map(({ name, text }, at) => (
          <li key={name}>{at < reached ? `✓ ${text}` : `${text}…`}</li>
        ))}
      </ol>
    </div>
  )
}

async function lookAgain(): Promise<void> {
  await loadDiff()
  publishing.value = { state: 'idle' }
}
