import type { DeploymentFacts, PublishFacts, PublishOutcome } from '../port.ts'

/** Returns the outcome of a successful publish. */
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

/** Formats a number of pages. */
export const countOf = (pages: number): string => `${pages} ${pages === 1 ? 'page' : 'pages'}`

/** Returns the outcome of a failed publish; its sentence is in `error`, which editors show, and `reason`. */
export function failed(
  httpStatus: 200 | 400 | 500 | 502,
  reason: string,
  {
    code = 'publish_failed',
    tracker = { deployStatus: httpStatus },
    facts = {},
  }: {
    readonly code?: string
    readonly tracker?: DeploymentFacts
    /** Further facts of the answer. */
    readonly facts?: PublishFacts
  } = {},
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
