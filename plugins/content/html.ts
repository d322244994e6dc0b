import { createRequire } from 'node:module'
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { allowedAttribute, isAllowed, isDropped } from './html-rules.ts'

/** Loaded with the first markup: most processes never clean any, and a start should not wait for a parser. */
const parse5 = () => createRequire(import.meta.url)('parse5') as typeof import('parse5')

/** More tags, or tags nested deeper, are no longer content, and the parser would take seconds over them. */
const mostTags = 5_000
const deepest = 100

/**
 * Keeps of a piece of markup what content needs, and nothing that could run or restyle the page around it.
 *
 * Elements that are not on the list give way to what they contain; scripts, styles, frames, forms and
 * drawings go with their contents. Attributes and addresses are taken from lists as well. Markup with more
 * than 5,000 tags comes back as plain text, and elements nested more than 100 deep are lost.
 */
export function sanitiseHtml(markup: string): string {
  if (!markup.includes('<')) return markup
  if (markup.split('<', mostTags + 2).length > mostTags + 1) return markup.replaceAll('<', '&lt;')
  const { parseFragment, serialize } = parse5()
  const fragment = parseFragment(markup)
  fragment.childNodes = cleaned(fragment.childNodes, fragment, 0)
  return serialize(fragment)
}

function cleaned(nodes: readonly Tree.ChildNode[], parent: Tree.ParentNode, depth: number): Tree.ChildNode[] {
  if (depth > deepest) return []
  return nodes.flatMap((node): Tree.ChildNode[] => {
    if (node.nodeName === '#text') return [Object.assign(node, { parentNode: parent })]
    if (!isElement(node) || isDropped(node.tagName, node.namespaceURI)) return []
    if (!isAllowed(node.tagName)) return cleaned(node.childNodes, parent, depth + 1)
    node.attrs = node.attrs.filter((attribute) => allowedAttribute(node.tagName, attribute))
    node.childNodes = cleaned(node.childNodes, node, depth + 1)
    node.parentNode = parent
    return [node]
  })
}

const isElement = (node: Tree.ChildNode): node is Tree.Element => 'tagName' in node

/** More of a page than this is not read: a parser would hold up everything else. */
const mostMarkup = 1024 * 1024

/** Parses the document of another website; of one that is longer than a megabyte, its beginning. Its elements are data and nothing else. */
export function parseDocument(markup: string): Tree.Document {
  return parse5().parse(markup.slice(0, mostMarkup))
}
