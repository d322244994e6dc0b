/** The outline of the shown page: its blocks, and the rows of those that are open. */
import { computed, signal } from '@preact/signals'
import { rowsIn, textIn, type RowOfList } from './label.ts'
import { displayNameOf, typeOf } from './block-types.ts'
import { blocks, slug, whyLocked, type Block } from './draft.ts'
import { isNamedOn } from './log.ts'
import { changedIn } from './moves.ts'
import { diff, type Diff } from './review.ts'
import { selected } from './selection.ts'

export interface OutlineNode {
  /** The id of the block, and the key of the row after it. */
  readonly id: string
  readonly block: Block
  /** `undefined` for the block itself. */
  readonly row: RowOfList | undefined
  readonly name: string
  readonly text: string
  /** The position among its siblings, from 1 on, and their number. */
  readonly place: number
  readonly count: number
  /** The number of rows of a block. */
  readonly rows: number
  /** Whether the block stays where it is, such as the footer, or the row, such as a text of a template. */
  readonly isPinned: boolean
  /** Why the block cannot be read, and so not be edited; `undefined` if it can. */
  readonly locked: string | undefined
}

/** The blocks whose rows are shown. */
export const opened = signal<ReadonlySet<string>>(new Set())
/** The row that gets the focus as soon as it is shown. */
export const wantedRow = signal<string | undefined>(undefined)

export const nodes = computed(() => blocks.value.flatMap((block, at) => nodesOf(block, at)))

function nodesOf(block: Block, at: number): readonly OutlineNode[] {
  const type = typeOf.value(block.type)
  const rows = rowsIn(block.props, type?.fields)
  const locked = whyLocked(block.id)
  const shared = { block, locked }
  const own: OutlineNode = {
    ...shared,
    id: block.id,
    row: undefined,
    isPinned: type?.chrome === true || locked !== undefined,
    name: locked === undefined ? displayNameOf(block.type) : 'Block of the website',
    text: textIn(block.props, type?.fields),
    place: at + 1,
    count: blocks.value.length,
    rows: rows.length,
  }
  if (!opened.value.has(block.id)) return [own]
  const below = rows.map((row) => ({
    ...shared,
    id: `${block.id} ${row.list} ${row.key}`,
    row,
    isPinned: row.isFixed,
    name: '',
    text: row.text,
    place: row.index + 1,
    count: row.count,
    rows: 0,
  }))
  return [own, ...below]
}

export function setOpen(blockId: string, isOpen: boolean): void {
  const others = [...opened.value].filter((id) => id !== blockId)
  opened.value = new Set(isOpen ? [...others, blockId] : others)
}

/** The blocks of a page that a publish would add, change or move. */
function changedOn(diff: Diff | undefined, slug: string): ReadonlySet<string> {
  const page = diff?.pages.find((each) => each.slug === slug)
  return new Set(changedIn(page?.blockDiffs ?? [], isNamedOn(slug)).map(({ blockId }) => blockId))
}

export const changedBlocks = computed(() => changedOn(diff.value, slug.value))
/** The pages that a publish would add or change. */
export const changedPages = computed(
  () => new Set(diff.value?.pages.filter(({ status }) => status !== 'unchanged').map(({ slug }) => slug)),
)

/** The row that the keyboard reaches, and the one under the pointer. */
export const focused = signal<string | undefined>(undefined)
export const hasFocus = signal(false)
export const pointed = signal<string | undefined>(undefined)
export const tabStop = computed(() => {
  const ids = nodes.value.map(({ id }) => id)
  return [focused.value, selected.value?.blockId].find((id) => id !== undefined && ids.includes(id)) ?? ids[0]
})
