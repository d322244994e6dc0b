/** Writes what was typed into one text of a page into its source, which has marks that stay. */
import { renderedText } from '../../../content/rendered-text.ts'
import { blockMark, escaped, isMarking, runsOf, unsureBefore, unsureBehind, type MarkRun } from './spell.ts'

/** Without escapes, or with those of HTML; else with those of Markdown. */
type Spelling = 'code' | 'html'

/** A value, and where its characters are in it. */
export interface SourceText {
  readonly value: string
  readonly segments?:
    readonly (readonly [from: number, to: number, text: string, kind?: Spelling])[] | undefined
  readonly marks?: readonly (readonly [from: number, to: number])[] | undefined
  /** How its place is edited. */
  readonly kind?: string
  /** The path of its file, whose ending says how its Markdown is read. */
  readonly file?: string
}

/** A part of the text of a page that was replaced: from and to a place in all texts before, joined. */
export interface TypedChange {
  readonly from: number
  readonly to: number
  readonly text: string
  /** Whether the character before belongs to the same text node, and what is inserted goes to it. */
  readonly isBehind: boolean
}

/** A character of the source: where it is, and how one beside it is spelled. */
interface SourceCharacter {
  readonly from: number
  readonly to: number
  readonly kind: Spelling | undefined
  /** Whether it is spelled as it is. */
  readonly isPlain: boolean
}

interface SourceSplice {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Returns the source with changes of the text that the page showed; `undefined` if the text is not that of the source,
 * or what was typed has no spelling beside the marks that are there.
 */
export function respelled(
  source: SourceText,
  shown: string,
  changes: readonly TypedChange[],
): string | undefined {
  const { value, segments = [[0, value.length, value] as const], marks = [] } = source
  const characters = segments.flatMap(([from, to, text, kind]) =>
    Array.from({ length: text.length }, (_, n): SourceCharacter => {
      const isPlain = to - from === text.length
      const at = { from: isPlain ? from + n : from, to: isPlain ? from + n + 1 : to }
      return { ...at, isPlain, kind }
    }),
  )
  const text = segments.map(([, , text]) => text).join('')
  const stored = renderedText(text)
  const onPage = renderedText(shown)
  if (stored.text !== onPage.text) return undefined
  const at = (n: number): SourceCharacter | undefined => characters[stored.at[n] ?? -1]
  /** Its last one, where a run of dashes or blanks is one character; blanks at the end are none. */
  const lastAt = (n: number): SourceCharacter | undefined =>
    characters[Math.max(stored.at[n] ?? -1, (stored.at[n + 1] ?? text.trimEnd().length) - 1)]
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
      const mark = text.trim() === '' ? emptied(marks, characters, start.from, end.to) : undefined
      return {
        from: mark?.[0] ?? start.from,
        to: mark?.[1] ?? end.to,
        text,
        kind: mark ? undefined : start.kind,
      }
    }
    const place = inserted === undefined ? 0 : inserted === left ? inserted.to : inserted.from
    return { from: place, to: place, text, kind: inserted?.kind }
  })
  if (source.kind === 'code') return spliced(value, splices)
  if (source.segments === undefined) return withoutEnds(spliced(value, splices), value)
  if (segments.every(([, , , kind]) => kind === 'html'))
    return withoutEnds(spliced(value, splices.map(inHtml)), value)
  if (splices.some(({ text, kind }) => kind === 'code' && text.includes('`'))) return undefined
  const spelled = spellAll(source, splices, characters, marks)
  return marked(spliced(value, spelled), spelled, value, runsOf(value, marks))
}

/** Blanks at an end are not shown, and few files hold them: they are written with what is typed behind them. */
function withoutEnds(text: string, before: string): string {
  const start = before.trimStart() === before ? text.trimStart() : text
  return before.trimEnd() === before ? start.trimEnd() : start
}

const inHtml = (splice: SourceSplice): SourceSplice => ({
  ...splice,
  text: splice.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
})

const spliced = (value: string, splices: readonly SourceSplice[]): string =>
  splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((result, { from, to, text }) => result.slice(0, from) + text + result.slice(to), value)

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

const lineStart = /(?:^|\n)[ \t>]*$/
const lineEnd = /^(?:[\r\n]|$)/

/** Spells what is typed, with characters beside it that may be read differently there. */
function spellAll(
  { value, file = '' }: SourceText,
  splices: readonly (SourceSplice & Pick<SourceCharacter, 'kind'>)[],
  characters: readonly SourceCharacter[],
  marks: NonNullable<SourceText['marks']>,
): readonly SourceSplice[] {
  const plain = new Set(
    characters.flatMap(({ from, isPlain, kind }) => (isPlain && kind === undefined ? [from] : [])),
  )
  const first = characters[0]?.from ?? 0
  const sorted = splices.toSorted((a, b) => a.from - b.from)
  return sorted.map((splice, n) => {
    if (splice.kind === 'code') return splice
    const [least, most] = [sorted[n - 1]?.to ?? 0, sorted[n + 1]?.from ?? value.length]
    let { from, to } = splice
    const has = (at: number, kind: RegExp): boolean => plain.has(at) && kind.test(value.charAt(at))
    if (splice.text.trim() === '' && lineEnd.test(value.slice(to, most)))
      while (from > least && has(from - 1, /[ \t]/)) from -= 1
    while (from > least && has(from - 1, unsureBefore)) from -= 1
    const isLineStart = from <= first || lineStart.test(value.slice(0, from))
    if (isLineStart && splice.text.trim() === '') {
      while (to < most && has(to, /[ \t]/)) to += 1
      const [block = ''] = blockMark.exec(value.slice(to, most)) ?? []
      if ([...block].every((_, k) => plain.has(to + k))) to += block.length
    }
    while (to < most && has(to, unsureBehind)) to += 1
    const after = value.slice(to, most) + (sorted[n + 1]?.text ?? '')
    const typed = value.slice(from, splice.from) + splice.text + value.slice(splice.to, to)
    // A line has no blanks at its ends.
    const start = isLineStart ? typed.trimStart() : typed
    const text = lineEnd.test(after) ? start.trimEnd() : start
    const isInMark = marks.some(([start, end]) => start < from && to < end)
    const around = {
      before: value.slice(0, from),
      after,
      isLineStart,
      isInMark,
      isMdx: file.endsWith('.mdx'),
    }
    return { from, to, text: escaped(text, around) }
  })
}

/** Moves blanks out of marks, which mark no blanks; `undefined` if a mark would mark nothing beside what is there now. */
function marked(
  spelled: string,
  splices: readonly SourceSplice[],
  value: string,
  runs: readonly MarkRun[],
): string | undefined {
  let result = spelled
  const now = (run: MarkRun): MarkRun => {
    const shift = splices
      .filter(({ to }) => to <= run.from)
      .reduce((sum, { from, to, text }) => sum + text.length - (to - from), 0)
    return { ...run, from: run.from + shift, to: run.to + shift }
  }
  const left = runs.filter(
    (run) =>
      isMarking(value, run) && !splices.some(({ from, to }) => from <= run.from && run.to <= to && from < to),
  )
  // From the end, as blanks may go.
  for (const run of left.toSorted((a, b) => b.from - a.from)) {
    const { from, to, isStart } = now(run)
    const mark = result.slice(from, to)
    const [before, after] = [result.slice(0, from), result.slice(to)]
    const [inner, outer] = isStart ? [after.trimStart(), before] : [before.trimEnd(), after]
    const blanks = isStart ? after.slice(0, after.length - inner.length) : before.slice(inner.length)
    const isMoved = blanks !== '' && !mark.startsWith('`')
    const gap = (isStart ? lineStart : lineEnd).test(outer) ? '' : blanks
    if (isMoved) result = isStart ? outer + gap + mark + inner : inner + mark + gap + outer
    const at = !isMoved ? from : isStart ? (outer + gap).length : inner.length
    if (!isMarking(result, { from: at, to: at + mark.length, isStart })) return undefined
  }
  return result
}
