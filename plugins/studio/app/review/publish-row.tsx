import { Button } from '../parts/button.tsx'
import { Question } from '../parts/question.tsx'
import { publish } from '../stores/publishing.ts'
import type { Publish } from '../stores/review.ts'
import { momentOf } from '../stores/words.ts'
import { backTo } from './intents.ts'

interface BackToProps {
  readonly commit: string
  readonly children: string
}

export const BackTo = ({ commit, children }: BackToProps) => (
  <Button needs="edit" onClick={() => void backTo(commit)}>
    {children}
  </Button>
)

/** One publish of the log; an earlier one can be put back into the draft, or on the site. */
export function PublishRow({ row, isLive }: { readonly row: Publish; readonly isLive: boolean }) {
  const { at, status, summary, error, commit, snapshot = commit, rolledBackTo } = row
  return (
    <li>
      <small>
        {momentOf(at)}
        {rolledBackTo !== undefined && ' · an earlier publish again'}
      </small>
      <p class={status === 'failed' ? 'failure' : undefined}>{error ?? summary}</p>
      {status === 'success' && snapshot !== undefined && (
        <>
          <BackTo commit={snapshot}>Put back into the draft</BackTo>{' '}
          {!isLive && <Again commit={snapshot} at={at} />}
        </>
      )}
    </li>
  )
}

const Again = ({ commit, at }: { readonly commit: string; readonly at: string }) => (
  <Question label="Publish this again" needs="publish" onYes={() => void publish({ commit })}>
    Visitors see the publish of {momentOf(at)} again. The draft stays as it is, so what it has besides is a
    change to review.
  </Question>
)
