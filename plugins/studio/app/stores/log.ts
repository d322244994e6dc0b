/** The newest changes of the draft and the newest publishes, and what they tell of what is not published. */
import { computed } from '@preact/signals'
import { sender } from '../person.ts'
import { call, type Answer } from '../service.ts'
import { displayNameOf } from './block-types.ts'
import { loaded } from './loaded.ts'
import { hasMoveOf, type IsNamed } from './moves.ts'
import { unpublishedChanges } from '../../../content/unpublished.ts'
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

/** The same for what was moved on a page since the last publish: a comparison cannot tell which of two moved. */
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
 * The last change of a block among the newest of its page; `undefined` if it is older, or no older one is of another
 * person.
 */
export async function lastChangeOf(slug: string, blockId: string): Promise<LogEntry | undefined> {
  const query = { ...draftId.value, slug }
  const { entries } = await call('GET /history/log', { query: { ...query, limit: '20' } })
  const first = entries.findIndex(isOfOthers)
  for (const entry of first === -1 ? [] : entries.slice(first).toReversed()) {
    const at = { ...query, version: String(entry.version) }
    const { changes } = await call('GET /history/page', { query: at })
    const diff = changes?.blockDiffs.find((each) => each.blockId === blockId)
    if (diff && diff.status !== 'unchanged') return entry
  }
  return undefined
}
