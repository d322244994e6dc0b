import { withRowIds } from '../items.ts'
import { isLocked } from '../locked.ts'
import type { Block, AvailableTypes } from '../model.ts'
import { declaredType } from '../registry.ts'
import type { ConflictPlace } from './conflict.ts'
import { type Both, mergeElement, mergeKeyed, sharedLists } from './keyed.ts'
import { mergeProp, mergeProps, type Rules } from './props.ts'
import { each, type MergedValue, shared, type Three } from './sides.ts'
import { mergeKeys, mergeValue } from './values.ts'

type Blocks = readonly Block[]

/** Merges the blocks of a page by id; the occurrences of an id that is used twice are merged in order. */
export function mergeBlocks(
  slug: string,
  sides: Three<Blocks>,
  rules: Rules & { readonly types: AvailableTypes },
): MergedValue<Blocks> {
  const { ledger, draft } = rules
  const at = ({ id, type }: Block): ConflictPlace => ({ slug, blockId: id, blockType: type })
  const merged = mergeKeyed(each(sides, byId), draft, {
    mergeOne(blocks, some) {
      const parts = (both: Both<Block>) => mergeBlock(at(some), both, rules)
      return mergeElement(at(some), blocks, ledger, { parts })
    },
    onMoved: (block) => ledger.take(at(block), 'moved'),
  })
  return sharedLists(merged, sides)
}

/**
 * Merges a block by its props and its other keys; one whose type differs between the sides, or that cannot be read, is
 * one value.
 */
function mergeBlock(
  place: ConflictPlace,
  { base: former, ours, theirs }: Both<Block>,
  rules: Rules & { readonly types: AvailableTypes },
): MergedValue<Block | undefined> {
  const { type } = ours
  if (type !== theirs.type || (former && former.type !== type) || isLocked(ours))
    return mergeValue<Block | undefined>(place, { base: former, ours, theirs }, rules.ledger)
  const sides = { base: former ?? { id: ours.id, type, props: {} }, ours, theirs }
  const fields = declaredType(type, rules.types)?.fields ?? {}
  const props = mergeProps(
    place,
    each(sides, (side) => side.props),
    fields,
    rules,
  )
  const keys = mergeKeys(sides, (name, values) =>
    Object.hasOwn(ownKeys, name)
      ? { merged: values.ours, base: values.ours }
      : mergeProp({ ...place, path: `.${name}` }, values, undefined, rules),
  )
  const merged = shared({ ...keys.merged, id: ours.id, type, props: props.merged }, ours)
  const base = shared({ ...keys.base, id: ours.id, type, props: props.base }, ours, theirs, sides.base)
  return { merged: merged === ours ? ours : withRowIds(merged, fields), base }
}

const ownKeys = { id: true, type: true, props: true }

function byId(blocks: Blocks): ReadonlyMap<string, Block> {
  const seen = new Map<string, number>()
  return new Map(
    blocks.map((block) => {
      const occurrence = (seen.get(block.id) ?? 0) + 1
      seen.set(block.id, occurrence)
      return [`${occurrence} ${block.id}`, block]
    }),
  )
}
