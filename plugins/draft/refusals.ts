import { defineRefusal, type Refusal, type RefusalKind } from '../../kernel/index.ts'
import type { BatchFailure, ErrorCategory } from '../content/model.ts'
import { slugIsTaken } from '../content/carry.ts'
import type { Immutable } from '../content/plain-object.ts'
import type { ofChange, ShownEntry } from './schemas.ts'

export const versionMismatch = defineRefusal({
  status: 409,
  code: 'version_mismatch',
  reason: (current: number) => `The draft is now at version ${current}. Read it again and repeat the change.`,
  extra: (currentVersion) => ({ currentVersion }),
})

export const slugUnreadable = defineRefusal({ status: 400, code: 'slug_unreadable', reason: slugIsTaken })

export const keyReused = defineRefusal({
  status: 422,
  code: 'idempotency_key_reused',
  reason: () => 'This Idempotency-Key was used for another request. Use a new key for a new request.',
})

export const badKey = defineRefusal({
  status: 400,
  code: 'bad_request',
  reason: () => 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
})

export const badPrecondition = defineRefusal({
  status: 400,
  code: 'bad_request',
  reason: () =>
    'If-Match takes one version in quotes, such as "12", or *, and must agree with baseVersion where both are given.',
})

export const noSuchPage = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: (slug: string) => `The draft has no page '${slug}'. GET /draft/slugs lists its pages.`,
})

export const noSuchVersion = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: (version: number) =>
    `Version ${version} is not in the log. GET /history/log lists the versions that can be restored.`,
})

export const notRestorable = defineRefusal({
  status: 400,
  code: 'no_snapshot',
  reason: (version: number) => `Version ${version} changed nothing that can be put back.`,
})

/** A later change of what another change set. */
export type Dependent = Immutable<Pick<ShownEntry, (typeof ofChange)[number] | 'slug'>>

/** `dependents`: oldest first; empty if there are others than changes that can be undone, as an import. */
export const changedSince = defineRefusal({
  status: 409,
  code: 'changed_since',
  reason: (version: number, dependents: readonly Dependent[]) =>
    dependents.length > 0
      ? `Version ${version} cannot be undone alone: what it changed was changed again. Set withDependents to undo the later changes too.`
      : `Version ${version} cannot be undone: its content was imported again since. Restore a version of the log instead.`,
  extra: (_version, dependents) => ({ dependents }),
})

export const changedOnSite = defineRefusal({
  status: 409,
  code: 'changed_since',
  reason: (slug: string) =>
    `What this step changes on ${slug} was changed on the site since. Undo the line "From the site" of the history first.`,
  extra: () => ({ dependents: [] }),
})

export const renamedSince = defineRefusal({
  status: 409,
  code: 'changed_since',
  reason: (slug: string) =>
    `This step gives a page its other address, and page '${slug}' has newer changes. Undo those first.`,
  extra: () => ({ dependents: [] }),
})

export interface OwnStep {
  readonly kind: 'undo' | 'redo'
  readonly slug: string
  readonly version: number
}

/** The refusal of an undo of the caller's own newest change, or of a redo, with the choice. */
export const changedByOthers = defineRefusal({
  status: 409,
  code: 'changed_since',
  reason: ({ kind, slug, version }: OwnStep, _dependents: readonly Dependent[]) => {
    const [what, how] =
      kind === 'undo'
        ? [`Your newest change of page '${slug}'`, 'undo their changes with it']
        : [`What you undid last on page '${slug}'`, 'redo it and undo their changes']
    return (
      `${what}, version ${version}, was changed again by others. To ${how}, send POST /history/undo-change ` +
      `with version ${version} and withDependents: true; else change the page by hand.`
    )
  },
  extra: ({ version }, dependents) => ({ version, dependents }),
})

const noneToStepOver = (code: 'nothing_to_undo' | 'nothing_to_redo', what: string) =>
  defineRefusal({
    status: 400,
    code,
    reason: (slug: string) =>
      `There is nothing of yours to ${what} on page '${slug}'. Undo any change, also of others, from the history, by POST /history/undo-change.`,
  })

/** The refusals of an undo and of a redo without a change of the caller. */
export const noneOfYours = {
  undo: noneToStepOver('nothing_to_undo', 'undo'),
  redo: noneToStepOver('nothing_to_redo', 'redo'),
} as const

export const alreadyUndone = defineRefusal({
  status: 400,
  code: 'nothing_to_undo',
  reason: (version: number) =>
    `There is nothing to undo: everything that version ${version} changed was changed back.`,
})

export const nothingToUndo = defineRefusal({
  status: 400,
  code: 'nothing_to_undo',
  reason: (slug: string, elsewhere?: readonly string[]) =>
    `There is nothing to undo: page '${slug}' has no earlier version to go back to.${onAnother('undo', elsewhere)}`,
})

export const nothingToRedo = defineRefusal({
  status: 400,
  code: 'nothing_to_redo',
  reason: (slug: string, elsewhere?: readonly string[]) =>
    `There is nothing to redo: no change of page '${slug}' was undone.${onAnother('redo', elsewhere)}`,
})

const mostNamed = 3

/** Names the pages that have the step which this one lacks. */
function onAnother(step: 'undo' | 'redo', slugs: readonly string[] = []): string {
  const named = slugs.slice(0, mostNamed).map((slug) => `'${slug}'`)
  if (named.length === 0) return ''
  const names = named.join(' or ')
  return ` The latest change that can be ${step === 'undo' ? 'undone' : 'redone'} is on page ${names}: ${step} it there.`
}

export const tooManySessions = defineRefusal({
  status: 429,
  code: 'too_many_sessions',
  reason: (limit: number) => `This site has ${limit} sessions already. Use one of them, or remove some.`,
})

export const tooManySites = defineRefusal({
  status: 429,
  code: 'too_many_sites',
  reason: (limit: number) =>
    `There are drafts of ${limit} sites already. Use one of these site ids, or raise maxSites.`,
})

export const tooManyPages = defineRefusal({
  status: 413,
  code: 'too_many_pages',
  reason: (limit: number) => `That would be more than ${limit} pages. Send fewer, or split them.`,
})

/** The source of the site has no place or no form for a change. */
export const notStorable = defineRefusal({ status: 400, code: 'not_storable', reason: (why: string) => why })

export const pageTooLarge = defineRefusal({
  status: 413,
  code: 'page_too_large',
  reason: (slug: string, limit: number) =>
    `Page '${slug}' would be larger than ${limit} bytes. Split it, or shorten its content.`,
})

export const draftTooLarge = defineRefusal({
  status: 413,
  code: 'draft_too_large',
  reason: (limit: number) =>
    `All pages of the draft together would be larger than ${limit} bytes. Remove pages, shorten their content, or raise maxBytesPerDraft.`,
})

export const configTooLarge = defineRefusal({
  status: 413,
  code: 'config_too_large',
  reason: (limit: number) =>
    `The site config would be larger than ${limit} bytes. Shorten it, replace a list by a smaller one, or raise maxConfigBytes.`,
})

export const invalidField = defineRefusal({
  status: 400,
  code: 'schema_violation',
  reason: (field: string, message: string) => `${field} is not valid: ${message}`,
  extra: (field, message) => ({ errorCode: 'schema_violation', details: [{ path: field, message }] }),
})

const batchFailed = (status: number, code: ErrorCategory) =>
  defineRefusal({
    status,
    code,
    reason: ({ message }: BatchFailure) => message,
    extra: ({ admissible }) => ({ errorCode: code, ...(admissible && { admissible }) }),
  })

/** Returns the refusal of a batch, with the category of the failed operation. */
export function batchRefused(failure: BatchFailure): Refusal {
  return batchFailed(failure.missingPage === undefined ? 400 : 404, failure.category)(failure)
}

const categories = [
  'schema_violation',
  'not_found',
  'no_effective_change',
  'operation_failed',
  'planner_refusal',
] as const

/** The refusals of a batch of operations. */
export const batchRefusals: readonly RefusalKind[] = [
  ...categories.map((category) => batchFailed(400, category)),
  batchFailed(404, 'not_found'),
]

/** The refusals of every change of a draft that takes the headers of a change. */
export const changeRefusals: readonly RefusalKind[] = [
  versionMismatch,
  keyReused,
  slugUnreadable,
  notStorable,
]

/** The refusals of a change that makes a draft larger. */
export const sizeRefusals: readonly RefusalKind[] = [
  configTooLarge,
  tooManyPages,
  pageTooLarge,
  draftTooLarge,
]

/** The refusals of a change that may be the first one of a draft. */
export const newDraftRefusals: readonly RefusalKind[] = [tooManySessions, tooManySites]
