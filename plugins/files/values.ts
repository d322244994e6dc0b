/** Changes of values in the text of a data file. */
import { withoutGeneratedItemIds } from '../content/items.ts'
import { isPlainObject, ownValue, sameJson } from '../content/plain-object.ts'
import { arranged, asBefore, comments, type Part } from './arrange.ts'
import { behind, inPlaceOf, marginInside, withFirst, withNone } from './brackets.ts'
import { matched } from './match.ts'
import { refusal, type Patched, type Unreadable, type Unwritable } from './outcome.ts'
import {
  columnOf,
  endOfLine,
  indentationOf,
  lineEndOf,
  marginAt,
  sliceOf,
  spliced,
  startOfLine,
  type Span,
  type Splice,
} from './ranges.ts'
import {
  valueOf,
  type ListNode,
  type Member,
  type ObjectNode,
  type Spot,
  type Syntax,
  type ValueNode,
} from './value-tree.ts'

/** One change: the texts that may express it, and the value that one of them has to be read as. */
interface Step {
  readonly texts: readonly string[]
  readonly value: unknown
  /** Where the value is, in words. */
  readonly name: string
}

/** More changes at once are a replacement of the file, which no one asks for by hand. */
const mostSteps = 1000

/**
 * Returns a text in which the values are those that are wanted, and nothing else differs.
 *
 * Each change is read back: the first spelling that is read as the wanted value is written. A comment is only
 * removed together with the row or key on whose line it is. Refuses what has no spelling.
 */
export function patchValues(syntax: Syntax, text: string, wanted: unknown): Patched {
  const target = withoutGeneratedItemIds(wanted)
  let now = text
  for (let n = 0; n < mostSteps; n += 1) {
    const tree = syntax.parse(now)
    if ('unreadable' in tree) return refusal('stale', tree.unreadable)
    const step = nextStep(tree, target, { syntax, text: now, tree, inFlow: false, name: '' })
    if (!step) return { text: now }
    if ('refused' in step) return step
    const found = step.texts.find((each) => isExact(syntax, now, each, step.value))
    if (found === undefined)
      return refusal('form', `The file cannot hold this value${step.name && ` of ${step.name}`}.`)
    now = found
  }
  return refusal('form', 'These are too many changes at once.')
}

function isExact(syntax: Syntax, before: string, after: string, value: unknown): boolean {
  const tree: ValueNode | Unreadable = syntax.parse(after)
  return !('unreadable' in tree) && sameJson(valueOf(tree), value)
}

interface Place {
  readonly syntax: Syntax
  readonly text: string
  readonly tree: ValueNode
  readonly inFlow: boolean
  /** The name of the value, with those around it. */
  readonly name: string
}

type Next = Step | Unwritable | undefined

/** The next change that makes a node what is wanted; its value is that of the node after it. */
function nextStep(node: ValueNode, target: unknown, place: Place): Next {
  const value = valueOf(node)
  if (sameJson(value, target)) return undefined
  if (node.kind === 'fixed')
    return refusal('fixed', `${named(place)} cannot be changed here: ${node.because}.`)
  if (!isBlank(node, place)) {
    if (node.kind === 'object' && isPlainObject(target)) return inObject(node, target, place)
    if (node.kind === 'list' && Array.isArray(target)) return inList(node, target, place)
  }
  if (node.kind !== 'scalar' && node.layout === 'fixed')
    return refusal('fixed', `${named(place)} cannot be replaced in this file.`)
  const spot = spotOf(node, place)
  return step(
    place,
    place.syntax.spellings(target, spot).flatMap((text) => replaced(node, text, place)),
    target,
  )
}

/** The ways to write a value in place of a node; if lines come there, the blanks in front of it go. */
function replaced(node: ValueNode, value: string, { text, syntax }: Place): readonly Splice[] {
  let { from, to } = node
  if (/^[\r\n]/.test(value)) while (' \t'.includes(text[from - 1] ?? '\n')) from -= 1
  else if ('layout' in node && node.layout === 'lines') return inPlaceOf(node, value, text, syntax.comment)
  return [{ from, to, text: value }]
}

/** Whether only blanks are between the brackets of a node: its first elements are written as a new value. */
const isBlank = (node: ValueNode, { text }: Place): boolean =>
  'layout' in node && node.layout === 'flow' && text.slice(node.from + 1, node.to - 1).trim() === ''

const named = ({ name }: Place): string => (name === '' ? 'This value' : name)

function step({ text, name }: Place, splices: readonly Splice[], value: unknown): Step {
  return { texts: splices.map((splice) => spliced(text, [splice])), value, name }
}

function spotOf(node: ValueNode, { text, tree, inFlow }: Place): Spot {
  const isBlock = 'layout' in node && node.layout === 'lines'
  const line = isBlock ? text.slice(0, node.from).trimEnd().length : node.from
  return { text, tree, now: node, inFlow, column: marginAt(text, line).length }
}

function inObject(node: ObjectNode, target: Readonly<Record<string, unknown>>, place: Place): Next {
  const value = valueOf(node) as Readonly<Record<string, unknown>>
  // Of a repeated name, the last counts.
  const members = new Map(node.members.map((member) => [member.name, member]))
  const inFlow = place.inFlow || node.layout === 'flow'
  for (const [name, member] of members) {
    const wanted = ownValue(target, name)
    if (wanted === undefined) continue
    const inner = nextStep(member.value, wanted, { ...place, inFlow, name: nameIn(place, name) })
    if (inner && 'texts' in inner) return { ...inner, value: { ...value, [name]: inner.value } }
    if (inner) return inner
  }
  for (const [name, member] of members) {
    if (ownValue(target, name) !== undefined) continue
    const { [name]: _, ...rest } = value
    return removal(node, member, { ...place, name: nameIn(place, name) }, rest)
  }
  for (const [name, wanted] of Object.entries(target)) {
    if (members.has(name) || wanted === undefined) continue
    return addition(
      node,
      [name, wanted],
      { ...place, inFlow, name: nameIn(place, name) },
      { ...value, [name]: wanted },
    )
  }
  return undefined
}

const nameIn = ({ name }: Place, step: string): string => (name === '' ? step : `${name}.${step}`)

function removal(node: ObjectNode, member: Member, place: Place, value: unknown): Next {
  const repeats = node.members.filter(({ name }) => name === member.name).length > 1
  if (node.layout === 'fixed' || member.isApart || repeats)
    return refusal('fixed', `${named(place)} cannot be removed from this file.`)
  const rest = node.members.flatMap((each, at) =>
    each === member ? [] : [{ at, text: sliceOf(place.text, each) }],
  )
  return rearranged(node, node.members, rest, place, value)
}

function addition(
  node: ObjectNode,
  [name, wanted]: readonly [string, unknown],
  place: Place,
  value: unknown,
): Next {
  if (node.layout === 'fixed') return refusal('fixed', `No key can be added here, so not ${named(place)}.`)
  const { text, syntax, inFlow } = place
  const first = node.members.find(({ isApart }) => !isApart)
  const column = columnOfElements(node, first, text)
  const added = syntax.member(name, wanted, { text, inFlow, column })
  const end = node.end ?? node.members.at(-1)?.to
  if (node.layout === 'flow' || (end !== undefined && end > 0)) {
    const own = node.members.filter(({ isApart }) => !isApart)
    if (node.layout === 'flow')
      return rearranged(node, own, [...asBefore(text, own), { text: added }], place, value)
    const at = end ?? node.to
    return step(place, [{ from: at, to: at, text: `${lineEndOf(text)}${' '.repeat(column)}${added}` }], value)
  }
  const at = node.end ?? node.from
  const before = at > 0 && !/[\r\n]$/.test(text.slice(0, at)) ? lineEndOf(text) : ''
  return step(place, [{ from: at, to: at, text: `${before}${added}${lineEndOf(text)}` }], value)
}

/** The column of the elements of an object or list; without elements, that of its comment or else its line. */
function columnOfElements(node: ObjectNode | ListNode, first: Span | undefined, text: string): number {
  const line = startOfLine(text, node.from)
  const margin = marginAt(text, node.from).length
  if (!first) return node.layout === 'flow' ? marginInside(node, text).length : margin
  return node.layout === 'lines' || startOfLine(text, first.from) !== line
    ? columnOf(text, first.from)
    : margin
}

function inList(node: ListNode, target: readonly unknown[], place: Place): Next {
  const values = node.rows.map(({ value }) => valueOf(value))
  const pairs = matched(values, target)
  const isSame = pairs.length === values.length && pairs.every((at, n) => at === n)
  const inFlow = place.inFlow || node.layout === 'flow'
  if (!isSame) {
    if (node.layout === 'fixed')
      return refusal('fixed', `The rows of ${named(place)} stay as they are in this file.`)
    const column = columnOfElements(node, node.rows[0], place.text)
    const spot: Spot = { text: place.text, inFlow, column }
    const parts = pairs.map((at, n): Part => {
      const row = at === undefined ? undefined : node.rows[at]
      if (row) return { at, text: sliceOf(place.text, row) }
      const beside = node.rows[pairs[n - 1] ?? pairs.slice(n).find((each) => each !== undefined) ?? -1]
      return {
        at,
        text: place.syntax.row(target[n], { ...spot, beside: beside && sliceOf(place.text, beside) }),
      }
    })
    const value = pairs.map((at, n) => (at === undefined ? target[n] : values[at]))
    return rearranged(node, node.rows, parts, place, value)
  }
  for (const [n, row] of node.rows.entries()) {
    const inner = nextStep(row.value, target[n], { ...place, inFlow, name: nameIn(place, String(n + 1)) })
    if (inner && 'texts' in inner) return { ...inner, value: values.with(n, inner.value) }
    if (inner) return inner
  }
  return undefined
}

/** Writes the elements that are wanted in place of those that are there. */
function rearranged(
  node: ObjectNode | ListNode,
  elements: readonly Span[],
  parts: readonly Part[],
  place: Place,
  value: unknown,
): Next {
  const { text, syntax } = place
  const isFlow = node.layout === 'flow'
  const first = elements[0]
  const last = elements.at(-1)
  if (!first || !last) {
    const texts = parts.map((part) => part.text)
    return step(place, [withFirst(node, texts, text)], value)
  }
  if (parts.length === 0) return step(place, withNone(node, elements, text, syntax.comment), value)
  const column = columnOfElements(node, first, text)
  const line = `${lineEndOf(text)}${isFlow ? indentationOf(text, column) : ' '.repeat(column)}`
  const isOnLines = startOfLine(text, first.from) !== startOfLine(text, node.from)
  const gap = elements[1] ? text.slice(first.to, elements[1].from) : undefined
  const isSample = isFlow && gap !== undefined && !gap.match(syntax.comment)
  const usual = isSample ? gap : isFlow ? (isOnLines ? `,${line}` : ', ') : line
  const remaining = parts.filter(({ at }) => at !== undefined)
  const hasLast = remaining.some(({ at }) => at === elements.length - 1)
  const own = hasLast || !isFlow ? { comma: '', to: last.to } : behind(text, last.to, syntax.comment)
  const left = hasLast ? '' : tailOf(text, elements, remaining)
  const isCut = left.match(syntax.comment) && text.slice(own.to, endOfLine(text, own.to)).trim() !== ''
  const tail = isCut ? left + lineEndOf(text) + marginAt(text, node.from) : left
  const lead = (before: string): string | undefined => {
    const lines = /\r?\n[^]*/.exec(before)?.[0]
    return lines?.match(syntax.comment) ? (isFlow ? ',' : '') + lines : undefined
  }
  const written = arranged(text, elements, parts, { ...comments, usual, lead })
  const splice = { from: first.from, to: own.to, text: written + own.comma + tail }
  const lost = lostComment(syntax, text, elements, parts, splice.text)
  if (lost) return refusal('form', `${named(place)}: a comment is between these rows, and would be lost.`)
  return step(place, [splice], value)
}

/** The comments in front of a last row that is removed. */
function tailOf(text: string, elements: readonly Span[], remaining: readonly Part[]): string {
  const last = remaining.at(-1)?.at ?? -1
  const gaps = elements.slice(last + 1).map(({ from }, n) => text.slice(elements[last + n]?.to ?? from, from))
  return gaps.length === 0 ? '' : comments.join('', gaps.reduce(comments.join)).trimEnd()
}

/**
 * Whether what is between the elements has a comment that the new text does not have; one on the last
 * line of a removed element goes with it.
 */
function lostComment(
  { comment }: Syntax,
  text: string,
  elements: readonly Span[],
  parts: readonly Part[],
  written: string,
): boolean {
  const between = elements.slice(1).map(({ from }, n) => text.slice(elements[n]?.to ?? from, from))
  const isRemaining = new Set(parts.map(({ at }) => at))
  const found = between.flatMap(
    (gap, n) => (isRemaining.has(n) ? gap : gap.replace(/^.*/, '')).match(comment) ?? [],
  )
  return found.some((each) => !written.includes(each)) && parts.length > 0
}
