import type { ImageIntent, ImageScene, Named } from '../chat/port.ts'
import type { Block, Page } from '../content/model.ts'
import { ownTarget, pageTarget, rowsOf, rowTarget, rowTargets, siteTarget, type Target } from './fields.ts'

/** The target of an intent: its type, and its image fields, possibly none. */
export interface Targets {
  readonly type: string
  readonly fields: readonly Target[]
}

/** Finds the target fields of an intent by its nouns and the selection; `undefined` if that is ambiguous. */
export function targetsOf({ of, named, isSeveral, queries }: ImageIntent, scene: ImageScene): Targets | undefined {
  const { draft, selection } = scene
  const page = draft.pages.find(({ slug }) => slug === selection.slug)
  if (!page) return undefined
  if (of) return only(of === 'site' ? siteTarget(draft.config) : pageTarget(page))
  const { blocks } = page
  const selected = blocks.find(({ id }) => id === selection.blockId)
  const around: Around = { page, selected, scene }
  if (named?.noun) return rowsNamed(named, queries, around) ?? blockNamed(named, isSeveral, around)
  if (selected) {
    const focused = isSeveral ? undefined : focusedIn(selected, around)
    return focused ? only(focused) : { type: selected.type, fields: own(selected, isSeveral, around) }
  }
  const [block, ...more] = blocks.filter((each) => (isSeveral ? own(each, true, around)[0] : ownTarget(page, each, scene)))
  return block && more.length === 0 ? { type: block.type, fields: own(block, isSeveral, around) } : undefined
}

const only = (target: Target): Targets => ({ type: target.type, fields: [target] })

interface Around {
  readonly page: Page
  readonly selected: Block | undefined
  readonly scene: ImageScene
}

/** Finds rows of a list: all, the one at a place, those with a query, the selected one, or the only one. */
function rowsNamed({ noun, place, isEvery }: Named, queries: ImageIntent['queries'], around: Around): Targets | undefined {
  const { page, selected, scene } = around
  const lists = noun?.lists ?? []
  const keyOf = (block: Block): string | undefined => lists.find(([type]) => type === block.type)?.[1]
  const block = onlyOf(page.blocks.filter((each) => keyOf(each) !== undefined), selected)
  const listKey = block && keyOf(block)
  if (!block || listKey === undefined) return undefined
  const { type } = block
  if (isEvery) return { type, fields: rowTargets(page, block, scene, listKey) }
  const { length } = rowsOf(block, listKey)
  const focused = selected === block ? Number(/\[(\d{1,6})\]/.exec(scene.selection.path ?? '')?.[1] ?? -1) + 1 : 0
  const single = place === undefined ? focused || (length === 1 ? 1 : 0) : place < 0 ? length + 1 + place : place
  const places = queries.size > 0 ? [...queries.keys()] : [single]
  if (!places.every((each) => each >= 1 && each <= length)) return undefined
  return { type, fields: places.flatMap((each) => rowTarget(page, block, scene, { listKey, index: each - 1 }) ?? []) }
}

/** Finds a block by type and place, or the selected one of several. */
function blockNamed({ noun, place, isEvery }: Named, isSeveral: boolean, around: Around): Targets | undefined {
  const ofType = around.page.blocks.filter(({ type }) => noun?.types.includes(type))
  const block = place === undefined ? onlyOf(ofType, around.selected) : ofType.at(place < 0 ? place : place - 1)
  return block && { type: block.type, fields: own(block, isSeveral || isEvery, around) }
}

const onlyOf = (blocks: readonly Block[], selected: Block | undefined): Block | undefined =>
  blocks.find((block) => block === selected) ?? (blocks.length === 1 ? blocks[0] : undefined)

/** The image fields of a block: its own, plus those of its rows if it has none or several are meant. */
function own(block: Block, isSeveral: boolean, { page, scene }: Around): readonly Target[] {
  const target = ownTarget(page, block, scene)
  const ofRows = isSeveral || !target ? rowTargets(page, block, scene) : []
  return [...(target ? [target] : []), ...ofRows]
}

/** The image of the selected row, or of the block if one of its own fields is selected. */
function focusedIn(block: Block, { page, scene }: Around): Target | undefined {
  const [, listKey, number] = /^(\w+)\[(\d{1,6})\]/.exec(scene.selection.path ?? '') ?? []
  return listKey === undefined ? ownTarget(page, block, scene) : rowTarget(page, block, scene, { listKey, index: Number(number) })
}
