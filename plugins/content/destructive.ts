import type { Page } from './page.ts'
import { namesOf, type Unreadable } from './read-pages.ts'

/** The facts that decide whether a publish is allowed. */
export interface PublishAttempt {
  readonly pages: readonly Pick<Page, 'slug'>[]
  /** The published pages; `undefined` if they could not be read, never for an empty site. */
  readonly baseline: readonly Pick<Page, 'slug'>[] | undefined
  /** Entries of the site that could not be used when the draft was filled. */
  readonly leftOut?: readonly Unreadable[] | undefined
  /** Only `true` itself permits the removal of pages. */
  readonly allowDelete?: unknown
  /** The maximum number of pages that one publish may remove; an integer, or absent for no limit. */
  readonly maxPagesRemoved?: number | undefined
}

/** The published slugs that the publish lacks; `undefined` if the published pages could not be read. */
type Removed = readonly string[] | undefined

export type PublishVerdict =
  | { readonly ok: true; readonly removed: Removed }
  | {
      readonly ok: false
      readonly error: 'refused'
      readonly reason: string
      /** The reason without its remedy, which names a parameter of the request. */
      readonly finding: string
      readonly removed: Removed
    }

/** What a publish would do, and the remedy of its caller. */
type Objection = readonly [finding: string, remedy: string]

const emptyOnPurpose = 'Send allowDelete: true if the site shall be empty.'

/**
 * Refuses a publish that would leave a site without pages, remove more pages than the site allows at once, or could delete
 * what was left out of the draft, because the site that has it cannot be read.
 *
 * `allowDelete` lifts all three rules. Without a readable baseline an empty publish is refused, and so is every
 * publish to a site with a limit, because neither can be checked. A publish that replaces every page with another
 * one is detected by the limit only.
 */
export function checkDestructivePublish(attempt: PublishAttempt): PublishVerdict {
  const { pages, baseline, allowDelete, maxPagesRemoved } = attempt
  const retained = new Set(pages.map(({ slug }) => slug))
  const removed =
    baseline && [...new Set(baseline.map(({ slug }) => slug))].filter((slug) => !retained.has(slug))
  const found =
    allowDelete === true
      ? undefined
      : (objection(pages.length, removed, maxPagesRemoved) ?? skippedObjection(attempt))
  if (found === undefined) return { ok: true, removed }
  return { ok: false, error: 'refused', reason: found.join(' '), finding: found[0], removed }
}

function skippedObjection({ baseline, leftOut = [] }: PublishAttempt): Objection | undefined {
  if (baseline || leftOut.length === 0) return undefined
  return [
    `The published pages could not be read, and these are not in this draft, because they could not be used: ${namesOf(leftOut)}. ` +
      'This publish could delete them.',
    'Try again, or send allowDelete: true if they may go.',
  ]
}

function objection(pageCount: number, removed: Removed, limit: number | undefined): Objection | undefined {
  if (limit !== undefined && !(limit >= 0))
    return [`maxPagesRemoved is ${limit}.`, 'Set it to 0 or a higher number.']
  if (pageCount === 0 && !removed)
    return ['This publish has no pages, and the published ones could not be read.', emptyOnPurpose]
  if (pageCount === 0 && removed && removed.length > 0)
    return [`This publish would remove every published page (${removed.length}).`, emptyOnPurpose]
  if (limit === undefined) return undefined
  if (!removed)
    return [
      'maxPagesRemoved cannot be checked, because the published pages could not be read.',
      'Try again, or send allowDelete: true.',
    ]
  if (removed.length <= limit) return undefined
  return [
    `Pages that this publish would remove: ${removed.length}; maxPagesRemoved allows ${limit}.`,
    'Send allowDelete: true if they shall go.',
  ]
}
