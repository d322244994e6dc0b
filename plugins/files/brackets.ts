/** Objects and lists that get their first elements or lose their last ones, and the comments that are there. */
import { columnOf, lineEndOf, marginAt, startOfLine, stepOf, type Span, type Splice } from './ranges.ts'
import type { ListNode, ObjectNode } from './value-tree.ts'

/** The comment between brackets that have no elements. */
const commentIn = ({ from, to }: Span, text: string): string => text.slice(from + 1, to - 1).trimEnd()

/** What is in front of the first element behind a comment: what that has on its own line, else a step more. */
export function marginInside(node: Span, text: string): string {
  const at = node.from + 1 + commentIn(node, text).length
  const isBelow = startOfLine(text, at) > node.from
  return isBelow ? marginAt(text, at) : marginAt(text, node.from) + (stepOf(text) || '  ')
}

/** Writes the first elements behind a comment, on lines of their own. */
export function withFirst(node: Span, elements: readonly string[], text: string): Splice {
  const line = `${lineEndOf(text)}${marginInside(node, text)}`
  const at = node.from + 1 + commentIn(node, text).length
  const hasEnd = text.slice(at, node.to).includes('\n')
  const end = hasEnd ? '' : lineEndOf(text) + marginAt(text, node.from)
  return {
    from: at,
    to: hasEnd ? at : node.to - 1,
    text: elements.map((each) => line + each).join(',') + end,
  }
}

/** The comma behind a last element, and where that or the comment on its line ends. */
export function behind(text: string, from: number, comment: RegExp) {
  const [all = '', comma = '', rest = ''] = /^([ \t]*,)?(.*)/.exec(text.slice(from)) ?? []
  const isComment = rest.trim() !== '' && rest.replaceAll(comment, '').trim() === ''
  return { comma, to: from + (isComment ? all : comma).length }
}

/**
 * Returns where a value may go in place of a block of lines: behind the mark of its key or row, else where the
 * block begins, or a step further in, as that may begin in the column of its key.
 */
export function inPlaceOf(
  { from, to }: Span,
  value: string,
  text: string,
  comment: RegExp,
): readonly Splice[] {
  const before = text.slice(0, from).trimEnd()
  const line = before.slice(startOfLine(before, before.length))
  if (/:$|(?:^|\s)-$/.test(line) && !line.match(comment))
    return [{ from: before.length, to, text: ` ${value}` }]
  return ['', '  '].map((lead) => ({ from, to, text: lead + value }))
}

/**
 * Writes brackets in place of all elements, in one of these ways; a table of TOML has no lines then. Comments on
 * lines of their own stay.
 */
export function withNone(
  node: ObjectNode | ListNode,
  elements: readonly Span[],
  text: string,
  comment: RegExp,
): readonly Splice[] {
  const [first = node, last = node] = [elements[0], elements.at(-1)]
  if (node.kind === 'object' && node.end !== undefined) {
    const lineEnd = /^\r?\n/.exec(text.slice(last.to, last.to + 2))?.[0] ?? ''
    return [{ from: first.from, to: last.to + lineEnd.length, text: '' }]
  }
  const isFlow = node.layout === 'flow'
  const [open, close] = node.kind === 'list' ? (['[', ']'] as const) : (['{', '}'] as const)
  const ends = [...elements.slice(1).map(({ from }) => from), isFlow ? node.to - 1 : node.to]
  const gaps = elements.map(({ to }, n) => text.slice(to, ends[n]).replace(/^.*/, ''))
  const after = gaps.map((gap) => gap.replace(/^(\s*),/, '$1').trimEnd()).join('')
  const left = (isFlow ? text.slice(node.from + 1, first.from).trimEnd() : '') + after
  const hasComment = left.match(comment) !== null
  const { from, to } = node
  if (isFlow) {
    const end = hasComment ? left + lineEndOf(text) + marginAt(text, from) : ''
    return [{ from, to, text: open + end + close }]
  }
  if (!hasComment) return inPlaceOf(node, open + close, text, comment)
  const line = lineEndOf(text) + ' '.repeat(columnOf(text, first.from))
  return ['', '  '].map((lead) => ({ from, to, text: left.trimStart() + line + lead + open + close }))
}
