import { pace } from '../../kernel/index.ts'
import type { ChangeSet } from './change-set.ts'
import { type ChangeRecord, type Stack, stackDepth } from './collections.ts'
import type { DraftTransaction } from './transaction.ts'

/** Returns the undo stacks that a change sets. */
export async function nextStacks(
  draft: DraftTransaction,
  { stacks }: ChangeSet,
  version: number,
): Promise<ReadonlyMap<string, Stack>> {
  if ('set' in stacks) return stacks.set
  const next = new Map<string, Stack>()
  for (const slug of stacks.push) {
    await pace()
    const { undo } = await draft.stacks.get(slug)
    next.set(slug, { undo: [...undo.slice(1 - stackDepth), version], redo: [] })
  }
  for (const slug of draft.state.head.version === 0 ? [] : (stacks.drop ?? [])) {
    const { undo, redo } = await draft.stacks.get(slug)
    if (undo.length + redo.length > 0) next.set(slug, { undo: [], redo: [] })
  }
  return next
}

/** Returns the stacks of all pages of a run: its newest record replaces the previous one. */
export async function mergedStacks(
  draft: DraftTransaction,
  earlier: ChangeRecord,
  entry: ChangeRecord,
): Promise<ReadonlyMap<string, Stack>> {
  const { version } = draft.state.head
  const stays = new Set(entry.pages.map(({ slug }) => slug))
  const next = new Map<string, Stack>()
  for (const { slug } of [...earlier.pages, ...entry.pages]) {
    const { undo } = await draft.stacks.get(slug)
    const below = undo.at(-1) === version ? undo.slice(0, -1) : undo
    next.set(slug, {
      undo: stays.has(slug) ? [...below.slice(1 - stackDepth), version + 1] : below,
      redo: [],
    })
  }
  return next
}
