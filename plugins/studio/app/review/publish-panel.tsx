import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { liveAddress } from '../preview/address.ts'
import { hasDocuments } from '../stores/draft.ts'
import { publishing } from '../stores/publishing.ts'
import { publishes } from '../stores/log.ts'
import { countIn, countOf, loadDiff, titleOf, type Diff } from '../stores/review.ts'
import { chosen, isTicked, whyNotYet } from '../stores/ticks.ts'
import { site } from '../stores/site.ts'
import { momentOf } from '../stores/formats.ts'
import { countText, tickedFiles } from '../stores/changed-files.ts'
import { CommitBox } from './file-lines.tsx'
import { PublishButton, publishPanel } from './publish-button.tsx'
import { BackTo, PublishRow } from './publish-row.tsx'
import { PublishAt, ScheduledList } from './schedule.tsx'
import { ScheduledWarnings } from './scheduled-conflicts.tsx'

export const focusPublish = (): void => document.getElementById(publishPanel)?.focus()

const number = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** How many publishes are listed at first. */
const publishesShown = 5

/** What will happen, the button that does it, and what came of the last publishes. */
export function PublishPanel({ shown }: { readonly shown: Diff }) {
  const count = countOf(shown)
  const ticked = chosen.value ?? shown
  const why = whyNotYet(shown, ticked)
  const address = site.value?.previewUrl
  const host = (address === undefined ? null : URL.parse(address)?.host) ?? site.value?.siteName ?? 'the site'
  const [isAll, showAll] = useState(false)
  const isRunning = ['checking', 'sending', 'deploying'].includes(publishing.value.state)
  const some = countOf(ticked) === count ? '' : `${countOf(ticked)} of `
  const files = tickedFiles.value
  const to = files.length > 0 ? number(files.length, 'file') : host
  const action = `Publish ${some}${number(count, 'change')} to ${to}`
  const isOff = isRunning || why !== undefined
  return (
    <aside class="publish" aria-label="Publish" id={publishPanel} tabIndex={-1}>
      <Counts shown={ticked} />
      {files.length > 0 && <p>{countText(files)}</p>}
      {count === 0 && !isRunning ? (
        shown.baselineAvailable && <p class="soft">Everything is published.</p>
      ) : (
        <>
          {why !== undefined && !isRunning && <p class="warning">{why}</p>}
          <ScheduledWarnings isSent={isTicked} />
          <CommitBox />
          <PublishButton text={isRunning ? 'Publishing…' : action} disabled={isOff} />
          <PublishAt disabled={isOff} count={countOf(ticked)} />
        </>
      )}
      <Outcome host={host} address={hasDocuments.value ? undefined : liveAddress('/')} />
      <ScheduledList onGone={focusPublish} />
      <h2>Last publishes</h2>
      {publishes.value.length === 0 && <p class="soft">Nothing was published yet.</p>}
      <ol class="publishes">
        {publishes.value.slice(0, isAll ? undefined : publishesShown).map((row) => (
          <PublishRow key={row.id} row={row} />
        ))}
      </ol>
      {!isAll && publishes.value.length > publishesShown && (
        <Button onClick={() => showAll(true)}>Show earlier ones</Button>
      )}
    </aside>
  )
}

/** The parts of the number on the button. */
function Counts({ shown: { pages, siteConfig } }: { readonly shown: Diff }) {
  const changed = pages.filter(({ status }) => status === 'modified')
  const added = pages.filter(({ status }) => status === 'added')
  const changes = changed.reduce((sum, page) => sum + countIn(page), 0)
  const removed = pages.filter(({ status }) => status === 'removed')
  return (
    <>
      {changed.length > 0 && (
        <p>
          {number(changes, 'change')} on {number(changed.length, 'page')}
        </p>
      )}
      {added.length > 0 && <p class="added">{number(added.length, 'new page')}</p>}
      {removed.length > 0 && (
        <p class="removed">Deleted: {removed.map(({ slug }) => titleOf(slug)).join(', ')}</p>
      )}
      {siteConfig.fieldDiffs.length > 0 && (
        <p>{number(siteConfig.fieldDiffs.length, 'change')} of the site settings</p>
      )}
    </>
  )
}

const steps = [
  { name: 'sending', text: 'Sent to the site' },
  { name: 'deploying', text: 'The site is built' },
] as const

function Outcome({ host, address }: { readonly host: string; readonly address: string | undefined }) {
  const now = publishing.value
  if (now.state === 'idle' || now.state === 'checking') return <div role="status" />
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
          The changes are {hasDocuments.value ? 'in the files' : 'live'}, {momentOf(now.at)}.
        </p>
        {[now.what, ...now.notes].map((note) => note !== '' && <p key={note}>{note}</p>)}
        {address !== undefined && (
          <p>
            <a href={address} target="_blank" rel="noreferrer">
              {host}
            </a>
          </p>
        )}
        {now.before !== undefined && <BackTo commit={now.before}>Restore the previous publish</BackTo>}
      </div>
    )
  return (
    <div role="alert" class="failure">
      <p>{now.why}</p>
      {now.state === 'moved' && <Button onClick={() => void compareAgain()}>Compare again</Button>}
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

async function compareAgain(): Promise<void> {
  await loadDiff()
  publishing.value = { state: 'idle' }
}
