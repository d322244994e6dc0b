import { wordsIn } from '../../content/words.ts'

/** The words of a message, for choosing what a model is shown and for completing its operations. */
export interface Words {
  /** In lower case, without quoted text. */
  readonly list: readonly string[]
  /** The same words as one text, with a blank before and after each. */
  readonly text: string
  /** The quoted texts. */
  readonly quotes: readonly string[]
}

/** A quoted text, in linear time also where quotes stay open. An apostrophe follows a letter. */
const quoted = /"[^"]*"|“[^“”]*”|„[^„“]*“|«[^«»]*»|`[^`]*`|‘[^‘’]*’|(?<![\p{L}\p{N}])'[^']*'/gu

/** Splits a message into words. Apostrophes belong to their word. */
export function wordsOf(message: string): Words {
  const quotes = [...message.matchAll(quoted)].map(([quote]) => quote.slice(1, -1))
  const list = wordsIn(message.replace(quoted, ' '))
  return { list, text: ` ${list.join(' ')} `, quotes }
}
