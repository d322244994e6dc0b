/** Writes what was typed into one text of a page into its source, which has marks that stay. */
import { renderedText } from '../../../content/rendered-text.ts'

/** A value, and where its characters are in it. */
export interface SourceText {
  readonly value: string
  readonly segments?:
    readonly (readonly [from: number, to: number, text: string, kind?: 'code'])[] | undefined
  readonly marks?: readonly (readonly [from: number, to: number])[] | undefined
}

/** A part of the text of a page that was replaced: from and to a place in all texts before, joined. */
export interface TypedChange {
  readonly from: number
  readonly to: number
  readonly text: string
  /** Whether the character before belongs to the same text node, and what is inserted goes to it. */
  readonly isBehind: boolean
}

/** A character of the source: where it is, and whether it is code. */
interface SourceCharacter {
  readonly from: number
  readonly to: number
  readonly isCode: boolean
}

/**
 * Returns the source with changes of the text that the page showed; `undefined` if the text is not that of the source.
 */
export function respelled(
  source: SourceText,
  shown: string,
  changes: readonly TypedChange[],
): string | undefined {
  const { value, segments = [[0, value.length, value] as const], marks = [] } = source
  const isPlain = source.segments === undefined
  const characters = segments.flatMap(([from, to, text, kind]) =>
    Array.from({ length: text.length }, (_, n): SourceCharacter => {
      const isOne = to - from !== text.length
      return { from: isOne ? from : from + n, to: isOne ? to : from + n + 1, isCode: kind === 'code' }
    }),
  )
  const stored = renderedText(segments.map(([, , text]) => text).join(''))
  const onPage = renderedText(shown)
  if (stored.text !== onPage.text) return undefined
  const at = (n: number): SourceCharacter | undefined => characters[stored.at[n] ?? -1]
  /** Its last one, where a run of dashes or blanks is one character. */
  const lastAt = (n: number): SourceCharacter | undefined =>
    characters[Math.max(stored.at[n] ?? -1, (stored.at[n + 1] ?? characters.length) - 1)]
  /** How many characters that count are before a place of the page. */
  const before = (place: number): number => {
    const n = onPage.at.findIndex((each) => each >= place)
    return n === -1 ? onPage.at.length : n
  }
  const splices = changes.map(({ from, to, text, isBehind }) => {
    const [first, last] = [before(from), before(to)]
    const [start, end, left] = [at(first), lastAt(last - 1), first > 0 ? lastAt(first - 1) : undefined]
    const inserted = isBehind ? (left ?? start) : (start ?? left)
    if (first < last && start && end) {
      const mark = text === '' && !isPlain ? emptied(marks, characters, start.from, end.to) : undefined
      return { from: mark?.[0] ?? start.from, to: mark?.[1] ?? end.to, text, isCode: start.isCode }
    }
    const place = inserted === undefined ? 0 : inserted === left ? inserted.to : inserted.from
    return { from: place, to: place, text, isCode: inserted?.isCode === true }
  })
  let result = value
  for (const splice of splices.toSorted((a, b) => b.from - a.from)) {
    const isFirst = splice.from <= (characters[0]?.from ?? 0)
    const text =
      isPlain || splice.isCode ? splice.text : escaped(splice.text, isFirst, result.charAt(splice.from - 1))
    result = result.slice(0, splice.from) + text + result.slice(splice.to)
  }
  return result
}

/** The outermost mark whose text is all within a part of the source, which would mark nothing. */
const emptied = (
  marks: NonNullable<SourceText['marks']>,
  characters: readonly SourceCharacter[],
  from: number,
  to: number,
) =>
  marks.find(([start, end]) => {
    const inside = characters.filter((each) => each.from >= start && each.to <= end)
    return inside.length > 0 && inside.every((each) => each.from >= from && each.to <= to)
  })

/** Escapes what Markdown would read as a mark. */
function escaped(text: string, isFirst: boolean, before: string): string {
  const inWords = text
    .replaceAll(/\\(?=[!-/:-@[-`{-~]|$)/g, String.raw`\\`)
    .replaceAll(/[`[]|<(?=[a-z/!?])|&(?=#?\w+;)|~(?=~)/gi, String.raw`\$&`)
    .replaceAll(/\*+|_+/g, (marks, at: number) => {
      const [left, right] = [text.charAt(at - 1) || before, text.charAt(at + marks.length)]
      const isBetween = /\s|^$/.test(left) && /\s|^$/.test(right)
      const isInWord = marks.startsWith('_') && /\w/.test(left) && /\w/.test(right)
      return isBetween || isInWord ? marks : marks.replaceAll(/./g, String.raw`\$&`)
    })
  if (!isFirst) return inWords
  return inWords.replace(/^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|\d+(?=[.)](?:\s|$)))/, (mark) =>
    /^\d/.test(mark) ? `${mark}\\` : `\\${mark}`,
  )
}
