/** The blocks moved since the last publish, from the log: a comparison cannot tell which of two moved. */
import { signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { nameOf } from './block-types.ts'
import { saidToMove, type IsNamed } from './moves.ts'
import { draftId } from './site.ts'

type LogEntry = Answer<'GET /history/log'>['entries'][number]

const moved = signal<readonly LogEntry[]>([])

export async function loadMoved(): Promise<void> {
  const query = draftId.value
  const [log, published] = await Promise.all([
    call('GET /history/log', { query: { ...query, limit: '100' } }),
    call('GET /publish/log', { query: { ...query, limit: '100' } }),
  ])
  const since = published.entries.findLast(({ status }) => status === 'success')?.at ?? ''
  moved.value = log.entries.filter(({ at, opTypes }) => at > since && opTypes.includes('move_block'))
}

/** Whether one of the sentences of the log begins with the move of a block of a type. */
export const namedIn = (summaries: readonly string[]): IsNamed => {
  const isSaid = saidToMove(summaries)
  return (type) => isSaid(nameOf(type))
}

/** The same for what was moved on a page since the last publish. */
export const isNamedOn = (slug: string): IsNamed =>
  namedIn(moved.value.filter(({ slugs }) => slugs.includes(slug)).map(({ summary }) => summary))
