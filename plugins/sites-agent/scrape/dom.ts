import type { DefaultTreeAdapterTypes as Tree } from 'parse5'

export type Element = Tree.Element
export type Node = Tree.ChildNode

/** The most elements of a page that are looked at, and how deep. */
const mostNodes = 50_000
const deepest = 200

const silent: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe'])

export const isElement = (node: Tree.Node): node is Element => 'tagName' in node

export const children = (node: Tree.ParentNode): readonly Element[] => node.childNodes.filter(isElement)

export const attribute = (element: Element, name: string): string | undefined => element.attrs.find((each) => each.name === name)?.value

/** Every element below a node in the order of the document, without what shows nothing. */
export function elementsBelow(root: Tree.ParentNode): readonly Element[] {
  const found: Element[] = []
  const waiting: { readonly node: Element; readonly depth: number }[] = children(root).toReversed().map((node) => ({ node, depth: 1 }))
  for (let next = waiting.pop(); next && found.length < mostNodes; next = waiting.pop()) {
    if (silent.has(next.node.tagName)) continue
    found.push(next.node)
    const { depth } = next
    if (depth < deepest) waiting.push(...children(next.node).toReversed().map((node) => ({ node, depth: depth + 1 })))
  }
  return found
}

/** The words of an element, with single blanks; at most so many characters. */
export function textOf(root: Tree.ParentNode, most = 2_000): string {
  const parts: string[] = []
  let length = 0
  const waiting: Node[] = root.childNodes.toReversed()
  for (let node = waiting.pop(); node && length < most; node = waiting.pop()) {
    if (node.nodeName === '#text' && 'value' in node) {
      parts.push(node.value)
      length += node.value.length
    } else if (isElement(node) && !silent.has(node.tagName)) {
      waiting.push(...node.childNodes.toReversed())
      // Words of neighbouring elements do not run together.
      parts.push(' ')
    }
  }
  return parts.join('').replaceAll(/\s+/g, ' ').trim().slice(0, most)
}
