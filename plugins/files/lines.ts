/** A value of several lines, each of which has something in front of it that is not part of the value. */

interface ValueLine {
  readonly margin: string
  readonly content: string
  /** The line end in front of it; empty for the first. */
  readonly end: string
}

/** What is in front of the lines of a value: what a pattern finds, or at most so many blanks. */
export type MarginPattern = RegExp | number

/** The lines of a part of a text, without what is in front of them. */
export function linesOf(part: string, margin: MarginPattern = 0): readonly ValueLine[] {
  const pieces = part.split(/(\r\n|\n|\r)/)
  return pieces.flatMap((piece, n) => {
    if (n % 2 === 1) return []
    const found = marginOf(piece, margin)
    return [{ margin: found, content: piece.slice(found.length), end: pieces[n - 1] ?? '' }]
  })
}

function marginOf(line: string, margin: MarginPattern): string {
  if (typeof margin !== 'number') return margin.exec(line)?.[0] ?? ''
  return (/^[ \t]*/.exec(line)?.[0] ?? '').slice(0, margin)
}

export const contentOf = (lines: readonly ValueLine[]): string =>
  lines.map(({ content }) => content).join('\n')

/** What new lines get. */
interface NewLine {
  readonly margin?: string
  readonly end: string
}

/**
 * Returns the lines with another value. Those that the values share at their start and end keep their bytes;
 * others have the margin of the line in their place, or that of new lines.
 */
export function withContent(lines: readonly ValueLine[], value: string, { margin, end }: NewLine): string {
  const wanted = value.split('\n')
  const shorter = Math.min(lines.length, wanted.length)
  let start = 0
  while (start < shorter && lines[start]?.content === wanted[start]) start += 1
  let tail = 0
  while (tail < shorter - start && lines.at(-1 - tail)?.content === wanted.at(-1 - tail)) tail += 1
  const isInPlace = lines.length === wanted.length
  const usual = { margin: margin ?? lines.at(-1)?.margin ?? '', end: lines.at(-1)?.end || end }
  const written = wanted.map((content, n): ValueLine => {
    const shared =
      n < start ? lines[n] : n >= wanted.length - tail ? lines[n - wanted.length + lines.length] : undefined
    if (shared) return shared
    const line = isInPlace ? lines[n] : undefined
    const own = line?.margin ?? (n === 0 ? lines[0]?.margin : undefined) ?? usual.margin
    return { margin: content === '' ? own.trimEnd() : own, content, end: line?.end || usual.end }
  })
  return written
    .map((line, n) => (n === 0 ? '' : line.end || usual.end) + line.margin + line.content)
    .join('')
}
