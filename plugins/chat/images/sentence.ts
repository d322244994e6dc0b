import * as say from './vocabulary.ts'

/** A request as it was said, without what people say around it. */
export interface Sentence {
  readonly aim: say.Aim
  readonly verb: string
  readonly words: readonly string[]
}

/** The words of a sentence; a colon, a comma and a quoted text are words of their own. */
export const tokensOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+|[:",]/gu) ?? []

/** A sentence without what people say around a request; `undefined` where its verb is of other work. */
export function sentenceOf(said: readonly string[]): Sentence | undefined {
  const tokens = trimmed(said.flatMap(parted))
  const start = tokens.findIndex((word) => !say.before.has(word))
  const verb = tokens[start] ?? ''
  const aim = say.aimOf(verb)
  if (aim) return sentence(aim, verb, tokens.slice(start + 1))
  const isPolite = start > 0 && tokens.slice(0, start).some((word) => say.modals.has(word))
  const last = tokens.at(-1) ?? ''
  const lastAim = isPolite ? say.aimOf(last) : undefined
  if (lastAim) return sentence(lastAim, last, tokens.slice(start, -1))
  const [first = '', second = ''] = tokens.slice(start)
  const isBare = say.fresh.has(first) || (say.indefinite.has(first) && say.fresh.has(second)) || (say.several.has(first) && second !== '')
  return isBare || isWanted(tokens.slice(0, start)) ? sentence('find', '', tokens.slice(start)) : undefined
}

/** `I would like …`, `ich hätte gern …`. */
const isWanted = (words: readonly string[]): boolean => words.some((word) => word === 'like' || word === 'hätte')

const sentence = (aim: say.Aim, verb: string, words: readonly string[]): Sentence | undefined => {
  const rest = verb === 'search' || verb === 'look' || verb === 'such' || verb === 'suche' ? words.slice(words[0] === 'for' || words[0] === 'nach' ? 1 : 0) : words
  return begins(rest) ? undefined : { aim, verb, words: rest }
}

/** Whether another request begins behind an `and`. */
const begins = (words: readonly string[]): boolean =>
  words.some((word, at) => (say.joining.has(word) || word === ',') && [1, 2].some((ahead) => {
    const next = words[at + ahead] ?? ''
    return say.otherVerbs.has(next) || say.aimOf(next) !== undefined
  }))

/** Without what people say at the end. */
function trimmed(tokens: readonly string[]): readonly string[] {
  const isTail = (word: string): boolean => say.afterwards.has(word) || word === ',' || word === ':'
  return tokens.slice(0, tokens.findLastIndex((word) => !isTail(word)) + 1)
}

/** `Herobild` is two words. */
const compounds = /^(hero|karten|kachel|galerie|banner|video|poster|hintergrund|titel|ki|stock|vorschau|linkvorschau)(bild|bildes|bilder|bildern|foto|fotos)$/
const parted = (word: string): readonly string[] => compounds.exec(word)?.slice(1) ?? [word]
