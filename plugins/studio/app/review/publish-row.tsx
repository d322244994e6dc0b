import { Button } from '../parts/button.tsx'
import { Question } from '../parts/question.tsx'
import { publish } from '../stores/publishing.ts'
import { live, publishes, type Publish } from '../stores/log.ts'
import { namedIn } from '../stores/published-changes.ts'
import { scheduled } from '../stores/scheduled.ts'
import { countOf, diff } from '../stores/review.ts'
import { summaryOfAll } from '../stores/change-summaries.ts'
import { byWhom } from '../stores/by-whom.ts'
import { momentOf } from '../stores/formats.ts'
import { backTo, undoAll } from './intents.ts'

interface BackToProps {
  readonly commit: string
  readonly children: string
}

export const BackTo = ({ commit, children }: BackToProps) => (
  <Button
    needs="edit"
    title="Changes the draft only. Visitors see no difference until you publish."
    onClick={() => void backTo(commit)}
  >
    {children}
  </Button>
)

interface PublishRowProps {
  readonly row: Publish
}

/**
 * The changes of the draft that it published, such as `3 changes: … · Anna, Ben`; `undefined` of earlier
 * versions.
 */
export function changesOf({ changes }: Publish): string | undefined {
  const { edits = [], editCount = 0 } = changes ?? {}
  const what = summaryOfAll(edits.toReversed(), editCount)
  return what && [what, [...new Set(edits.toReversed().map(byWhom))].join(', ')].join(' · ')
}

/** One publish of the log; an earlier one can be put back into the draft, or on the site. */
export function PublishRow({ row }: PublishRowProps) {
  const { at, status, error, actor, rolledBackTo } = row
  const changes = changesOf(row)
  // What failed at its time is shown with its reason, and what can be done, among the scheduled ones.
  const isListed = scheduled.value.some(({ id, status }) => id === row.scheduledId && status === 'failed')
  const failure = isListed ? 'It failed at its time. See “Scheduled”.' : error
  return (
    <li>
      <small>
        {momentOf(at)}
        <By actor={actor} />
        {rolledBackTo !== undefined && ' · an earlier publish again'}
      </small>
      <p class={status === 'failed' ? 'failure' : undefined}>{failure ?? publishText(row)}</p>
      {changes !== undefined && (
        <p class="soft" dir="auto">
          {changes}
        </p>
      )}
      <WaysBack row={row} />
    </li>
  )
}

/** Who published, or scheduled it, where that is known. */
export const By = ({ actor }: Pick<Publish, 'actor'>) =>
  actor ? (
    <>
      {' · '}
      <bdi>{byWhom({ actor })}</bdi>
    </>
  ) : null

/** What was published, by the titles that the pages had; of earlier versions, the sentence of the service. */
export function publishText({ summary, changes }: Publish): string {
  const what = changes && namedIn(changes)
  return what ? `Published: ${what}` : summary
}

/** What can be done with an earlier publish. */
export function WaysBack({ row }: PublishRowProps) {
  const isLive = row === live.value
  const { at, status, commit, snapshot = commit } = row
  if (status !== 'success' || snapshot === undefined) return null
  return (
    <>
      {isLive && diff.value && countOf(diff.value) === 0 ? (
        <small>The draft is the same.</small>
      ) : (
        <BackTo commit={snapshot}>Restore in the draft</BackTo>
      )}{' '}
      <BeforeFirst row={row} />
      {!isLive && <Again commit={snapshot} at={at} />}
    </>
  )
}

/** The way back to what was there before the first publish of a site, which has none before it. */
export function BeforeFirst({ row: { id, changes } }: PublishRowProps) {
  const { edits = [], editCount = 0 } = changes ?? {}
  const isFirst = publishes.value.every((each) => each.status !== 'success' || each.id === id)
  if (!isFirst || editCount === 0 || editCount > edits.length) return null
  return (
    <Button
      needs="edit"
      title="Undoes its changes in the draft only. Visitors see no difference until you publish."
      onClick={() => void undoAll(edits.map(({ version }) => version))}
    >
      Restore what was before
    </Button>
  )
}

const Again = ({ commit, at }: { readonly commit: string; readonly at: string }) => (
  <Question
    label="Publish this again"
    title="Visitors see it at once. The draft stays as it is."
    needs="publish"
    onYes={() => void publish({ commit })}
  >
    Visitors see the publish of {momentOf(at)} again. The draft stays as it is, so what it has besides is a
    change to review.
  </Question>
)
