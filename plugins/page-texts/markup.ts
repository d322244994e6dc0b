/** Texts of templates with elements among their words. */
import { renderedText } from '../content/rendered-text.ts'
import type { Segment, ShownText } from './rendered.ts'

/** The tags of such a text, which have no attributes. */
export const tagOfText = /<\/?[a-z]\w*>/gi

/** Returns what a page shows of the text: all of it, and each of its parts between tags, which may be separate. */
export function markupTexts(value: string): readonly ShownText[] {
  const runs: (readonly Segment[])[] = []
  let at = 0
  for (const { 0: tag, index } of [
    ...value.matchAll(tagOfText),
    Object.assign([''], { index: value.length }),
  ]) {
    runs.push(unitsOf(value.slice(at, index), at))
    at = index + (tag?.length ?? 0)
    if (/^<br>$/i.test(tag ?? '')) runs.push([[index, at, '\n']])
  }
  return [runs.flat(), ...runs].map((segments) => ({
    text: segments.map(([, , text]) => text).join(''),
    segments,
    marks: [],
  }))
}

const characters: Readonly<Record<string, string>> = { '&lt;': '<', '&amp;': '&' }

const unitsOf = (words: string, from: number): readonly Segment[] =>
  [...words.matchAll(/&(?:lt|amp);|(?:(?!&(?:lt|amp);)[^])+/g)].map(({ 0: part, index }) => [
    from + index,
    from + index + part.length,
    characters[part] ?? part,
    'html',
  ])

/** Whether two texts differ in blanks alone. */
export const isSameButBlanks = (a: string, b: string): boolean =>
  a.replaceAll(' ', '') === b.replaceAll(' ', '')

/**
 * Returns the segments without the blanks beside tags that a page does not show, as some frameworks leave out
 * white space with a line end there; `undefined` if they differ in more.
 */
export function segmentsAsShown(segments: readonly Segment[], shown: string): readonly Segment[] | undefined {
  const parts = segments.flatMap((segment, n) => splitAtTags(segment, segments[n - 1], segments[n + 1]))
  const { text, at } = renderedText(textOf(parts))
  /** The indexes of the rendered blanks that the page shows. */
  const blanks = new Set<number>()
  let next = 0
  for (const [n, character] of text.split('').entries()) {
    if (character === shown[next]) {
      if (character === ' ') blanks.add(n)
      next += 1
    } else if (character !== ' ') return undefined
  }
  let [from, last] = [0, -1]
  const left = parts.filter(([, , part]) => {
    while ((at[last + 1] ?? Infinity) <= from) last += 1
    from += part.length
    return part !== ' ' || blanks.has(last)
  })
  return renderedText(textOf(left)).text === shown ? left : undefined
}

const textOf = (segments: readonly Segment[]): string => segments.map(([, , text]) => text).join('')

/** The blank at an end of a segment that is beside a tag as a segment of its own. */
function splitAtTags(
  segment: Segment,
  previous: Segment | undefined,
  next: Segment | undefined,
): readonly Segment[] {
  const [from, to, text] = segment
  if (to - from !== text.length || text.trim() === '') return [segment]
  const start = previous && previous[1] < from && text.startsWith(' ') ? 1 : 0
  const end = next && to < next[0] && text.endsWith(' ') ? text.length - 1 : text.length
  const parts = [
    [0, start],
    [start, end],
    [end, text.length],
  ] as const
  return parts.flatMap(([a, b]): readonly Segment[] =>
    a < b ? [[from + a, from + b, text.slice(a, b), 'html']] : [],
  )
}
