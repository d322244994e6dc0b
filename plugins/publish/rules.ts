/** The rules by which a publish is refused before anything is sent, each with what people and programs can do. */
import { omittedFrom, slugIsTaken, unreadableSlugs } from '../content/carry.ts'
import type { SiteContent } from '../content/adapter.ts'
import { checkDestructivePublish } from '../content/destructive.ts'
import { slugsOf } from '../content/diff/index.ts'
import type { Unreadable } from '../content/read-pages.ts'
import { conflictSentence } from '../follow/port.ts'
import type { BranchChange } from './branches.ts'
import type { Compared } from './comparison.ts'
import { changedMeanwhile, failed, refused } from './outcome.ts'
import type { PublishRequest } from './request.ts'
import type { PublishOutcome } from './schemas.ts'

/** Returns why what was compared is not published, by the first rule that refuses it. */
export function refusalOf(
  request: PublishRequest,
  compared: Compared,
  { version: current, leftOut }: { readonly version: number; readonly leftOut: readonly Unreadable[] },
  now: Date,
): PublishOutcome | undefined {
  const { expect, overwrite = false, siteOrigin, allowDelete } = request
  const { draft, version, seen = version, baseline, otherSite } = compared
  if (compared.isOutdated) return changedMeanwhile()
  if (expect !== undefined && (seen !== expect || current !== version)) return draftChanged(current)
  if (compared.conflicts.length > 0 && !overwrite) return inConflict(compared, now)
  if (siteOrigin && otherSite !== undefined) return refused(otherSite)
  const removal =
    baseline && draft.pages.length > 0 ? undefined : unseenRemoval(compared, leftOut, allowDelete)
  if (removal) return removal
  if (compared.isAway && !overwrite) return siteAway
  if (compared.branch && !overwrite) return onOtherBranch(compared.branch)
  if (compared.hasShrunk && compared.isOwn && isUnasked(request, draft)) return siteShrunk
  const blocked = unreadableSlugs(baseline)
  const [taken] = draft.pages.flatMap(({ slug }) => blocked.get(slug) ?? [])
  return taken && failed(400, slugIsTaken(taken), { code: 'slug_unreadable' })
}

/**
 * Whether a publish may not go to a site that has lost most of its pages: after a part or what was scheduled
 * the draft would follow, and a whole draft puts its pages back only on purpose. An empty one has none.
 */
function isUnasked({ part, pinned, overwrite = false }: PublishRequest, { pages }: SiteContent): boolean {
  if (part ?? pinned?.base) return true
  return !overwrite && pinned?.commit === undefined && pages.length > 0
}

/** Returns why an empty draft, or one whose site cannot be read, may not remove what the site has. */
function unseenRemoval(
  { draft, baseline }: Pick<Compared, 'draft' | 'baseline'>,
  leftOut: readonly Unreadable[],
  allowDelete: boolean,
): PublishOutcome | undefined {
  // What the draft had to leave out is carried.
  const omitted = omittedFrom(new Set(slugsOf(draft)), new Set(baseline && slugsOf(baseline)), leftOut)
  const published = baseline?.pages.filter(({ slug }) => !omitted.has(slug))
  const verdict = checkDestructivePublish({ pages: draft.pages, baseline: published, leftOut, allowDelete })
  return verdict.ok ? undefined : { ...refused(verdict.reason), logged: verdict.finding }
}

/** Returns the refusal of a publish that would replace what the site has changed as well. */
function inConflict(
  { conflicts, draft, baseline }: Pick<Compared, 'conflicts' | 'draft' | 'baseline'>,
  now: Date,
): PublishOutcome {
  const pages = [...draft.pages, ...(baseline?.pages ?? [])]
  const context = { pages, unreadable: unreadableSlugs(baseline) }
  const error = conflictSentence(conflicts, { now, ...context })
  const refusal = refused(error, 'site_conflict', { error, conflicts: [...conflicts] })
  return { ...refusal, logged: conflictSentence(conflicts, context) }
}

/** A refusal whose remedy for programs, which names parameters, is not that of people who read the log. */
function refusedWith(code: string, what: string, remedy: string, logged: string): PublishOutcome {
  const error = `${what} ${remedy}`
  return { ...refused(error, code, { error }), logged: `${what} ${logged}` }
}

const siteShrunk = refusedWith(
  'site_shrunk',
  'The site lists less than half of the pages that it had, so it is unknown whether they are gone on purpose.',
  'Take over what it lists, by POST /draft/follow with confirm: true, and publish again, or publish all pages ' +
    'with overwrite: true to put the others back.',
  'Choose in the review what becomes of them, then try again.',
)

const onOtherBranch = (change: BranchChange): PublishOutcome =>
  refusedWith(
    'branch_changed',
    `The folder has the branch ${change.to} now, and this draft was made on ${change.from}.`,
    `Check out ${change.from} again, or take over ${change.to} by POST /draft/follow with confirm: true, and publish again.`,
    'Choose in the review which of them the draft follows, then try again.',
  )

const siteAway = refusedWith(
  'site_unavailable',
  'The site could be read before, but not now, so it is unknown what this publish would replace.',
  'Publish again once it answers, or with overwrite: true to replace its content.',
  'Try again once it answers.',
)

const draftChanged = (currentVersion: number): PublishOutcome =>
  refused(
    'The draft was changed after this version of it, so nothing was published. Look at it again, then publish.',
    'draft_changed',
    { currentVersion },
  )
