import * as v from 'valibot'
import type { Injected } from '../../kernel/index.ts'

const PlacedConflict = v.object({
  id: v.string(),
  slug: v.string(),
  blockId: v.optional(v.string()),
  path: v.optional(v.string()),
  kind: v.string(),
  base: v.optional(v.unknown()),
  ours: v.optional(v.unknown()),
  theirs: v.optional(v.unknown()),
})
/** A conflict with its place. */
export type PlacedConflict = v.InferOutput<typeof PlacedConflict>

const Conflicts = v.object({ conflicts: v.optional(v.array(PlacedConflict), []) })
/** The conflicts that an answer lists. */
export const conflictsIn = (answer: Injected): readonly PlacedConflict[] =>
  v.parse(Conflicts, answer.json()).conflicts
