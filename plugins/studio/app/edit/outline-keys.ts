/** The keys of the outline. They act only while a row itself has the focus, never in a text. */
import { isComposing } from '../parts/composing.ts'
import { nodes, setOpen, type OutlineNode } from '../stores/outline.ts'
import { say } from '../stores/toast.ts'
import { removal } from '../stores/ui.ts'
import { slug, type Block } from '../stores/draft.ts'
import type { RowOfList } from '../stores/label.ts'
import { copyOf, isRow, valueAt, type ValuePlace } from '../stores/place.ts'
import { copy, edit, remove } from './intents.ts'
import { move, moveRow } from './order.ts'
import { storeRows } from './store-rows.ts'

export function focusRow(id: string | undefined): void {
  if (id !== undefined) document.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus()
}

/** The path of the fields of a row; `undefined` for the block itself. */
export const pathOf = ({ row }: OutlineNode): string | undefined => row && `${row.list}[${row.index}]`

const moveBy = (by: -1 | 1) => (node: OutlineNode) => {
  if (node.row) moveRow(node.block.id, node.row, by)
  else move(node.block.id, by)
}

function walk(by: -1 | 1) {
  return ({ id }: OutlineNode): void => {
    const at = nodes.value.findIndex((node) => node.id === id)
    focusRow(nodes.value[at + by]?.id)
  }
}

/** Asks before a block is deleted that cannot be read: it is not known what visitors see of it. */
export function askToErase(node: OutlineNode): void {
  const run = (): void => erase(node)
  removal.value = { what: 'this block', why: `${lockedIn(node)} The website may show something there.`, run }
}

const lockedIn = ({ locked }: OutlineNode): string => `The block cannot be read: ${locked}.`

/** Deletes a block or a row, and puts the focus on its neighbour. */
function erase(node: OutlineNode): void {
  const { id, block, row } = node
  const at = nodes.value.findIndex((node) => node.id === id)
  const after = nodes.value.slice(at + 1).find((node) => row !== undefined || node.row === undefined)
  focusRow((after ?? nodes.value[at - 1])?.id)
  if (!row) return void remove(block.id)
  void storeRows(listOf(block, row), { do: 'remove', key: row.key }, `${row.text} deleted`)
}

function duplicate({ block, row }: OutlineNode): void {
  if (!row) return void copy(block.id)
  const place = listOf(block, row)
  const source = valueAt(block.props, [row.list, row.key])
  if (!isRow(source)) return
  void storeRows(place, { do: 'add', row: copyOf(source), after: row.key }, `${row.text} copied`)
}

const listOf = ({ id }: Block, { list }: RowOfList): ValuePlace => ({
  slug: slug.value,
  blockId: id,
  path: [list],
})

export const actions = {
  edit: (node: OutlineNode) => edit(node.block.id, pathOf(node), node.row?.key),
  up: moveBy(-1),
  down: moveBy(1),
  duplicate,
  erase,
} as const

const structural: ReadonlySet<unknown> = new Set([actions.up, actions.down, duplicate, erase])

function actionOf({
  key,
  altKey,
  ctrlKey,
  metaKey,
}: KeyboardEvent): ((node: OutlineNode) => void) | undefined {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'd' ? actions.duplicate : undefined
  if (altKey) return { ArrowUp: actions.up, ArrowDown: actions.down }[key]
  return {
    ArrowUp: walk(-1),
    ArrowDown: walk(1),
    Home: () => focusRow(nodes.value[0]?.id),
    End: () => focusRow(nodes.value.at(-1)?.id),
    ArrowRight: ({ block }: OutlineNode) => setOpen(block.id, true),
    ArrowLeft({ block, row }: OutlineNode) {
      if (row) focusRow(block.id)
      setOpen(block.id, false)
    },
    Enter: actions.edit,
    Backspace: actions.erase,
    Delete: actions.erase,
  }[key]
}

/** Carries out a key on a row; returns whether it was one of the outline. */
export function actOn(event: KeyboardEvent, id: string | undefined): boolean {
  const node = nodes.value.find((each) => each.id === id)
  const action = isComposing(event) ? undefined : actionOf(event)
  if (!node || !action) return false
  event.preventDefault()
  event.stopPropagation()
  if (node.locked !== undefined && action === actions.erase) askToErase(node)
  else if (node.locked !== undefined && action === actions.edit)
    say(`${lockedIn(node)} Correct it on the website.`)
  else if (node.isPinned && structural.has(action)) say(`${node.name || node.text} stays where it is.`)
  else action(node)
  return true
}
