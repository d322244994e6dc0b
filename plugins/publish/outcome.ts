import { conflictSentence } from '../follow/port.ts'
import type { BranchChange } from './branches.ts'
import type { Compared } from './comparison.ts'
import type { DeploymentFacts, PublishFacts, PublishOutcome } from './schemas.ts'

export function succeeded(
  status: 'ready' | 'triggered',
  body: PublishFacts,
  tracker: DeploymentFacts,
): PublishOutcome {
  return { ok: true, httpStatus: 200, status, body, tracker }
}

/** The code of a refusal by a site whose content changed since it was read. */
export const siteChanged = 'site_changed'

/** Returns the outcome of a publish whose site was changed between its comparison and its write. */
export const changedMeanwhile = (): PublishOutcome =>
  refused(
    'The site was changed at the same time, several times in a row, so nothing was published. Publish again.',
    siteChanged,
  )

/** Returns the outcome of a failed publish; its sentence is in `error`, which editors show, and `reason`. */
export function failed(
  httpStatus: 200 | 400 | 500 | 502,
  reason: string,
  {
    code = 'publish_failed',
    tracker = { deployStatus: httpStatus },
    facts = {},
  }: { readonly code?: string; readonly tracker?: DeploymentFacts; readonly facts?: PublishFacts } = {},
): PublishOutcome {
  const body = { error: reason, code, reason, ...facts }
  return { ok: false, httpStatus, status: 'failed', body, tracker }
}

/** Returns the outcome of a publish that is refused before its target is called. */
export function refused(reason: string, code = 'refused', facts: PublishFacts = {}): PublishOutcome {
  const body = { ok: false, error: 'refused', code, reason, ...facts }
  return { ok: false, httpStatus: 409, status: 'failed', body, tracker: { deployStatus: 409 } }
}

/** Returns the outcome of a publish that worked with more notes for people. */
export function withNotes(outcome: PublishOutcome, notes: readonly string[] = []): PublishOutcome {
  const { body } = outcome
  return notes.length === 0
    ? outcome
    : { ...outcome, body: { ...body, notes: [...(body.notes ?? []), ...notes] } }
}

/** Returns the refusal of a publish that would replace what the site has changed as well. */
export function inConflict(
  { conflicts, draft, baseline }: Pick<Compared, 'conflicts' | 'draft' | 'baseline'>,
  now: Date,
): PublishOutcome {
  const pages = [...draft.pages, ...(baseline?.pages ?? [])]
  const error = conflictSentence(conflicts, { now, pages })
  const refusal = refused(error, 'site_conflict', { error, conflicts: [...conflicts] })
  return { ...refusal, logged: conflictSentence(conflicts, { pages }) }
}

/** A refusal whose remedy for programs, which names parameters, is not that of people who read the log. */
function refusedWith(code: string, what: string, remedy: string, logged: string): PublishOutcome {
  const error = `${what} ${remedy}`
  return { ...refused(error, code, { error }), logged: `${what} ${logged}` }
}

export const siteShrunk = refusedWith(
  'site_shrunk',
  'The site lists less than half of the pages that it had, so it is unknown whether they are gone on purpose.',
  'Take over what it lists, by POST /draft/follow with confirm: true, and publish again, or publish all pages ' +
    'with overwrite: true to put the others back.',
  'Choose in the review what becomes of them, then try again.',
)

export const onOtherBranch = (change: BranchChange): PublishOutcome =>
  refusedWith(
    'branch_changed',
    `The folder has the branch ${change.to} now, and this draft was made on ${change.from}.`,
    `Check out ${change.from} again, or take over ${change.to} by POST /draft/follow with confirm: true, and publish again.`,
    'Choose in the review which of them the draft follows, then try again.',
  )

export const siteAway = refusedWith(
  'site_unavailable',
  'The site could be read before, but not now, so it is unknown what this publish would replace.',
  'Publish again once it answers, or with overwrite: true to replace its content.',
  'Try again once it answers.',
)

export const draftChanged = (currentVersion: number): PublishOutcome =>
  refused(
    'The draft was changed after this version of it, so nothing was published. Look at it again, then publish.',
    'draft_changed',
    { currentVersion },
  )

export const changedWhileChecked = (): PublishOutcome =>
  refused(
    'The draft was changed while it was checked, so nothing was published. Publish again.',
    'draft_changed',
  )
