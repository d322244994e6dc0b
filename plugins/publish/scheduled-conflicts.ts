import { Refusal } from '../../kernel/index.ts'
import { laterIdsBy, renamesOn } from '../baseline/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page } from '../content/page.ts'
import type { OpenConflict } from '../draft/port.ts'
import {
  actorName,
  conflictChanged,
  type DecideBody,
  placeOf,
  timeOf,
  unknownConflict,
} from '../follow/port.ts'
import type { DraftId } from '../scope/port.ts'
import { compare, type Compared, mergedOnto } from './comparison.ts'
import type { PublishContext } from './context.ts'
import type { KnownOfSite, PinDecision } from './scheduled/pin.ts'
import { noSuchScheduled, scheduledUnreadable } from './refusals.ts'
import { pinnedOf, records, scheduledOf, type ScheduledPin, scheduledScope } from './scheduled/scheduled.ts'
import type { Scheduled } from './scheduled/schemas.ts'

/** What a scheduled publish conflicts with, now and after a publish of its draft. */
interface ScheduledConflicts {
  readonly conflicts: readonly OpenConflict[]
  readonly draftConflicts: readonly OpenConflict[]
}

type PinOfDraft = ScheduledPin & Pick<DraftId, 'session'>

const mostNamed = 3

/** Yields what is scheduled of a draft, or of a site, with what it publishes; with a key that one alone. */
async function* pinsOf(
  context: PublishContext,
  { siteId, session }: Pick<DraftId, 'siteId'> & Partial<DraftId>,
  only?: string,
): AsyncGenerator<PinOfDraft & { readonly row: Scheduled }> {
  const { store } = context
  const where = { siteId, ...(session !== undefined && { session }) }
  for (const document of await store.of(records).list(scheduledScope, { where, orderBy: 'due' })) {
    if (only !== undefined && document.key !== only) continue
    const content = await pinnedOf(store, document)
    const { siteOrigin } = document.body
    const { session } = document.columns
    if (content) yield { row: scheduledOf(context)(document), session, pinned: content, siteOrigin }
  }
}

/** Lists what is scheduled with its conflicts; of other drafts, what would meet a publish of this one. */
export async function listConflicts(context: PublishContext, id: DraftId, hasOthers: boolean) {
  const compared = comparing(context, id)
  const rows: Scheduled[] = []
  const pins = pinsOf(context, hasOthers ? { siteId: id.siteId } : id)
  for await (const { row, ...pin } of pins) {
    const found = await compared(pin)
    const isOwn = pin.session === id.session
    if (!isOwn && !(row.status === 'scheduled' && found && found.draftConflicts.length > 0)) continue
    rows.push({
      ...row,
      ...(found && { conflicts: [...found.conflicts], draftConflicts: [...found.draftConflicts] }),
    })
  }
  return rows
}

/**
 * Returns decisions about conflicts of a scheduled publish with its site, or with a draft, by default its
 * own, and whether these are all that it has with the site. Refuses unknown ones with 409 `unknown_conflict`,
 * those whose value is another one than was `seen` with 409 `conflict_changed`, and a site that cannot be
 * read with 409 `site_unavailable`.
 */
export async function decideScheduled(
  context: PublishContext,
  id: DraftId,
  key: string,
  decide: DecideBody['decide'],
  against: DraftId = id,
) {
  const [found] = await Array.fromAsync(pinsOf(context, id, key))
  if (!found) throw noSuchScheduled(key)
  const open = await comparing(context, against)(found)
  if (!open) throw scheduledUnreadable()
  const all = Map.groupBy([...open.conflicts, ...open.draftConflicts], (each) => each.id)
  const unknown = decide.filter((each) => !all.has(each.id)).map((each) => each.id)
  if (unknown.length > 0) throw unknownConflict(unknown)
  const others = decide.flatMap(({ id, seen }) => {
    const values = all.get(id) ?? []
    return seen === undefined || values.some(({ theirsVersion }) => theirsVersion === seen) ? [] : values
  })
  if (others.length > 0) throw conflictChanged(others)
  const decided = decide.map(({ id, take, seen }): PinDecision => {
    const theirsVersion = seen ?? all.get(id)?.[0]?.theirsVersion ?? ''
    return { id, take, theirsVersion }
  })
  const ids = new Set(decided.map((each) => each.id))
  const isSettled = open.conflicts.length > 0 && open.conflicts.every((each) => ids.has(each.id))
  return { decided, isSettled }
}

/** Returns notes about scheduled publishes with an older value than what was just published. */
export async function notesAfter(
  context: PublishContext,
  { siteId }: DraftId,
  compared: Compared,
): Promise<readonly string[]> {
  const { draft, baseline, isOwn } = compared
  const notes: string[] = []
  if (!isOwn || !baseline) return notes
  try {
    let known: Awaited<ReturnType<typeof knownOf>> | undefined
    for await (const { row, ...pin } of pinsOf(context, { siteId })) {
      known ??= await knownOf(context, siteId, compared)
      const after = await conflictsOf(context, siteId, pin, draft, known.later)
      if (after.length === 0) continue
      const before = new Set((await conflictsOf(context, siteId, pin, baseline, known.now)).map(keyOf))
      const added = after.filter((each) => !before.has(keyOf(each)))
      if (added.length > 0) notes.push(noteOf(row, added, draft.pages))
    }
  } catch (err) {
    context.log.error({ err, siteId }, 'scheduled publishes could not be compared')
  }
  return notes
}

/** Returns a function that compares pins of a draft: `undefined` while the site cannot be compared. */
function comparing(context: PublishContext, id: DraftId) {
  const read = new Map<string | undefined, Promise<Compared | undefined>>()
  return async (pin: PinOfDraft): Promise<ScheduledConflicts | undefined> => {
    const { siteOrigin, pinned } = pin
    // An earlier publish again replaces the site as it is.
    if (!pinned.base) return { conflicts: [], draftConflicts: [] }
    const reading =
      read.get(siteOrigin) ?? compare(context, id, siteOrigin, { isShown: false }).catch(unlessRefused)
    read.set(siteOrigin, reading)
    const compared = await reading
    if (!compared?.baseline || compared.otherSite !== undefined || compared.hasShrunk || compared.branch)
      return undefined
    const known = await knownOf(context, id.siteId, compared)
    const conflicts = await conflictsOf(context, id.siteId, pin, compared.baseline, known.now)
    const there = new Set(conflicts.map(keyOf))
    // A publish that succeeds ends what its draft has sent without an answer.
    const later = pin.session === id.session ? { ...known.later, unanswered: [] } : known.later
    const after = await conflictsOf(context, id.siteId, pin, compared.draft, later)
    return { conflicts, draftConflicts: after.filter((each) => !there.has(keyOf(each))) }
  }
}

async function conflictsOf(
  context: PublishContext,
  siteId: string,
  { session, pinned }: PinOfDraft,
  site: SiteContent,
  known: KnownOfSite,
): Promise<readonly OpenConflict[]> {
  return (await mergedOnto(context, { siteId, session }, pinned, site, known))?.conflicts ?? []
}

/** Returns what is known of a site, and what is known once a draft is published. */
async function knownOf(
  { store }: PublishContext,
  siteId: string,
  { baseline, draft, renames: { between: renames }, volatile }: Compared,
) {
  const now = { ...(await renamesOn(siteId, store)), volatile }
  const given = baseline ? laterIdsBy({ before: baseline, after: draft, renames }) : []
  const ids = new Map([...(now.ids ?? []), ...given.map(({ former, id }) => [former, id] as const)])
  return { now, later: { ...now, ids } }
}

/** A conflict with one value of the other side. */
const keyOf = ({ id, theirsVersion }: OpenConflict): string => `${id} ${theirsVersion}`

/** A site that may not be called any more is one that cannot be read. */
function unlessRefused(err: unknown): undefined {
  if (!(err instanceof Refusal && err.status < 500)) throw err
}

function noteOf(
  { actor, at }: Scheduled,
  conflicts: readonly OpenConflict[],
  pages: readonly Page[],
): string {
  const places = new Set(conflicts.slice(0, mostNamed).map((each) => placeOf(each, pages)))
  const more = conflicts.length > mostNamed ? ` and ${conflicts.length - mostNamed} more` : ''
  const name = actor && actorName(actor)
  return (
    `The publish scheduled${name === undefined ? '' : ` by ${name}`} for ${timeOf(at)} has an older value of ` +
    `${[...places].join('; ')}${more}, so it will fail. Decide in the scheduled publishes which one to keep.`
  )
}
