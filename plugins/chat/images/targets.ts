import { effectiveItemFields, isDeclaredList } from '../../content/fields.ts'
import { isPlainObject, ownValue } from '../../content/plain-object.ts'
import type { Block, Fields, Props } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { PlanningInput } from '../planner.ts'
import type { Named } from './places.ts'
import type { ImageWish } from './wish.ts'

/** A field that gets another image. */
export interface Target {
  readonly block: Block
  /** What is said beside it: the props of the block, or of the row. */
  readonly props: Props
  /** The place of the row, from 1; `undefined` for a field of the block itself. */
  readonly row?: number | undefined
  /** The operation that sets the image, and its description where the contract has one. */
  setTo(address: string, alt: string | undefined): Operation
}

/** `fields` may be empty: then what is meant has no image. */
export type Targets = { readonly block: Block; readonly fields: readonly Target[] }

type Scene = Pick<PlanningInput, 'draft' | 'selection' | 'registry' | 'manifest'>

/**
 * Finds the fields that a wish is about, by what it names and what is selected. `undefined` where that is not clear: then
 * somebody else has to ask.
 */
export function targetsOf({ named, isSeveral, queries }: ImageWish, scene: Scene): Targets | undefined {
  const { draft, selection } = scene
  const blocks = draft.pages.find(({ slug }) => slug === selection.slug)?.blocks ?? []
  const selected = blocks.find(({ id }) => id === selection.blockId)
  const on = (block: Block): Holder => holderOf(block, scene)
  if (named?.noun) return rowsNamed(named, queries, { blocks, selected, scene }) ?? blockNamed(named, isSeveral, { blocks, selected, scene })
  if (selected) {
    const holder = on(selected)
    const focused = isSeveral ? undefined : focusedIn(holder, selection.path)
    return { block: selected, fields: focused ? [focused] : own(holder, isSeveral) }
  }
  const [only, ...more] = blocks.filter((block) => (isSeveral ? own(on(block), true).length > 0 : on(block).target !== undefined))
  return only && more.length === 0 ? { block: only, fields: own(on(only), isSeveral) } : undefined
}

interface Around {
  readonly blocks: readonly Block[]
  readonly selected: Block | undefined
  readonly scene: Scene
}

/** Rows of a list: all of them, the one of a place, those with a query of their own, the selected one, or the only one. */
function rowsNamed({ noun, place, isEvery }: Named, queries: ImageWish['queries'], { blocks, selected, scene }: Around): Targets | undefined {
  const lists = noun?.lists ?? []
  const keyOf = (block: Block): string | undefined => lists.find(([type]) => type === block.type)?.[1]
  const block = onlyOf(blocks.filter((each) => keyOf(each) !== undefined), selected)
  const key = block && keyOf(block)
  if (!block || key === undefined) return undefined
  const rows = holderOf(block, scene).rows.filter(({ listKey }) => listKey === key)
  if (isEvery) return { block, fields: rows.flatMap(({ target }) => target ?? []) }
  const focused = selected === block ? Number(/\[(\d{1,6})\]/.exec(scene.selection.path ?? '')?.[1] ?? -1) + 1 : 0
  const places = queries.size > 0 ? [...queries.keys()] : [place === undefined ? focused || (rows.length === 1 ? 1 : 0) : place < 0 ? rows.length + 1 + place : place]
  const found = places.map((each) => rows.find(({ index }) => index + 1 === each))
  return found.every((row) => row !== undefined) ? { block, fields: found.flatMap((row) => row?.target ?? []) } : undefined
}

/** A block by its type and place, or the selected one of several. */
function blockNamed({ noun, place, isEvery }: Named, isSeveral: boolean, { blocks, selected, scene }: Around): Targets | undefined {
  const ofType = blocks.filter(({ type }) => noun?.types.includes(type))
  const block = place === undefined ? onlyOf(ofType, selected) : ofType.at(place < 0 ? place : place - 1)
  return block && { block, fields: own(holderOf(block, scene), isSeveral || isEvery) }
}

const onlyOf = (blocks: readonly Block[], selected: Block | undefined): Block | undefined =>
  blocks.find((block) => block === selected) ?? (blocks.length === 1 ? blocks[0] : undefined)

/** The image fields of a block, and those of its rows. */
interface Holder {
  readonly target?: Target | undefined
  readonly rows: readonly RowHolder[]
}

interface RowHolder {
  readonly listKey: string
  readonly index: number
  readonly target?: Target | undefined
}

/** What is meant by the image of a block: its own, and that of its rows where it has none, or all of them are meant. */
function own({ target, rows }: Holder, isSeveral: boolean): readonly Target[] {
  const ofRows = rows.flatMap((row) => row.target ?? [])
  if (isSeveral && ofRows.length > 0) return [...(target ? [target] : []), ...ofRows]
  return target ? [target] : ofRows
}

/** The image of the row that is selected, or of the block where a field of its own is. */
function focusedIn({ target, rows }: Holder, path = ''): Target | undefined {
  const [, listKey, number] = /^(\w+)\[(\d{1,6})\]/.exec(path) ?? []
  return listKey === undefined ? target : rows.find((row) => row.listKey === listKey && row.index === Number(number))?.target
}

function holderOf(block: Block, { selection: { slug }, registry, manifest }: Scene): Holder {
  const fields = (manifest?.get(block.type) ?? registry.get(block.type))?.fields ?? {}
  const at = { pageSlug: slug, blockId: block.id }
  const image = imageIn(fields)
  return {
    target: image && { block, props: block.props, setTo: (address, alt) => ({ op: 'update_props', ...at, patch: image(address, alt) }) },
    rows: Object.entries(fields).flatMap(([listKey, list]) => {
      const rows = isDeclaredList(list) ? ownValue(block.props, listKey) : undefined
      return (Array.isArray(rows) ? rows : []).map((row: unknown, index): RowHolder => {
        const props = isPlainObject(row) ? row : {}
        const patch = imageIn(effectiveItemFields(list, props))
        const target: Target | undefined = patch && { block, props, row: index + 1, setTo: (address, alt) => ({ op: 'update_item', ...at, listKey, index, patch: patch(address, alt) }) }
        return { listKey, index, target }
      })
    }),
  }
}

/** What sets the image of a block or a row; `undefined` where its contract has none. */
function imageIn(fields: Fields): ((address: string, alt: string | undefined) => Props) | undefined {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === 'image' && !fields[name].internal)
  const image = names.find((name) => name === 'imageUrl' || name === 'src') ?? names[0]
  if (image === undefined) return undefined
  const stem = image.replace(/Url$/, '')
  const described = Object.keys(fields).filter((name) => fields[name]?.kind === 'imageAlt')
  const text = described.find((name) => name.startsWith(stem)) ?? described[0]
  return (address, alt) => ({ [image]: address, ...(alt !== undefined && text !== undefined && { [text]: alt }) })
}
