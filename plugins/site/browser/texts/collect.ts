/** The visible texts of a page, with the elements that show them. */

/** A text of an element, with its inline elements, and without the blocks in it. */
export interface VisibleText {
  readonly element: HTMLElement
  readonly nodes: readonly Text[]
  readonly text: string
  /** The index of the text that it is a part of, else -1. */
  readonly parent: number
}

const mostTexts = 5000
const mostCharacters = 20_000
/** What a report has at most, in characters. */
const mostInAll = 500_000

const leftOut =
  'script, style, noscript, template, textarea, select, svg, [aria-hidden=true], .sr-only, .visually-hidden, ' +
  'a.header-anchor, a.hash-link, [data-footnote-ref], [role=doc-noteref], .footnote-ref, ' +
  '[data-editor-widget-ignore], vite-error-overlay, nextjs-portal'

/** Collects the visible texts in their order; parts of a text follow it. */
export function visibleTexts(): readonly VisibleText[] {
  const styles = new Map<Element, boolean>()
  const isInline = (element: Element): boolean => {
    const known = styles.get(element) ?? /^(?:inline|contents|ruby)/.test(getComputedStyle(element).display)
    styles.set(element, known)
    return known
  }
  const containers = new Map<Element, Text[]>()
  const walker = document.createTreeWalker(
    document.body,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) =>
      node instanceof Element && node.matches(leftOut) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  while (walker.nextNode()) {
    const node = walker.currentNode
    if (!(node instanceof Text) || !node.parentElement) continue
    let container = node.parentElement
    while (container !== document.body && container.parentElement && isInline(container))
      container = container.parentElement
    const nodes = containers.get(container)
    if (nodes) nodes.push(node)
    else if (node.data.trim() !== '') containers.set(container, [node])
  }
  const texts: VisibleText[] = []
  let left = mostInAll
  const add = (nodes: readonly Text[], parent: number): void => {
    const words = nodes.filter(({ data }) => data.trim() !== '')
    const element = words[0] && commonElement(words)
    if (!(element instanceof HTMLElement) || texts.length >= mostTexts) return
    const text = textOf(element, nodes).slice(0, mostCharacters)
    left -= text.length
    const isText = /[\p{L}\p{N}]/u.test(text) && left > 0 && (parent !== -1 || isVisible(words))
    const index = isText ? texts.push({ element, nodes, text, parent }) - 1 : parent
    // Each inline element in it is a text of its own.
    const inside = Map.groupBy(words, (node) => childOf(element, node))
    for (const [child, own] of inside) if (child && inside.size > 1) add(own, index)
  }
  for (const nodes of containers.values()) add(nodes, -1)
  return texts
}

/** The child element of an element that contains a node; `undefined` for its own text. */
function childOf(element: Element, node: Text): Element | undefined {
  let child: Node = node
  while (child.parentNode && child.parentNode !== element) child = child.parentNode
  return child instanceof Element ? child : undefined
}

function commonElement(nodes: readonly Text[]): Element | null {
  let element = nodes[0]?.parentElement ?? null
  while (element && !nodes.every((node) => element?.contains(node))) element = element.parentElement
  return element
}

/** Elements without a box of their own, such as those with `display: contents`, have that of their text. */
function isVisible(words: readonly Text[]): boolean {
  const range = document.createRange()
  return words.some((node) => {
    range.selectNodeContents(node)
    return (
      range.getClientRects().length > 0 &&
      node.parentElement !== null &&
      getComputedStyle(node.parentElement).visibility === 'visible'
    )
  })
}

/** The text of nodes of an element; breaks between them are line ends. */
export function textOf(element: Element, nodes: readonly Text[]): string {
  const breaks = [...element.querySelectorAll('br')]
  if (breaks.length === 0) return nodes.map(({ data }) => data).join('')
  return nodes
    .map((node) => {
      const isBehind =
        breaks[0] && (node.compareDocumentPosition(breaks[0]) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
      if (isBehind) breaks.shift()
      return isBehind ? `\n${node.data}` : node.data
    })
    .join('')
}

export const picturesOnPage = (): readonly HTMLImageElement[] =>
  [...document.images].filter((image) => image.getAttribute('src') && image.getClientRects().length > 0)

export const linksOnPage = (): readonly HTMLAnchorElement[] => [
  ...document.querySelectorAll<HTMLAnchorElement>('a[href]:not(.header-anchor, .hash-link)'),
]
