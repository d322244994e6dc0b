import { toBar, toTool, type Tool } from './bar.ts'
import { areaOf, tag, type Area, type Box, type Overlay } from './overlay.ts'
import {
  blockAround,
  fieldsOf,
  findBlock,
  findField,
  idOf,
  isFixed,
  isInline,
  isInPanel,
  orderedBlocks,
  pathOf,
  pictureOf,
  rowMarks,
  rowsOf,
  slugOf,
  storedPath,
  typeOf,
  type Row,
} from '../page.ts'
import type { Selection } from './selection.ts'

interface ToolsOptions {
  readonly overlay: Overlay
  readonly selection: Selection
  readonly send: (type: string, payload: Readonly<Record<string, unknown>>) => void
  /** Whether a deletion is confirmed in the page; an editor with an undo of its own needs none. */
  readonly confirms: () => boolean
  readonly signal: AbortSignal
}

/** The tools of the selected block, its rows and its pictures; every tool sends a request to the editor. */
export function createTools({ overlay, selection, send, confirms, signal }: ToolsOptions) {
  let boxes: readonly Box[] = []
  let isStructural = true
  let names: Readonly<Record<string, string>> = {}
  let drawn = ''
  /** Where the selected block stood on the screen before it moved: it stays there, and the page passes by. */
  let anchor: Area | undefined
  /** What the pointer is on, or what it was on before it came to the tools. */
  let pointed: EventTarget | null = null
  const point = (event: Event): void => {
    if (confirms() || overlay.isOver(event)) return
    pointed = event.target
    overlay.placeSoon()
  }
  document.addEventListener('pointerover', point, { passive: true, signal })
  const bar = (tools: readonly Tool[]): HTMLElement => toBar(tools, confirms)

  const redraw = (): void => {
    const selected = selection.get()
    const block = selected && findBlock(selected.blockId)
    const pictures = selection.isOn() ? orderedBlocks().flatMap((each) => picturesOf(each)) : []
    const rows = block && isStructural && !isFixed(block) ? rowsOf(block) : []
    markRows(block, rows)
    const label = block && labelOf(block, selected.path)
    const next = JSON.stringify([
      selected,
      label,
      selection.isOn(),
      isStructural,
      orderedBlocks().map(idOf),
      rows.map(({ list, index }) => [list, index]),
      pictures.map(({ blockId, path }) => [blockId, path]),
    ])
    // Buttons stay the same elements, with their focus and their question, until the tools really differ.
    if (next === drawn) return overlay.placeSoon()
    drawn = next
    if (block && anchor)
      window.scrollBy({ top: block.getBoundingClientRect().top - anchor.top, behavior: 'instant' })
    anchor = undefined
    boxes.forEach((box) => box.remove())
    boxes = [
      ...pictures.map(({ blockId, path }) => pictureBox(blockId, path)),
      ...(block ? [blockBox(block, tag(label ?? ''))] : []),
      ...(block ? rows.map((row) => rowBox(block, row, rows)) : []),
    ]
  }

  /** What is selected, in the words of the editor, and how a text is edited. */
  const labelOf = (block: Element, path: string | undefined): string => {
    const type = typeOf(block)
    const name = names[type] ?? type
    if (path === undefined) return name
    const stored = storedPath(path)
    const field = findField(block, path)
    const isWaiting = !confirms() && selection.isOn() && field && !field.isContentEditable
    const hint = isWaiting ? hintAt(field) : ''
    return `${name} · ${names[`${type}.${stored.replace(/\[\d+\]/g, '')}`] ?? stored}${hint}`
  }

  const blockBox = (block: Element, label: HTMLElement): Box => {
    const [blockId, blockType] = [idOf(block), typeOf(block)]
    const area = () => {
      const shown = findBlock(blockId)
      const field = shown && slugOf(shown) !== undefined && findField(shown, selection.get()?.path)
      return areaOf((field && blockAround(field)) || shown)
    }
    if (!isStructural || isFixed(block)) return overlay.add('outline', area, label)
    const order = orderedBlocks(block).map(idOf)
    const at = order.indexOf(blockId)
    const remove = (): void => send('blockDeleteRequested', { blockId, blockType })
    const tools = [
      toTool('move-up', 'Move this block up', 'up', () => moveBlock(blockId, -1), { isDisabled: at <= 0 }),
      toTool('move-down', 'Move this block down', 'down', () => moveBlock(blockId, 1), {
        isDisabled: at === order.length - 1,
      }),
      toTool('add-above', 'Add a block above', 'addAbove', () => add(blockId, 'above')),
      toTool('add-below', 'Add a block below', 'addBelow', () => add(blockId, 'below')),
      toTool('delete', 'Delete this block', 'bin', remove, { confirmMs: 4000 }),
    ]
    return overlay.add('outline', area, label, bar(tools))
  }

  /** Asks for a block to move over its neighbour; nothing at the end of the page. */
  const moveBlock = (blockId: string, by: -1 | 1): void => {
    const order = orderedBlocks(findBlock(blockId)).map(idOf)
    const at = order.indexOf(blockId)
    if (at === -1 || order[at + by] === undefined) return
    anchor = confirms() ? undefined : areaOf(findBlock(blockId))
    send('blockReordered', { blockId, afterBlockId: order[by === 1 ? at + 1 : at - 2] ?? null })
  }

  const add = (blockId: string, side: 'above' | 'below'): void => {
    const order = orderedBlocks(findBlock(blockId)).map(idOf)
    const before = order[order.indexOf(blockId) - 1]
    const anchors =
      side === 'below'
        ? { afterBlockId: blockId }
        : { beforeBlockId: blockId, ...(before !== undefined && { afterBlockId: before }) }
    send('blockAddRequested', anchors)
  }

  const rowBox = (block: Element, { list: listKey, index }: Row, rows: readonly Row[]): Box => {
    const blockId = idOf(block)
    const of = { blockId, blockType: typeOf(block), listKey }
    const last = Math.max(...rows.filter(({ list }) => list === listKey).map((row) => row.index))
    const data = { list: listKey, row: String(index) }
    const move = (afterIndex: number): void =>
      send('listItemMoveRequested', { ...of, index, ...(afterIndex >= 0 && { afterIndex }) })
    const remove = (): void => send('listItemRemoveRequested', { ...of, index })
    const addBelow = (): void => send('listItemAddRequested', { ...of, afterIndex: last })
    const tools = [
      toTool('row-move-up', 'Move this row up', 'up', () => move(index - 2), {
        data,
        isDisabled: index === 0,
      }),
      // The anchor is an index of the list without the row.
      toTool('row-move-down', 'Move this row down', 'down', () => move(index), {
        data,
        isDisabled: index === last,
      }),
      toTool('row-delete', 'Delete this row', 'bin', remove, {
        data,
        isDisabled: last === 0,
        confirmMs: 3500,
      }),
      ...(index === last ? [toTool('row-add', 'Add a row below', 'add', addBelow, { data })] : []),
    ]
    const area = () => {
      const current = findBlock(blockId)
      const row = current && rowsOf(current).find((each) => each.list === listKey && each.index === index)
      const isSelected = selection.get()?.path?.startsWith(`${listKey}[${index}]`) === true
      const isPointed = pointed instanceof Node && row?.root.contains(pointed) === true
      box.element.classList.toggle('pointed', isSelected || isPointed)
      return areaOf(row?.root)
    }
    const box = overlay.add(confirms() ? 'field' : 'field row', area, bar(tools))
    return box
  }

  const pictureBox = (blockId: string, path: string): Box => {
    const found = () => findField(findBlock(blockId), path)
    const pictureAt = () => {
      const field = found()
      return field && pictureOf(field)
    }
    const run = (): void => openField(blockId, path, found())
    const tool = { action: 'image', label: 'Change image', text: 'Image', data: { path }, run }
    return overlay.add('centre', () => areaOf(pictureAt()), bar([tool]))
  }

  /** Opens a picture, or a field that the editor has in its panel. */
  const openField = (blockId: string, path: string, field: HTMLElement | undefined): void => {
    const block = field && blockAround(field)
    if (!block) return
    const currentUrl = pictureOf(field)?.getAttribute('src') ?? undefined
    send(isInPanel(field) ? 'editBlockRequested' : 'openImagePicker', {
      blockId,
      blockType: typeOf(block),
      editablePath: storedPath(path),
      ...(currentUrl !== undefined && { currentUrl }),
    })
  }

  return {
    redraw,
    /** Opens the selected field if it is not typed in the page; returns whether it does. */
    openSelected(): boolean {
      const { blockId = '', path = '' } = selection.get() ?? {}
      const field = findField(findBlock(blockId), path)
      if (!field || confirms()) return false
      const isOpened = pictureOf(field) !== undefined || isInPanel(field)
      if (isOpened) openField(blockId, path, field)
      return isOpened
    },
    moveSelected(by: -1 | 1) {
      const selected = selection.get()
      const block = selected && findBlock(selected.blockId)
      if (block && isStructural && !isFixed(block)) moveBlock(idOf(block), by)
    },
    /** Takes what the editor calls types and fields, by `Type` and `Type.list.field`. */
    rename(next: typeof names) {
      names = next
      redraw()
    },
    allowStructure(allowed: boolean) {
      isStructural = allowed
      redraw()
    },
  }
}

/** How a field is edited. */
function hintAt(field: HTMLElement): string {
  if (isInline(field)) return ' – click again to type'
  if (pictureOf(field)) return ' – click again to change'
  return isInPanel(field) ? ' – click again to edit in the panel' : ''
}

/** The pictures of a block that can be exchanged. */
const picturesOf = (block: Element) =>
  fieldsOf(block)
    .filter(pictureOf)
    .map((field) => ({ blockId: idOf(block), path: pathOf(field) }))

const [listMark, indexMark] = rowMarks

function markRows(block: Element | undefined, rows: readonly Row[]): void {
  const roots = new Map<Element, Row>(rows.map((row) => [row.root, row]))
  for (const marked of document.querySelectorAll(`[${listMark}]`)) {
    if (roots.has(marked) && block?.contains(marked)) continue
    marked.removeAttribute(listMark)
    marked.removeAttribute(indexMark)
  }
  for (const [root, { list, index }] of roots) {
    if (root.getAttribute(listMark) === list && root.getAttribute(indexMark) === String(index)) continue
    root.setAttribute(listMark, list)
    root.setAttribute(indexMark, String(index))
  }
}
