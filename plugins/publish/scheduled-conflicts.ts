import { type Clock, type Logger, pace } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page } from '../content/page.ts'
import type { Drafts, OpenConflict } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Store } from '../store/port.ts'
import type { BaselineFinder } from './baseline.ts'
import type { Compared } from './comparison.ts'
import { contentOfDraft } from './complete-content.ts'
import { conflictChanged, scheduledUnreadable, unknownConflict } from './refusals.ts'
import type { ScheduledPin, ScheduledPublishes } from './scheduled.ts'
import type { DecideBody, Scheduled } from './schemas.ts'
import { withAuthors } from './site/authors.ts'
import { actorName, placeOf, timeOf } from './site/conflict-sentence.ts'
import { type KnownOfSite, type PinDecision, withPin } from './site/pin.ts'
import { renamesOn } from './site/sent-renames.ts'

/** What a scheduled publish conflicts with now, and what it would conflict with after a publish of its draft. */
interface ScheduledConflicts {
  readonly conflicts: readonly OpenConflict[]
  readonly draftConflicts: readonly OpenConflict[]
}

const mostNamed = 3

/** Creates what compares scheduled publishes with their site, and with what is published before them. */
export function createScheduledConflicts(context: {
  readonly scheduled: Pick<ScheduledPublishes, 'pins'>
  readonly baselines: Pick<BaselineFinder, 'find'>
  readonly drafts: Drafts
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
}) {
  const { scheduled, baselines, drafts, store, clock, log } = context

  const conflictsOf = async (
    { siteId }: Pick<DraftId, 'siteId'>,
    { content, base, decided }: ScheduledPin,
    site: SiteContent,
    known: KnownOfSite,
  ): Promise<readonly OpenConflict[]> => {
    if (!base) return []
    const merged = await withPin({ content, base }, site, { ...known, decided })
    return merged.conflicts.length === 0 ? [] : withAuthors(store, siteId, merged, clock.now().toISOString())
  }

  /** Returns a function that compares pins of a draft; `undefined` while their site cannot be read. */
  const comparing = (id: DraftId) => {
    let own: Promise<SiteContent> | undefined
    return async (pin: ScheduledPin): Promise<ScheduledConflicts | undefined> => {
      const { load, volatile } = await baselines.find(id, { siteOrigin: pin.siteOrigin })
      const { content: site, otherSite } = await load()
      if (!site || otherSite !== undefined) return undefined
      const known = { ...(await renamesOn(id.siteId)(store)), volatile: volatile?.addresses }
      const conflicts = await conflictsOf(id, pin, site, known)
      const there = new Set(conflicts.map(keyOf))
      const after = await conflictsOf(id, pin, await (own ??= draftOf(drafts, id)), known)
      return { conflicts, draftConflicts: after.filter((each) => !there.has(keyOf(each))) }
    }
  }

  return {
    /** Adds to the scheduled publishes of a draft what they conflict with. */
    async list(id: DraftId): Promise<Scheduled[]> {
      const compare = comparing(id)
      const rows: Scheduled[] = []
      for (const { row, ...pin } of await scheduled.pins(id)) {
        const found = await compare(pin)
        rows.push({
          ...row,
          ...(found && { conflicts: [...found.conflicts], draftConflicts: [...found.draftConflicts] }),
        })
      }
      return rows
    },
    /**
     * Returns decisions about conflicts of a scheduled publish, and whether none with the site is open then. Refuses
     * unknown ones with 409 `unknown_conflict`, those whose value is another one than was `seen` with 409
     * `conflict_changed`, and a site that cannot be read with 409 `site_unavailable`.
     */
    async decide(id: DraftId, key: string, decide: DecideBody['decide']) {
      const found = (await scheduled.pins(id)).find(({ row }) => row.id === key)
      if (!found) return { decided: [], isSettled: false }
      const open = await comparing(id)(found)
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
      const decidedIds = new Set(decided.map((each) => each.id))
      return { decided, isSettled: open.conflicts.every((each) => decidedIds.has(each.id)) }
    },
    /** Returns notes about the scheduled publishes of a site that have an older value than what was just published. */
    async notesAfter({ siteId }: DraftId, { draft, baseline, isOwn }: Compared): Promise<readonly string[]> {
      const pins = isOwn && baseline ? await scheduled.pins({ siteId }) : []
      const notes: string[] = []
      try {
        const known = pins.length > 0 ? await renamesOn(siteId)(store) : {}
        for (const { row, ...pin } of pins) {
          await pace()
          const after = await conflictsOf({ siteId }, pin, draft, known)
          if (after.length === 0 || !baseline) continue
          const before = new Set((await conflictsOf({ siteId }, pin, baseline, known)).map(keyOf))
          const met = after.filter((each) => !before.has(keyOf(each)))
          if (met.length > 0) notes.push(noteOf(row, met, draft.pages))
        }
      } catch (err) {
        log.error({ err, siteId }, 'scheduled publishes could not be compared')
      }
      return notes
    },
  }
}

/** A conflict with one value of the other side. */
const keyOf = ({ id, theirsVersion }: OpenConflict): string => `${id} ${theirsVersion}`

async function draftOf(drafts: Drafts, id: DraftId): Promise<SiteContent> {
  const { slugs, siteConfig, page } = await contentOfDraft(drafts, id)
  const pages: Page[] = []
  for (const slug of slugs) {
    await pace()
    const stored = await page(slug)
    if (stored) pages.push(stored.page)
  }
  return { pages, ...(siteConfig && { siteConfig }) }
}

function noteOf(
  { actor, at }: Scheduled,
  conflicts: readonly OpenConflict[],
  pages: readonly Page[],
): string {
  const places = [...new Set(conflicts.map((each) => placeOf(each, pages)))]
  const more = places.length > mostNamed ? ` and ${places.length - mostNamed} more` : ''
  const name = actor && actorName(actor)
  return (
    `The publish scheduled${name === undefined ? '' : ` by ${name}`} for ${timeOf(at)} has an older value of ` +
    `${places.slice(0, mostNamed).join('; ')}${more}, so it will fail. Decide in the scheduled publishes which one to keep.`
  )
}
