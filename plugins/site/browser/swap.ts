/** Renders a newer version of a page into the shown document, and leaves alone what did not change. */
import { blockAround, editingClass, findBlock, idOf, rowMarks, selectedClass, unmark } from './page.ts'

const bridgeClasses = [selectedClass, editingClass]

/**
 * Shows the body, title and styles of another document. Blocks are matched by id: unchanged ones stay the
 * same elements, also when they move. The scroll position stays relative to the first visible block; the
 * focus and what was opened return. `held` is a block that stays as it is, where it is; if the other document
 * lacks it, nothing is shown.
 */
export function swap(next: Document, held: Element | undefined): void {
  if (held && !findBlock(idOf(held), next)) return
  const anchor = firstVisibleBlock()
  const before = anchor?.getBoundingClientRect().top ?? 0
  const restoreFocus = rememberFocus()
  document.title = next.title
  renewStyles(next)
  reconcile(document.body, next.body, held)
  restoreFocus()
  const shown = anchor && findBlock(idOf(anchor))
  const top = (shown?.getBoundingClientRect().top ?? before) - before
  // Even a scroll by nothing ends one that is under way.
  if (top) window.scrollBy({ top, behavior: 'instant' })
}

const firstVisibleBlock = (): Element | undefined =>
  [...document.querySelectorAll('main [data-block-id]')].find(
    (block) => block.getBoundingClientRect().bottom > 0,
  )

function renewStyles(next: Document): void {
  const styles = [...document.head.querySelectorAll('style')]
  const newer = [...next.head.querySelectorAll('style')]
  for (const [at, style] of styles.entries()) {
    const replacement = newer[at]
    if (replacement && replacement.textContent !== style.textContent) style.replaceWith(replacement)
  }
}

/** Makes the children of an element those of another, keeping every child that has the same content. */
function reconcile(parent: Element, next: Element, held: Element | undefined): void {
  const byContent = new Map<string, Element[]>()
  for (const child of parent.children)
    byContent.set(elementKey(child), [...(byContent.get(elementKey(child)) ?? []), child])
  const wanted = [...next.childNodes].flatMap((child) => {
    if (!(child instanceof Element)) return [child]
    const shown = byContent.get(elementKey(child))?.shift()
    // The script of the page runs already.
    if (child.localName === 'script') return shown ? [shown] : []
    if (!shown) return [child]
    if (shown === held) return [shown]
    if (holdsBlocks(child) && holdsBlocks(shown)) {
      copyAttributes(child, shown)
      reconcile(shown, child, held)
      return [shown]
    }
    keepOpen(shown, child)
    return [isSame(shown, child) ? shown : child]
  })
  arrange(parent, wanted, held)
}

/** Whether blocks are somewhere inside an element, such as `main` or the root of a framework. */
const holdsBlocks = (element: Element): boolean =>
  idOf(element) === '' && element.querySelector('[data-block-id]') !== null

const elementKey = (element: Element): string => idOf(element) || `<${element.localName}>`

/**
 * Puts the children of an element in order. What is in its place stays, with its focus, its frames and its
 * scroll position; `held` stays in any case, and the others move around it.
 */
function arrange(parent: Element, wanted: readonly Node[], held: Element | undefined): void {
  const retained = new Set(wanted)
  for (const child of Array.from(parent.childNodes)) if (!retained.has(child)) child.remove()
  let cursor = parent.firstChild
  for (const node of wanted) {
    // What is before the held one, and comes after it, goes to the end first.
    if (node === held)
      while (cursor && cursor !== held) {
        const before: Node = cursor
        cursor = before.nextSibling
        parent.append(before)
      }
    if (node === cursor) cursor = cursor.nextSibling
    else parent.insertBefore(node, cursor)
  }
}

function copyAttributes(from: Element, to: Element): void {
  for (const { name, value } of from.attributes)
    if (to.getAttribute(name) !== value) to.setAttribute(name, value)
}

/** Opens in a new element what the person had opened in the shown one. */
function keepOpen(shown: Element, next: Element): void {
  const opened = shown.querySelectorAll('details')
  for (const [at, details] of next.querySelectorAll('details').entries()) {
    const before = opened[at]
    if (before) details.open = before.open
  }
}

function isSame(shown: Element, next: Element): boolean {
  const marked = rowMarks.map((name) => `[${name}]`).concat(bridgeClasses.map((name) => `.${name}`))
  if (!shown.matches(marked.join()) && !shown.querySelector(marked.join())) return shown.isEqualNode(next)
  const clean = shown.cloneNode(true) as Element
  for (const element of [clean, ...clean.querySelectorAll(marked.join())]) {
    for (const name of rowMarks) element.removeAttribute(name)
    unmark(element, ...bridgeClasses)
  }
  return clean.isEqualNode(next)
}

/** Returns a function that focuses the same element of the same block again, if it was replaced. */
function rememberFocus(): () => void {
  const { activeElement } = document
  const block = activeElement && blockAround(activeElement)
  if (!block) return () => undefined
  const at = [...block.querySelectorAll('*')].indexOf(activeElement)
  return () => {
    if (activeElement.isConnected) return
    const element = findBlock(idOf(block))?.querySelectorAll('*')[at]
    if (element instanceof HTMLElement && element.localName === activeElement.localName)
      element.focus({ preventScroll: true })
  }
}
