/** Sequences in a text: the entries of a list, the keys of an object, the nodes of a document. */
import { sliceOf, type Span } from './ranges.ts'

/** An element of the sequence that is wanted: one that is there, or a new one. */
export interface Part {
  /** The position of the element that it was. */
  readonly at?: number | undefined
  readonly text: string
}

/** How the elements of a sequence are separated. */
export interface Separation {
  /** What separates two elements that were not neighbours. */
  readonly usual: string
  /** Joins what is between two elements with what is between others, whose element is removed. */
  join(before: string, after: string): string
  /** What of the text in front of an element goes with it where another one comes before it, or none. */
  lead?(gap: string): string | undefined
}

/** Separators with commas, and lines: of the white space that meets, the last counts, and comments stay. */
export const comments: Pick<Separation, 'join'> = {
  join: (before, after) => before.trimEnd() + after.replace(/^(\s*),/, '$1'),
}

/**
 * Returns the text from the first to the last element, as it is wanted.
 *
 * What is between two elements stays if they are neighbours as before, or if only what was between them is
 * removed.
 */
export function arranged(
  text: string,
  spans: readonly Span[],
  parts: readonly Part[],
  { usual, join, lead }: Separation,
): string {
  const gaps = spans.slice(1).map(({ from }, n) => text.slice(spans[n]?.to ?? 0, from))
  const left = new Set(parts.map(({ at }) => at))
  const leadOf = ({ at = 0 }: Part): string | undefined => {
    let from = at - 1
    while (from > 0 && !left.has(from)) from -= 1
    return at > 0 ? lead?.(gaps.slice(from, at).reduce(join)) : undefined
  }
  const between = (a: Part, b: Part): string => {
    const other = leadOf(b) ?? usual
    if (a.at === undefined || b.at === undefined || a.at >= b.at) return other
    for (let at = a.at + 1; at < b.at; at += 1) if (left.has(at)) return other
    return gaps.slice(a.at, b.at).reduce(join)
  }
  const before = (part: Part, n: number): string => {
    const previous = parts[n - 1]
    return previous ? between(previous, part) : (leadOf(part)?.replace(/^[\s,]+/, '') ?? '')
  }
  return parts.map((part, n) => before(part, n) + part.text).join('')
}

/** The parts of a sequence that stays as it is. */
export const asBefore = (text: string, spans: readonly Span[]): readonly Part[] =>
  spans.map((span, at) => ({ at, text: sliceOf(text, span) }))
