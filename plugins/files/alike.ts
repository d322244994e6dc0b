/** How the other objects and lists of a file are laid out, for those that get their first elements. */
import type { Span } from './ranges.ts'
import { isScalar, valueOf, type ListNode, type ObjectNode, type Spot, type ValueNode } from './value-tree.ts'

type Container = ListNode | ObjectNode

export const elementsOf = (node: Container): readonly (Span & { readonly value: ValueNode })[] =>
  node.kind === 'list' ? node.rows : node.members

/** The objects and lists of a tree that have elements, in their order. */
function filledIn(node: ValueNode): readonly Container[] {
  if (node.kind !== 'object' && node.kind !== 'list') return []
  const inner = elementsOf(node).flatMap(({ value }) => filledIn(value))
  return elementsOf(node).length > 0 ? [node, ...inner] : []
}

/** Objects are alike, and so are lists of scalars, and other lists. */
export const likenessOf = (value: unknown): 'object' | 'scalars' | 'rows' =>
  !Array.isArray(value) ? 'object' : value.every(isScalar) ? 'scalars' : 'rows'

/** The object or list around a place, and the nearest one like a value, in front of the place if there is one. */
export function othersOf(value: unknown, { tree, now }: Spot): { around?: Container; alike?: Container } {
  if (!tree || !now) return {}
  const others = filledIn(tree).filter(({ from }) => from !== now.from)
  const like = others.filter((each) => likenessOf(valueOf(each)) === likenessOf(value))
  const around = others.findLast(({ from, to }) => from < now.from && now.to <= to)
  const alike = like.findLast(({ from }) => from < now.from) ?? like[0]
  return { ...(around && { around }), ...(alike && { alike }) }
}
