import type { Named, SourceKind } from '../../chat/port.ts'
import { type Nouns, otherFields, placeIn } from './nouns.ts'
import * as vocab from './vocabulary.ts'

/** A request without the courtesies around it. */
export interface Sentence {
  readonly aim: vocab.Aim
  readonly verb: string
  readonly words: readonly string[]
}

/** Splits a sentence into words; a colon, a comma and a quoted text are separate tokens. */
export const tokensOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+|[:",]/gu) ?? []

/** Parses the verb of a sentence and strips courtesies; `undefined` if the verb is unrelated to images. */
export function sentenceOf(said: readonly string[]): Sentence | undefined {
  const tokens = withoutTail(said.flatMap(splitCompound))
  const start = tokens.findIndex((word) => !vocab.before.has(word))
  const verb = tokens[start] ?? ''
  const aim = vocab.aimOf(verb)
  if (aim) return sentence(aim, verb, tokens.slice(start + 1))
  const isPolite = start > 0 && tokens.slice(0, start).some((word) => vocab.modals.has(word))
  const last = tokens.at(-1) ?? ''
  const lastAim = isPolite ? vocab.aimOf(last) : undefined
  if (lastAim) return sentence(lastAim, last, tokens.slice(start, -1))
  const [first = '', second = ''] = tokens.slice(start)
  const isBare = vocab.fresh.has(first) || (vocab.indefinite.has(first) && vocab.fresh.has(second)) || (vocab.several.has(first) && second !== '')
  return isBare || isWanted(tokens.slice(0, start)) ? sentence('find', '', tokens.slice(start)) : undefined
}

/** `I would like …`, `ich hätte gern …`. */
const isWanted = (words: readonly string[]): boolean => words.some((word) => word === 'like' || word === 'hätte')

const sentence = (aim: vocab.Aim, verb: string, words: readonly string[]): Sentence | undefined => {
  const rest = verb === 'search' || verb === 'look' || verb === 'such' || verb === 'suche' ? words.slice(words[0] === 'for' || words[0] === 'nach' ? 1 : 0) : words
  return hasSecondRequest(rest) ? undefined : { aim, verb, words: rest }
}

/** Whether another request begins after an `and` or a comma. */
const hasSecondRequest = (words: readonly string[]): boolean =>
  words.some((word, at) => (vocab.joining.has(word) || word === ',') && [1, 2].some((ahead) => {
    const next = words[at + ahead] ?? ''
    return vocab.otherVerbs.has(next) || vocab.aimOf(next) !== undefined
  }))

/** Strips courtesies at the end. */
function withoutTail(tokens: readonly string[]): readonly string[] {
  const isTail = (word: string): boolean => vocab.afterwards.has(word) || word === ',' || word === ':'
  return tokens.slice(0, tokens.findLastIndex((word) => !isTail(word)) + 1)
}

/** Compounds such as `Herobild`, which are split in two. */
const compounds = /^(hero|karten|kachel|galerie|banner|video|poster|hintergrund|titel|ki|stock|vorschau|linkvorschau)(bild|bildes|bilder|bildern|foto|fotos)$/
const splitCompound = (word: string): readonly string[] => compounds.exec(word)?.slice(1) ?? [word]

/** Result of parsing the words before an image. */
export interface Head {
  readonly named?: Named | undefined
  readonly source?: SourceKind | undefined
  readonly isFresh: boolean
  readonly isIndefinite: boolean
  readonly isDefinite: boolean
  readonly isEvery: boolean
  readonly subject: readonly string[]
}

/** Result of parsing the words after it. */
export interface Tail {
  readonly named?: Named | undefined
  readonly source?: SourceKind | undefined
  readonly isFresh: boolean
  readonly subject: readonly string[]
}

/** Parses the words before the image: its place, determiners, source and subject. */
export function readHead({ aim }: Sentence, words: readonly string[], nouns: Nouns): Head | undefined {
  const isOther = (word: string) => vocab.negating.has(word) || vocab.connectors.has(word) || word === ',' || word === ':'
  if (words.some(isOther)) return undefined
  const rest = words.filter((word) => !vocab.isPlain(word))
  const facts = {
    source: words.map(vocab.isSourceWord).find((kind) => kind !== undefined),
    isFresh: words.some((word) => vocab.fresh.has(word)),
    isIndefinite: words.some((word) => vocab.indefinite.has(word)),
    isDefinite: words.some((word) => vocab.determiners.has(word)),
    isEvery: words.some((word) => vocab.every.has(word)),
  }
  const place = placeIn(rest, nouns)
  if (rest.length === 0 || place) return { ...facts, named: place, subject: [] }
  if (aim === 'change' || aim === 'set') return undefined
  for (let length = rest.length - 1; length >= 0; length -= 1) {
    const [first, last] = [placeIn(rest.slice(0, length), nouns), placeIn(rest.slice(rest.length - length), nouns)]
    const named = first ?? last
    const subject = first ? rest.slice(length) : rest.slice(0, rest.length - length)
    if ((named || length === 0) && isSubject(subject, nouns)) return { ...facts, named, subject }
  }
  return undefined
}

/** Parses the words after it as prepositional phrases with `for`, `of`, `from` and the like. */
export function readTail(aim: vocab.Aim, words: readonly string[], nouns: Nouns): Tail | undefined {
  let tail: Tail = { isFresh: false, subject: [] }
  const owner = words[0] === 'der' || words[0] === 'des' ? ['von'] : []
  for (const { connector, words: part } of partsOf([...owner, ...words])) {
    const next = partOf(aim, tail, connector, part, nouns)
    if (!next) return undefined
    tail = next
  }
  return isSubject(tail.subject, nouns) || tail.subject.length === 0 ? tail : undefined
}

function partsOf(words: readonly string[]) {
  const parts: { connector: string; words: string[] }[] = []
  for (const word of words) {
    const last = parts.at(-1)
    if (vocab.connectors.has(word) || word === ':' || !last) parts.push(vocab.connectors.has(word) || word === ':' ? { connector: word, words: [] } : { connector: '', words: [word] })
    else last.words.push(word)
  }
  return parts.filter(({ connector, words: rest }) => rest.length > 0 || connector !== ':')
}

function partOf(aim: vocab.Aim, tail: Tail, connector: string, words: readonly string[], nouns: Nouns): Tail | undefined {
  const content = words.filter((word) => !vocab.determiners.has(word) && !vocab.indefinite.has(word))
  const source = connector === '' || vocab.coming.has(connector) || content.some((word) => vocab.isSourceWord(word)) ? vocab.sourceIn(content) : undefined
  if (source) return { ...tail, source, isFresh: tail.isFresh || content.some(vocab.isImage) }
  const isTarget = vocab.placing.has(connector) && !(connector === 'to' && aim === 'change')
  const named = isTarget && !tail.named && words.length > 0 ? placeIn(content, nouns) : undefined
  if (named) return { ...tail, named }
  const isAnother = vocab.becoming.has(connector) && content.some((word) => vocab.isImage(word) || vocab.fresh.has(word)) && content.every((word) => vocab.isPlain(word) || vocab.isImage(word) || vocab.pronouns.has(word)) && !words.some((word) => vocab.determiners.has(word))
  if (isAnother) return { ...tail, isFresh: true, source: tail.source ?? content.map(vocab.isSourceWord).find((kind) => kind !== undefined) }
  if (tail.subject.length > 0) return { ...tail, subject: [...tail.subject, connector, ...words] }
  // An occasion may follow `for`, unless the words contain the name of a block.
  const isOccasion = (connector === 'for' || connector === 'für') && !content.some((word) => nouns.has(word))
  const begins = aim === 'change' || aim === 'set' ? vocab.becoming.has(connector) || (tail.isFresh && vocab.showing.has(connector)) : vocab.showing.has(connector) || isOccasion
  if (connector === '' ? words[0] !== '"' : connector !== ':' && !begins) return undefined
  return words.length === 0 ? undefined : { ...tail, subject: withoutArticle(words) }
}

const withoutArticle = (words: readonly string[]): readonly string[] => words.slice(words.findIndex((word) => !vocab.indefinite.has(word) && !vocab.determiners.has(word)))

/** Whether words can be the subject of an image. */
function isSubject(words: readonly string[], nouns: Nouns): boolean {
  const [only = '', ...more] = words
  if (words.length === 0 || (more.length === 0 && (vocab.hardlySubject.has(only) || vocab.indefinite.has(only)))) return words.length === 0
  return !words.some((word) => vocab.noSubject.has(word) || vocab.isImage(word) || otherFields.has(word) || word === ',' && words.at(-1) === ',') && !placeIn(words, nouns)
}
