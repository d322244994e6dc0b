/** Texts of templates with elements among their words. */
import type { Segment, ShownText } from './rendered.ts'

/** The tags of such a text, which have no attributes. */
export const tagOfText = /<\/?[a-z]\w*>/gi

/** Returns what a page shows of the text: all of it, and each of its parts between tags, which may stand apart. */
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
