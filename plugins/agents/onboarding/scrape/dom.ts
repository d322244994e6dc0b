import type { DefaultTreeAdapterTypes as Tree } from 'parse5'

export type Element = Tree.Element
type Node = Tree.ChildNode

/** The limits of a page's elements. */
const mostNodes = 50_000
const deepest = 200

const silent: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe'])

export const isElement = (node: Tree.Node): node is Element => 'tagName' in node

export const children = (node: Tree.ParentNode): readonly Element[] => node.childNodes.filter(isElement)

export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value

/** Returns all visible elements below a node, in document order. */
export function elementsBelow(root: Tree.ParentNode): readonly Element[] {
  const found: Element[] = []
  const waiting: { readonly node: Element; readonly depth: number }[] = children(root)
    .toReversed()
    .map((node) => ({ node, depth: 1 }))
  for (let next = waiting.pop(); next && found.length < mostNodes; next = waiting.pop()) {
    if (silent.has(next.node.tagName)) continue
    found.push(next.node)
    const { depth } = next
    if (depth < deepest)
      waiting.push(
        ...children(next.node)
          .toReversed()
          .map((node) => ({ node, depth: depth + 1 })),
      )
  }
  return found
}

/** Returns the text of an element with single spaces, cut to `most` characters. */
export function visibleText(root: Tree.ParentNode, most = 2_000): string {
  const parts: string[] = []
  let length = 0
  const waiting: Node[] = root.childNodes.toReversed()
  for (let node = waiting.pop(); node && length < most; node = waiting.pop()) {
    if (node.nodeName === '#text' && 'value' in node) {
      parts.push(node.value)
      length += node.value.length
    } else if (isElement(node) && !silent.has(node.tagName)) {
      waiting.push(...node.childNodes.toReversed())
      // Separates the words of neighbouring elements.
      parts.push(' ')
    }
  }
  return parts.join('').replaceAll(/\s+/g, ' ').trim().slice(0, most)
}
