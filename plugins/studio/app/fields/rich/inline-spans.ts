/** Which characters of a text have which mark, as spans that are never half inside of another one. */
import { markOf, type Mark, type Node } from './schema.ts'

export interface Span {
  readonly mark: Mark
  readonly start: number
  readonly end: number
  /** The sign of emphasis; a link has brackets. */
  readonly sign: '*' | '_'
}

/** Outermost first, where several begin: a link is never divided, and bold only by links. */
export const names = ['link', 'strong', 'em'] as const

export const isLink = ({ mark }: Pick<Span, 'mark'>): boolean => mark.type.name === 'link'

/** The text of nodes; a line break is one character. */
export const spanText = (nodes: readonly Node[]): string => nodes.map((node) => node.text ?? '\n').join('')

/** The spans of nodes. Emphasis ends at line breaks, a link goes on behind them. */
export function spansOf(nodes: readonly Node[]): readonly Span[] {
  const spans = names.flatMap((name) => {
    let at = 0
    return nodes.reduce<readonly Span[]>((found, node) => {
      const mark = name === 'link' || node.isText ? markOf(node, name) : undefined
      const start = at
      at += node.nodeSize
      const last = found.at(-1)
      if (!mark) return found
      const goesOn = last?.end === start && last.mark.eq(mark)
      return goesOn
        ? [...found.slice(0, -1), { ...last, end: at }]
        : [...found, { mark, start, end: at, sign: '*' }]
    }, [])
  })
  return nested(spanText(nodes), spans)
}

/** Divides emphasis at the edges of spans that it crosses; blanks at its own edges stay outside of it. */
export function nested(text: string, spans: readonly Span[]): readonly Span[] {
  const trimmed = spans.flatMap((span) => (isLink(span) ? [span] : within(text, span, /\S/)))
  const divided = trimmed.flatMap((span) => {
    const outer = trimmed.filter((each) => rank(each) < rank(span))
    const edges = outer
      .filter((each) => crosses(each, span))
      .flatMap(({ start, end }) => [start, end])
      .filter((edge) => edge > span.start && edge < span.end)
    const ends = [...new Set([...edges, span.end])].toSorted((a, b) => a - b)
    return ends.map((end, index) => ({ ...span, start: ends[index - 1] ?? span.start, end }))
  })
  if (divided.length > trimmed.length) return nested(text, divided)
  return divided.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b))
}

const rank = ({ mark }: Span): number => names.findIndex((name) => name === mark.type.name)

const crosses = (one: Span, other: Span): boolean =>
  (one.start < other.start && other.start < one.end && one.end < other.end) ||
  (other.start < one.start && one.start < other.end && other.end < one.end)

/** The span from its first to its last character of a kind; none without such characters. */
function within(text: string, span: Span, wanted: RegExp): readonly Span[] {
  const inner = text.slice(span.start, span.end)
  const start = inner.search(wanted)
  if (start === -1) return []
  let end = inner.length
  while (!wanted.test(inner[end - 1] ?? '')) end -= 1
  return [{ ...span, start: span.start + start, end: span.start + end }]
}

const isSign = (char: string | undefined): boolean => char !== undefined && /[\p{P}\p{S}]/u.test(char)
const isLetter = (char: string | undefined): boolean =>
  char !== undefined && !/\s/.test(char) && !isSign(char)

/** Whether no sign would be read: it would be between a letter and a bracket, quote, stop or link. */
export function isStuck(text: string, span: Span, spans: readonly Span[]): boolean {
  if (isLink(span)) return false
  const { start, end } = span
  const others = spans.filter(
    (each) => each !== span && (isLink(each) || each.start === end || each.end === start),
  )
  const isAt = (edge: number, inner: string | undefined, outer: string | undefined, name: 'start' | 'end') =>
    isLetter(outer) &&
    others.every((each) => each[name] === edge || (each.start !== edge && each.end !== edge)) &&
    others.every((each) => each[name] !== edge || holds(span, each)) &&
    (isSign(inner) || others.some((each) => each[name] === edge))
  return isAt(start, text[start], text[start - 1], 'start') || isAt(end, text[end - 1], text[end], 'end')
}

const holds = (span: Span, other: Span): boolean =>
  span.start <= other.start && other.end <= span.end && other.end - other.start < span.end - span.start

/**
 * What to write in place of emphasis that is not read as such: the other sign, then apart inside and outside of a link at its
 * edge, then without the brackets, quotes and stops at an edge that touches a letter, then nothing.
 */
export function nextOf(text: string, span: Span, spans: readonly Span[]): readonly Span[] {
  if (span.sign === '*' && !isStuck(text, span, spans)) return [{ ...span, sign: '_' }]
  const { start, end } = span
  const fresh = { ...span, sign: '*' } as const
  const link = spans.find((each) => isLink(each) && (each.start === start || each.end === end))
  const edge = link?.start === start ? link.end : (link?.start ?? start)
  if (edge > start && edge < end)
    return [
      { ...fresh, end: edge },
      { ...fresh, start: edge },
    ]
  const atStart = isLetter(text[start - 1]) && isSign(text[start])
  const atEnd = isLetter(text[end]) && isSign(text[end - 1])
  if (!atStart && !atEnd) return []
  return within(text, fresh, /[^\p{P}\p{S}\s]/u).map((inner) => ({
    ...fresh,
    ...(atStart && { start: inner.start }),
    ...(atEnd && { end: inner.end }),
  }))
}

/** The spans with one more, in all combinations of signs of that and of the emphasis that it touches. */
export function waysWith(span: Span, spans: readonly Span[]): readonly (readonly Span[])[] {
  const touches = ({ start, end }: Span): boolean =>
    [start, end].some((edge) => edge === span.start || edge === span.end)
  const near = [span, ...spans.filter((each) => !isLink(each) && touches(each))].slice(0, 4)
  const far = spans.filter((each) => !near.includes(each))
  return near.reduce<readonly (readonly Span[])[]>(
    (ways, each) => ways.flatMap((way) => (['*', '_'] as const).map((sign) => [...way, { ...each, sign }])),
    [far],
  )
}
