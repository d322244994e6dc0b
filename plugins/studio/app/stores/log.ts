/** The newest changes of the draft and the newest publishes, and what they tell of what is not published. */
import { computed } from '@preact/signals'
import { sender } from '../person.ts'
import { call, type Answer } from '../service.ts'
import { displayNameOf } from './block-types.ts'
import { loaded } from './loaded.ts'
import { hasMoveOf, type IsNamed } from './moves.ts'
import { unpublishedChanges } from '../../../content/unpublished.ts'
import { stepsOf } from './place.ts'
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

/**
 * The last change of a block among the newest of its page; `undefined` if it is older, or no older one is of
 * another person.
 */
export async function lastChangeOf(slug: string, blockId: string): Promise<LogEntry | undefined> {
  const entries = await newestOn(slug)
  const first = entries.findLastIndex(isOfOthers)
  return changeAmong(entries.slice(0, first + 1), slug, ({ blockDiffs }) =>
    blockDiffs.some((each) => each.blockId === blockId && each.status !== 'unchanged'),
  )
}

/**
 * Says who wrote a field of a block, such as `Ana`, of those who did not write in this browser; `undefined`
 * if that is not among the newest changes of its page.
 */
export async function otherAuthorOf(slug: string, blockId: string, field = ''): Promise<string | undefined> {
  const entries = await newestOn(slug)
  const others = entries.filter(({ actor }) => actor.browser?.id !== sender().id)
  const entry = await changeAmong(others, slug, ({ blockDiffs }) =>
    blockDiffs.some(
      (each) =>
        each.blockId === blockId && each.fieldDiffs?.some(({ path }) => String(stepsOf(path)[0]) === field),
    ),
  )
  return entry && byWhom(entry)
}

/** The newest changes of a page, newest first. */
async function newestOn(slug: string): Promise<readonly LogEntry[]> {
  const { entries } = await call('GET /history/log', { query: { ...draftId.value, slug, limit: '20' } })
  return entries.toReversed()
}

type Changes = NonNullable<Answer<'GET /history/page'>['changes']>

/** The first one of some changes that has changed what is meant on a page. */
async function changeAmong(
  entries: readonly LogEntry[],
  slug: string,
  isMeant: (changes: Changes) => boolean,
): Promise<LogEntry | undefined> {
  for (const entry of entries) {
    const query = { ...draftId.value, slug, version: String(entry.version) }
    const { changes } = await call('GET /history/page', { query })
    if (changes && isMeant(changes)) return entry
  }
  return undefined
}
