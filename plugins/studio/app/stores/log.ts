/** The newest changes of the draft and the newest publishes, and what they tell of what is not published. */
import { computed } from '@preact/signals'
import { sender } from '../person.ts'
import { call, type Answer } from '../service.ts'
import { displayNameOf } from './block-types.ts'
import { loaded } from './loaded.ts'
import { hasMoveOf, type IsNamed } from './moves.ts'
import { unpublishedChanges } from '../../../content/unpublished.ts'
import { isSame } from './place.ts'
import { draftId } from './site.ts'
import { byWhom } from './by-whom.ts'

export type LogEntry = Answer<'GET /history/log'>['entries'][number]
export type Publish = Answer<'GET /publish/log'>['entries'][number]

const {
  value: log,
  failure: logFailure,
  load: loadLog,
} = loaded(async () => {
  const query = { ...draftId.value, limit: '100' }
  const [changed, published] = await Promise.all([
    call('GET /history/log', { query }),
    call('GET /publish/log', { query }),
  ])
  return { entries: changed.entries.toReversed(), publishes: published.entries.toReversed() }
})
export { logFailure, loadLog }

/** Newest first; `undefined` until they are read. */
export const entries = computed(() => log.value?.entries)
/** Newest first. */
export const publishes = computed(() => log.value?.publishes ?? [])
/** The publish that visitors see. */
export const live = computed(() => publishes.value.find(({ status }) => status === 'success'))

/** The changes of a page since its last publish, also under its former addresses; newest first. */
const unpublishedOn = (slug: string): readonly LogEntry[] =>
  unpublishedChanges([slug], entries.value ?? [], publishes.value)

/** Who changed a page since its last publish. */
export const authorsOf = (slug: string): readonly string[] => [
  ...new Set(unpublishedOn(slug).toReversed().map(byWhom)),
]

/** Who changed a page, or the settings of the site, in the draft since the last publish, and when. */
export function draftedOn(slug: string): { readonly by?: string; readonly at?: string } {
  const own = unpublishedOn(slug).filter(({ source }) => source !== 'site')
  const [newest] = own
  return newest ? { by: [...new Set(own.toReversed().map(byWhom))].join(', '), at: newest.at } : {}
}

/** Whether one of the sentences of the log begins with the move of a block of a type. */
export const namedIn = (summaries: readonly string[]): IsNamed => {
  const hasMove = hasMoveOf(summaries)
  return (type) => hasMove(displayNameOf(type))
}

/**
 * The same for what was moved on a page since the last publish: a comparison cannot tell which of two moved.
 */
export const isNamedOn = (slug: string): IsNamed =>
  namedIn(
    unpublishedOn(slug)
      .filter(({ opTypes }) => opTypes.includes('move_block'))
      .map(({ summary }) => summary),
  )

/** Whether another person made a change; a program, an agent and the site are none. */
export const isOfOthers = ({ actor, source }: LogEntry): boolean =>
  actor.kind === 'person' && source !== 'bootstrap' && actor.browser?.id !== sender().id

/** Who made a change, as a sentence begins. */
export function authorOf(entry: LogEntry): string {
  const isOwn = entry.actor.kind === 'person' && !isOfOthers(entry)
  const name = byWhom(entry)
  return isOwn ? 'You' : name.charAt(0).toUpperCase() + name.slice(1)
}

/**
 * The last change of a block among the newest of its page; `undefined` if it is older, or no older one is of
 * another person.
 */
export async function lastChangeOf(slug: string, blockId: string): Promise<LogEntry | undefined> {
  const found = await newestOn(slug)
  const first = found.findLastIndex(({ entry }) => isOfOthers(entry))
  return changeAmong(found.slice(0, first + 1), blockId)
}

/**
 * Says who wrote a field of a block last, such as `Ana`, or `You` in this browser; `undefined` if that is not among
 * the newest changes of its page.
 */
export async function writerOf(slug: string, blockId: string, field = ''): Promise<string | undefined> {
  const entry = await changeAmong(await newestOn(slug), blockId, field)
  return entry && authorOf(entry)
}

/** A change of a page, with the addresses that the page had after it and before. */
interface ChangeOnPage {
  readonly entry: LogEntry
  readonly slug: string
  readonly before: string
}

const mostRead = 20

/** The newest changes of a page, newest first, also those from before it got its address. */
async function newestOn(slug: string): Promise<readonly ChangeOnPage[]> {
  const { entries } = await call('GET /history/log', { query: { ...draftId.value, limit: '100' } })
  const found: ChangeOnPage[] = []
  let now = slug
  for (const entry of entries.toReversed()) {
    const before = entry.renamed?.find(({ to }) => to === now)?.from ?? now
    if (before !== now || entry.slugs.includes(now)) found.push({ entry, slug: now, before })
    now = before
  }
  return found.slice(0, mostRead)
}

/** The first one of some changes that has changed a block, or a field of it. */
async function changeAmong(
  found: readonly ChangeOnPage[],
  blockId: string,
  field?: string,
): Promise<LogEntry | undefined> {
  for (const each of found) if (await hasChanged(each, blockId, field)) return each.entry
  return undefined
}

async function hasChanged(
  { entry, slug, before }: ChangeOnPage,
  blockId: string,
  field: string | undefined,
): Promise<boolean> {
  const version = String(entry.version)
  const at = (slug: string) => call('GET /history/page', { query: { ...draftId.value, slug, version } })
  const after = await at(slug)
  const pages = [before === slug ? after.before : (await at(before)).before, after.page]
  const [then, now] = pages.map((page) => page?.blocks.find(({ id }) => id === blockId))
  if (field !== undefined) return !isSame(then?.props[field], now?.props[field])
  const isMoved = after.changes?.blockDiffs.some(
    (each) => each.blockId === blockId && each.status === 'moved',
  )
  return isMoved === true || !isSame(then, now)
}
