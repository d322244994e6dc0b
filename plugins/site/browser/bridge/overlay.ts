import { contentOf } from '../page.ts'

/**
 * The layer above the page that holds the tools of the bridge, beside `body`, so that the page stays as it
 * is. Its boxes are outlines, which forced colours keep, unlike shadows.
 */

const styles = `
:host { position: fixed; inset: 0; z-index: 2147483647; pointer-events: none; font: 500 12px/1.2 system-ui, sans-serif }
.box { position: absolute; left: 0; top: 0; border-radius: .25em }
button:focus-visible, .outline { outline: .17em solid #2563eb }
.hover { outline: .09em solid #2563eb }
.field { outline: .09em solid #93c5fd }
.pulse { animation: pulse .6s }
.tag { position: absolute; left: 0; bottom: 100%; padding: .25em .5em; background: #2563eb; color: #fff; white-space: nowrap }
.inside .tag, .inside .tools { bottom: auto; top: 0 }
.tools { position: absolute; right: 0; bottom: 100%; display: flex; gap: .17em; padding: .17em; background: #fff; border: .09em solid #cbd5e1; border-radius: .33em }
.centre .tools { inset: .67em auto auto .67em }
.row .tools, .tools:not([data-at=""]) { inset: 0 0 auto auto }
.tools[data-at*=b] { top: auto; bottom: 0 }
.tools[data-at*=l] { right: auto; left: 0 }
button { all: unset; pointer-events: var(--hit, auto); cursor: pointer; min-width: 2em; height: 2em; padding: 0 .33em; box-sizing: border-box; align-content: center; text-align: center; color: #0f172a; border-radius: .25em }
@media (pointer: coarse) {
button { min-width: 3.67em; height: 3.67em }
.outline .tag { max-width: 9.5em; white-space: normal }
}
svg { width: 1.33em; height: 2em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
:is(.row:not(.pointed) .tools, .tools[data-at=none]):not(:has(:focus-visible)) { opacity: 0; --hit: none }
button:hover { background: #e2e8f0 }
button:disabled { opacity: .4; cursor: default }
button[data-editor-action=confirm] { background: #b91c1c; color: #fff }
.shimmer { background: linear-gradient(90deg, transparent, #2563eb33, transparent) 0 / 200% 100%; animation: shimmer .6s linear infinite }
.skeleton { outline: .09em dashed #2563eb }
@keyframes shimmer { to { background-position: -200% 0 } }
@keyframes pulse { from { background: #2563eb40 } }
@media (prefers-reduced-motion: reduce) { .box { animation: none } }
`

/** The font size of the tools, and the smallest scale of a page at which they still grow. */
const normalSize = 12
const smallestScale = 0.2

/** A part of the page, in the coordinates of the window. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A text of the page, and whether it is the selected one. */
interface Text {
  readonly area: DOMRect
  readonly isSelected: boolean
}

export interface Box {
  readonly element: HTMLElement
  readonly remove: () => void
}

/**
 * Opens the layer. Its boxes follow the areas that they mark when the page scrolls, changes or is resized.
 * Tools never cover the selected text among `texts`, and those of a row no other one if it has room for them.
 */
export function openOverlay(signal: AbortSignal, texts: () => readonly Text[]) {
  const host = document.createElement('editor-overlay')
  host.setAttribute('data-editor-widget-ignore', '')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]
  document.documentElement.append(host)

  const boxes = new Map<HTMLElement, () => Area | undefined>()
  let frame = 0
  let size = normalSize

  const place = (): void => {
    frame = 0
    const allTexts = texts()
    for (const [element, areaOf] of boxes) {
      const area = areaOf()
      element.hidden = area === undefined
      if (!area) continue
      element.style.transform = `translate(${area.left}px, ${area.top}px)`
      element.style.width = `${area.width}px`
      element.style.height = `${area.height}px`
      const bar = element.querySelector<HTMLElement>('.tools')
      element.classList.toggle('inside', area.top < (bar?.offsetHeight ?? 2.5 * size))
      if (bar)
        placeBar(bar, element.matches('.row') ? allTexts : allTexts.filter(({ isSelected }) => isSelected))
    }
  }
  const placeSoon = (): void => {
    frame ||= requestAnimationFrame(place)
  }

  // A text grows while it is typed.
  for (const type of ['scroll', 'resize', 'input'])
    window.addEventListener(type, placeSoon, { capture: true, passive: true, signal })
  signal.addEventListener('abort', () => host.remove())

  return {
    root,
    placeSoon,
    /** Adds a box over an area, which may come and go. */
    add(className: string, areaOf: () => Area | undefined, ...children: readonly HTMLElement[]): Box {
      const element = document.createElement('div')
      element.className = `box ${className}`
      element.append(...children)
      boxes.set(element, areaOf)
      root.append(element)
      placeSoon()
      return {
        element,
        remove() {
          boxes.delete(element)
          element.remove()
        },
      }
    },
    isOver: (event: Event): boolean => event.composedPath().includes(host),
    /** Draws the tools as large as they are where the page itself is drawn at its size. */
    setScale(factor: number) {
      size = normalSize / Math.min(1, Math.max(smallestScale, factor))
      host.style.fontSize = `${size}px`
      placeSoon()
    },
  }
}

export type Overlay = ReturnType<typeof openOverlay>

/** The usual place of tools, and the corners of what they are for. */
const places = ['', 'r', 'b', 'l', 'bl']
/** What covering the selected text counts, against one of the others. */
const selectedCost = 1000

/** Puts tools where they cover the least, or nowhere. */
function placeBar(bar: HTMLElement, texts: readonly Text[]): void {
  const costAt = (place: string): number => {
    bar.dataset['at'] = place
    const { left, top, right, bottom } = bar.getBoundingClientRect()
    const covered = texts.filter(
      ({ area }) => area.left < right && area.right > left && area.top < bottom && area.bottom > top,
    )
    return covered.reduce((sum, { isSelected }) => sum + (isSelected ? selectedCost : 1), 0)
  }
  const costs = texts.length > 0 ? places.map(costAt) : [0]
  const lowest = Math.min(...costs)
  bar.dataset['at'] = lowest < selectedCost ? places[costs.indexOf(lowest)] : 'none'
}

/** The area of an element, or of what is in it if it has no box itself; `undefined` once it left the page. */
export const areaOf = (element: Element | undefined): Area | undefined =>
  element?.isConnected
    ? (element.getClientRects()[0] ? element : contentOf(element)).getBoundingClientRect()
    : undefined

/** A line of text beside a box. */
export function tag(text: string): HTMLElement {
  const element = document.createElement('span')
  element.className = 'tag'
  element.textContent = text
  return element
}
