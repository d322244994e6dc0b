/** The words that differ between two texts. */
import { diffArrays } from 'diff'

export interface DiffPart {
  readonly value: string
  readonly added: boolean
  readonly removed: boolean
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const timeoutMs = 50
/** An address is one word, and the parentheses in which the reading of a link has it are a part of it. */
const address = /(\((?:[/#?]|[a-z][a-z\d+.-]*:)[^()\s]*\)|\bhttps?:\/\/[^\s()]+)/i

/** The words of a text, and what is between them. */
const wordsOf = (text: string): readonly string[] =>
  text
    .split(address)
    .flatMap((part, at) =>
      at % 2 === 1 ? [part] : Array.from(segmenter.segment(part), ({ segment }) => segment),
    )

/** Compares two texts word by word; `undefined` where that takes too long. */
export const wordDiff = (before: string, after: string): readonly DiffPart[] | undefined =>
  diffArrays([...wordsOf(before)], [...wordsOf(after)], { timeout: timeoutMs })?.map(
    ({ value, added, removed }) => ({ value: value.join(''), added, removed }),
  )
