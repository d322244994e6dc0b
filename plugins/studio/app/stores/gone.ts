/** Where a place is that is not found any more: on a page that has moved, or deleted, and by whom. */
import { call } from '../service.ts'
import { authorOf, type LogEntry } from './log.ts'
import { slugAfter, valueAt, type ValuePlace } from './place.ts'
import { draftId } from './site.ts'

/** What was deleted. */
export interface Gone {
  readonly what: 'page' | 'block' | 'row'
  /** Who deleted it; `undefined` if the log does not go back so far. */
  readonly by: string | undefined
  /** The version that did, which can be undone. */
  readonly version?: number | undefined
}

const mostRead = 10

export const sentenceOfGone = ({ what, by }: Gone): string =>
  by === undefined ? `This ${what} was deleted.` : `${by} deleted this ${what}.`

/** The newest changes of the draft, newest first. */
export async function newestChanges(): Promise<readonly LogEntry[]> {
  const { entries } = await call('GET /history/log', { query: { ...draftId.value, limit: '100' } })
  return entries.toReversed()
}

/** The address to which the page of an address has moved; `undefined` if it was deleted. */
export async function movedTo(slug: string): Promise<string | undefined> {
  const changes = await newestChanges()
  const at = changes.findIndex(({ renamed, removedSlugs }) =>
    [...(renamed ?? []).map(({ from }) => from), ...(removedSlugs ?? [])].includes(slug),
  )
  const since = changes.slice(0, at + 1).toReversed()
  const now = slugAfter(
    slug,
    since.flatMap(({ renamed }) => renamed ?? []),
  )
  return now === slug ? undefined : now
}

/** Finds who deleted a place: the change after the newest one that has left it there. */
export async function whoDeleted({ slug, blockId, path }: ValuePlace, what: Gone['what']): Promise<Gone> {
  let next: LogEntry | undefined
  const changes = (await newestChanges()).filter(({ slugs, removedSlugs = [] }) =>
    [...slugs, ...removedSlugs].includes(slug),
  )
  for (const entry of changes.slice(0, mostRead)) {
    const query = { ...draftId.value, slug, version: String(entry.version) }
    const { page } = await call('GET /history/page', { query })
    const block = page?.blocks.find(({ id }) => id === blockId)
    const isThere =
      what === 'page' ? page : what === 'block' ? block : valueAt(block?.props, path.slice(0, -1))
    if (isThere && next) return { what, by: authorOf(next), version: next.version }
    next = entry
  }
  return { what, by: undefined }
}
