/** Drags an element among its siblings by the pointer. Each place that it reaches has a key or a button as well. */

const thresholdPx = 4
const edgePx = 28
const scrollPx = 9

interface DragOptions {
  readonly event: PointerEvent
  readonly element: HTMLElement
  /** All siblings in their order, `element` among them. */
  readonly siblings: () => readonly HTMLElement[]
  /** Called once the element moves. */
  readonly onStart: () => void
  /** Called with the new position among the siblings, or with `undefined` if it stays where it is. */
  readonly onEnd: (position: number | undefined) => void
}

/** Follows the pointer until it is released; Escape and a lost pointer leave everything as it was. */
export function startDrag({ event, element, siblings, onStart, onEnd }: DragOptions): void {
  const startY = event.clientY
  const scroller = scrollerOf(element)
  let isMoving = false
  let y = startY
  let position: number | undefined
  let frame = 0

  const begin = (): void => {
    isMoving = true
    element.setPointerCapture(event.pointerId)
    element.dataset['dragging'] = ''
    onStart()
    follow()
  }
  const follow = (): void => {
    const { top, bottom } = scroller.getBoundingClientRect()
    if (y < top + edgePx) scroller.scrollTop -= scrollPx
    else if (y > bottom - edgePx) scroller.scrollTop += scrollPx
    mark()
    frame = requestAnimationFrame(follow)
  }
  /** Shows the place where the element would be. */
  const mark = (): void => {
    const all = siblings()
    const from = all.indexOf(element)
    const gap = gapAt(
      y,
      all.map((each) => each.getBoundingClientRect()),
    )
    const to = gap > from ? gap - 1 : gap
    position = from === -1 || to === from ? undefined : to
    unmark(all)
    if (position === undefined) return
    if (gap < all.length) all[gap]?.setAttribute('data-drop', 'before')
    else all.at(-1)?.setAttribute('data-drop', 'after')
  }
  const move = (moved: PointerEvent): void => {
    if (moved.pointerId !== event.pointerId) return
    y = moved.clientY
    if (!isMoving && Math.abs(y - startY) > thresholdPx) begin()
  }
  const end = (dropped: boolean): void => {
    cancelAnimationFrame(frame)
    for (const [type, listener] of listeners)
      window.removeEventListener(type, listener as EventListener, true)
    if (!isMoving) return
    unmark(siblings())
    delete element.dataset['dragging']
    if (dropped) holdClick()
    onEnd(dropped ? position : undefined)
  }
  const key = (pressed: KeyboardEvent): void => {
    if (pressed.key !== 'Escape' || !isMoving) return
    pressed.preventDefault()
    pressed.stopPropagation()
    end(false)
  }
  const listeners = [
    ['pointermove', move],
    ['pointerup', () => end(true)],
    ['pointercancel', () => end(false)],
    ['keydown', key],
  ] as const
  for (const [type, listener] of listeners) window.addEventListener(type, listener as EventListener, true)
}

/** The gap that is nearest to a height: 0 is above the first area, the number of areas is below the last one. */
export function gapAt(
  y: number,
  areas: readonly { readonly top: number; readonly height: number }[],
): number {
  return areas.filter(({ top, height }) => y > top + height / 2).length
}

function unmark(elements: readonly HTMLElement[]): void {
  for (const each of elements) each.removeAttribute('data-drop')
}

/** Keeps the click that ends a drag from selecting what is under the pointer. */
function holdClick(): void {
  const hold = (event: Event): void => event.stopPropagation()
  window.addEventListener('click', hold, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', hold, true))
}

function scrollerOf(element: HTMLElement): Element {
  for (let each = element.parentElement; each; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight && getComputedStyle(each).overflowY !== 'visible') return each
  return document.documentElement
}
