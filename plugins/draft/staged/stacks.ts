import { pace } from '../../../kernel/index.ts'
import { oldestRetained, type Stack, stacks, withoutPruned } from '../collections.ts'
import type { StagedDraft } from './draft.ts'

const noStack: Stack = { undo: [], redo: [] }
/** The most cached stacks of a draft: those of removed pages would stay. */
const mostStacks = 1_000

export type StagedStacks = ReturnType<typeof createStagedStacks>

/** Creates the undo stacks of a draft in one transaction; of its changes, the newest ones are stored. */
export function createStagedStacks(draft: StagedDraft, keptChangesPerDraft: number) {
  const { tx, scope, cached } = draft
  const unwritten = new Set<string>()
  const retained = (stack: Stack): Stack => {
    const { version, sizes } = draft.state.head
    const oldest = oldestRetained({ version, oldest: sizes.oldest }, keptChangesPerDraft)
    return oldest > 1 ? withoutPruned(stack, oldest) : stack
  }
  const load = async (slug: string): Promise<Stack> => {
    const stack = (await tx.of(stacks).get(scope, slug))?.body ?? noStack
    cached.stacks.set(slug, stack)
    return retained(stack)
  }
  return {
    /** Returns the stacks of a page, without changes that were pruned; synchronous if they are cached. */
    get(slug: string): Stack | Promise<Stack> {
      const stack = cached.stacks.get(slug)
      return stack ? retained(stack) : load(slug)
    },
    /** Replaces stacks; `write` sends them. */
    set(changed: ReadonlyMap<string, Stack>): void {
      for (const [slug, stack] of changed) {
        cached.stacks.set(slug, stack)
        unwritten.add(slug)
      }
    },
    async write(): Promise<void> {
      for (const slug of unwritten) {
        await pace()
        const body = cached.stacks.get(slug) ?? noStack
        await draft.send(tx.of(stacks).put(scope, slug, { body, columns: {} }))
      }
      if (cached.stacks.size > mostStacks) cached.stacks.clear()
    },
  }
}
