import {
  blockAround,
  fieldAround,
  findBlock,
  findField,
  idOf,
  isChrome,
  pathOf,
  pictureOf,
  selectedClass,
  slugOf,
  storedPath,
  typeOf,
} from '../page.ts'

export interface Selected {
  readonly blockId: string
  /** The path of the selected field; `undefined` if the block itself is selected. */
  readonly path: string | undefined
}

interface SelectionOptions {
  /** Called after the person selected something, or cleared the selection. */
  readonly onClick: (selected: Selected | undefined) => void
  /** Whether another click on what is selected keeps it selected; editors without a nonce expect that it clears it. */
  readonly keepsSelection: () => boolean
  /** Called for such a click. */
  readonly onAgain: (event: MouseEvent) => unknown
  /** Called after every change, also one by the editor. */
  readonly onChange: () => void
  /** Whether an event belongs to the tools, or to a text that is being edited. */
  readonly isOurs: (event: Event) => boolean
  readonly signal: AbortSignal
}

/**
 * The selected block and field of the page. While the mode is on, a click selects instead of doing what the page
 * would: it selects a block and its field, another field of the same block, or what is selected already.
 */
export function createSelection({
  onClick,
  keepsSelection,
  onAgain,
  onChange,
  isOurs,
  signal,
}: SelectionOptions) {
  let isOn = false
  let selected: Selected | undefined

  const mark = (): void => {
    for (const block of document.querySelectorAll(`.${selectedClass}`)) block.classList.remove(selectedClass)
    if (selected) findBlock(selected.blockId)?.classList.add(selectedClass)
    onChange()
  }
  const set = (next: Selected | undefined): void => {
    selected = next
    mark()
  }

  const click = (event: MouseEvent): void => {
    if (!isOn || isOurs(event) || !(event.target instanceof Element)) return
    if (event.target.closest('[data-editor-widget-ignore]')) return
    const block = blockAround(event.target)
    if (!block || !isChrome(block)) hold(event)
    // The second click of a double click would clear what the first one selected.
    if (event.detail > 1 && !keepsSelection()) return
    const field = block && fieldAround(event.target, block)
    const next = block && { blockId: idOf(block), path: field && pathOf(field) }
    const isRepeated = selected?.blockId === next?.blockId
    const isSame = isRepeated && next?.path === selected?.path
    if (!selected && !next) return
    if (isSame && keepsSelection()) return void onAgain(event)
    const clears = isRepeated && !keepsSelection() && (isSame || next?.path === undefined)
    set(clears ? undefined : next)
    onClick(selected)
  }
  document.addEventListener('click', click, { capture: true, signal })

  const turn = (on: boolean): void => {
    isOn = on
    document.documentElement.toggleAttribute('data-editor-selection-mode', on)
    onChange()
  }
  signal.addEventListener('abort', () => {
    turn(false)
    set(undefined)
  })

  return {
    get: (): Selected | undefined => selected,
    set,
    /** Marks the selected block again, after the page was rendered. */
    mark,
    isOn: () => isOn,
    turn,
  }
}

export type Selection = ReturnType<typeof createSelection>

/** Keeps an event from the page; a summary still opens and closes. */
function hold(event: Event): void {
  const isSummary = event.target instanceof Element && event.target.closest('summary') !== null
  if (!isSummary) event.preventDefault()
  event.stopPropagation()
}

/** The payload of `blockClicked`. */
export function describeSelected(selected: Selected | undefined) {
  const block = selected && findBlock(selected.blockId)
  if (!block)
    return { blockId: null, blockType: null, editablePath: null, editableValue: null, anchorRect: null }
  const field = findField(block, selected.path)
  const shown = (slugOf(block) !== undefined && field && blockAround(field)) || block
  const { left, top, width, height } = shown.getBoundingClientRect()
  const picture = field && pictureOf(field)
  return {
    blockId: selected.blockId,
    blockType: typeOf(block),
    editablePath: selected.path === undefined ? null : storedPath(selected.path),
    editableValue: picture ? picture.currentSrc || picture.src : null,
    anchorRect: { left, top, width, height },
  }
}
