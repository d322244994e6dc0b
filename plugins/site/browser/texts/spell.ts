/** Spells typed text in Markdown, so that it is read as the characters that it is. */

const blank = /^\s?$/u
const letter = /^[\p{L}\p{N}]$/u
const punctuation = /^[\p{P}\p{S}]$/u

/** What is around a text in its source. */
export interface Around {
  readonly before: string
  readonly after: string
  /** Whether nothing but blanks and marks of blocks are in front of it. */
  readonly isLineStart: boolean
  /** Whether it is in a mark, such as the text of a link. */
  readonly isInMark: boolean
  /** Whether a brace begins an expression. */
  readonly isMdx: boolean
}

/** Escapes what would be read as a mark, and nothing else. */
export function escaped(text: string, { before, after, isLineStart, isInMark, isMdx }: Around): string {
  const whole = text + after
  const marks = isMdx ? /\*+|_+|~+|[\\`[\]<&!(:;{]/g : /\*+|_+|~+|[\\`[\]<&!(:;]/g
  const spelled = text.replaceAll(marks, (mark, at: number) => {
    const isFirst = isLineStart && text.slice(0, at).trim() === ''
    const left = before + text.slice(0, at)
    const isMark =
      isFirst ||
      (isInMark && mark === ']') ||
      isRead(mark, left, whole.slice(at + mark.length), text.slice(0, at))
    return isMark ? mark.replaceAll(/./g, String.raw`\$&`) : mark
  })
  if (!isLineStart) return spelled
  const line = spelled + after
  if (/^[ \t]*(?:#{1,6}(?:\s|$)|>|[-+](?:\s|$)|[-=]+[ \t]*(?:\n|$))/.test(line))
    return spelled.replace(/[^ \t]/, String.raw`\$&`)
  return /^[ \t]*\d{1,9}[.)](?:\s|$)/.test(line) ? spelled.replace(/\d+/, (digits) => `${digits}\\`) : spelled
}

function isRead(mark: string, left: string, right: string, own: string): boolean {
  const [before, after] = [left.slice(-1), right.slice(0, 1)]
  switch (mark) {
    case '`':
    case '[':
    case '{':
      return true
    case ']':
      return own.split('[').length <= own.split(']').length
    case '\\':
      // Blanks may move out of a mark.
      return /^\s*(?:[!-/:-@[-`{-~\r\n]|$)/.test(right)
    case '<':
      return !blank.test(after)
    case '&':
      return /^#?\w+;/.test(right)
    case ';':
      return /&#?\w{1,40}$/.test(left)
    case '!':
      return after === '['
    case '(':
    case ':':
      return before === ']'
  }
  if (blank.test(before) && blank.test(after)) return false
  return !(mark.startsWith('_') && letter.test(before) && letter.test(after))
}

/** Characters that may become marks once something else is beside them. */
export const unsureBefore = /^[*_~!<&\\]$/
export const unsureBehind = /^[*_~[(:;]$/
/** What would begin a block at the start of a line. */
export const blockMark = /^[ \t]*(?:#{1,6}|[-+>=]+|\d{1,9}[.)])/

/** A run of characters in a source that marks a part of it, at its start or its end. */
export interface MarkRun {
  readonly from: number
  readonly to: number
  readonly isStart: boolean
}

/** The runs of emphasis, strong and deleted text and of code that marks in a source begin and end with. */
export const runsOf = (value: string, marks: readonly (readonly [number, number])[]): readonly MarkRun[] => {
  const runs = marks.flatMap(([from, to]): readonly MarkRun[] => {
    const raw = value.slice(from, to)
    const [start] = /^(?:\*+|_+|~+|`+)/.exec(raw) ?? []
    if (start === undefined) return []
    let end = to
    while (end > from && value[end - 1] === start[0]) end -= 1
    return [
      { from, to: from + start.length, isStart: true },
      { from: end, to, isStart: false },
    ]
  })
  return [...new Map(runs.map((run) => [`${run.isStart ? run.from : run.to}`, run])).values()]
}

/** Whether a run marks what is beside it, by the rules of CommonMark for what is on both sides. */
export function isMarking(value: string, { from, to, isStart }: MarkRun): boolean {
  const mark = value.charAt(from)
  const [before, after] = [value.charAt(from - 1), value.charAt(to)]
  const isEscaped = /(?:^|[^\\])(?:\\\\)*\\.$/s.test(value.slice(0, from))
  if ((before === mark && !isEscaped) || after === mark) return false
  if (mark === '`') return true
  const [inner, outer] = isStart ? [after, before] : [before, after]
  if (blank.test(inner)) return false
  const isOpenOutside = blank.test(outer) || punctuation.test(outer)
  return isOpenOutside || (mark !== '_' && !punctuation.test(inner))
}
