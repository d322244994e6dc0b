import { parseFragment, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { isSign, withLists } from './pasted-lists.ts'

const dropped = new Set(['script', 'style', 'template', 'iframe', 'svg', 'math'])
const allowedAttributes = new Set(['href', 'data-href', 'data-pm-slice', 'start'])

/**
 * Markup as it was copied elsewhere, without what the editor does not read. The policy of this page lets nothing in it
 * run, but would report every handler and every style.
 */
export function withoutExtras(markup: string): string {
  const fragment = parseFragment(markup)
  fragment.childNodes = childrenOf(fragment)
  return serialize(fragment)
}

function childrenOf({ childNodes }: Tree.ParentNode): Tree.ChildNode[] {
  return withLists(childNodes).flatMap((child) => {
    if (child.nodeName === '#text') return [child]
    return 'tagName' in child && !dropped.has(child.tagName) && !isSign(child) ? [tidied(child)] : []
  })
}

function tidied(element: Tree.Element): Tree.Element {
  const { attrs, tagName } = element
  const style = attrs.find(({ name }) => name === 'style')?.value ?? ''
  // Some programs say with a style what is bold, and that a `b` is not.
  const isNormal = /font-weight\s*:\s*(?:normal|[1-5]00)/i.test(style)
  const marks = [
    ...(/font-weight\s*:\s*(?:bold|[6-9]00)/i.test(style) ? ['bold'] : []),
    ...(/font-style\s*:\s*italic/i.test(style) ? ['italic'] : []),
  ]
  return {
    ...element,
    tagName: tagName === 'b' && isNormal ? 'span' : tagName,
    attrs: [
      ...attrs.filter(({ name }) => allowedAttributes.has(name)),
      ...(marks.length > 0 ? [{ name: 'data-look', value: marks.join(' ') }] : []),
    ],
    childNodes: childrenOf(element),
  }
}
