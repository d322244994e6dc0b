import type { Named, SourceKind } from '../../chat/port.ts'
import { type Nouns, otherFields, placeIn } from './nouns.ts'
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

/** What is said before an image. */
export interface Head {
  readonly named?: Named | undefined
  readonly source?: SourceKind | undefined
  readonly isFresh: boolean
  readonly isIndefinite: boolean
  readonly isDefinite: boolean
  readonly isEvery: boolean
  readonly subject: readonly string[]
}

/** What is said after it. */
export interface Tail {
  readonly named?: Named | undefined
  readonly source?: SourceKind | undefined
  readonly isFresh: boolean
  readonly subject: readonly string[]
}

/** What is said before the image: whose it is, that it is another one, where it comes from, what it shows. */
export function readHead({ aim }: Sentence, words: readonly string[], nouns: Nouns): Head | undefined {
  if (words.some((word) => say.negating.has(word) || say.connectors.has(word) || word === ',' || word === ':')) return undefined
  const rest = words.filter((word) => !say.isPlain(word))
  const facts = {
    source: words.map(say.isSourceWord).find((kind) => kind !== undefined),
    isFresh: words.some((word) => say.fresh.has(word)),
    isIndefinite: words.some((word) => say.indefinite.has(word)),
    isDefinite: words.some((word) => say.determiners.has(word)),
    isEvery: words.some((word) => say.every.has(word)),
  }
  const whole = placeIn(rest, nouns)
  if (rest.length === 0 || whole) return { ...facts, named: whole, subject: [] }
  if (aim === 'change' || aim === 'set') return undefined
  for (let length = rest.length - 1; length >= 0; length -= 1) {
    const [first, last] = [placeIn(rest.slice(0, length), nouns), placeIn(rest.slice(rest.length - length), nouns)]
    const named = first ?? last
    const subject = first ? rest.slice(length) : rest.slice(0, rest.length - length)
    if ((named || length === 0) && isSubject(subject, nouns)) return { ...facts, named, subject }
  }
  return undefined
}

/** What is said after it, part by part: each begins with a word such as `for`, `of` or `from`. */
export function readTail(aim: say.Aim, words: readonly string[], nouns: Nouns): Tail | undefined {
  let tail: Tail = { isFresh: false, subject: [] }
  const owner = words[0] === 'der' || words[0] === 'des' ? ['von'] : []
  for (const { connector, words: part } of partsOf([...owner, ...words])) {
    const next = partOf(aim, tail, connector, part, nouns)
    if (!next) return undefined
    tail = next
  }
  return isSubject(tail.subject, nouns) || tail.subject.length === 0 ? tail : undefined
}

interface Part {
  readonly connector: string
  readonly words: readonly string[]
}

function partsOf(words: readonly string[]): readonly Part[] {
  const parts: { connector: string; words: string[] }[] = []
  for (const word of words) {
    const last = parts.at(-1)
    if (say.connectors.has(word) || word === ':' || !last) parts.push(say.connectors.has(word) || word === ':' ? { connector: word, words: [] } : { connector: '', words: [word] })
    else last.words.push(word)
  }
  return parts.filter(({ connector, words: rest }) => rest.length > 0 || connector !== ':')
}

function partOf(aim: say.Aim, tail: Tail, connector: string, words: readonly string[], nouns: Nouns): Tail | undefined {
  const content = words.filter((word) => !say.determiners.has(word) && !say.indefinite.has(word))
  const source = connector === '' || say.coming.has(connector) || content.some((word) => say.isSourceWord(word)) ? say.sourceIn(content) : undefined
  if (source) return { ...tail, source, isFresh: tail.isFresh || content.some(say.isImage) }
  const isTarget = say.placing.has(connector) && !(connector === 'to' && aim === 'change')
  const named = isTarget && !tail.named && words.length > 0 ? placeIn(content, nouns) : undefined
  if (named) return { ...tail, named }
  const isAnother = say.becoming.has(connector) && content.some((word) => say.isImage(word) || say.fresh.has(word)) && content.every((word) => say.isPlain(word) || say.isImage(word) || say.pronouns.has(word)) && !words.some((word) => say.determiners.has(word))
  if (isAnother) return { ...tail, isFresh: true, source: tail.source ?? content.map(say.isSourceWord).find((kind) => kind !== undefined) }
  if (tail.subject.length > 0) return { ...tail, subject: [...tail.subject, connector, ...words] }
  // An occasion may follow `for`, unless the words contain the name of a block.
  const isOccasion = (connector === 'for' || connector === 'für') && !content.some((word) => nouns.has(word))
  const begins = aim === 'change' || aim === 'set' ? say.becoming.has(connector) || (tail.isFresh && say.showing.has(connector)) : say.showing.has(connector) || isOccasion
  if (connector === '' ? words[0] !== '"' : connector !== ':' && !begins) return undefined
  return words.length === 0 ? undefined : { ...tail, subject: withoutArticle(words) }
}

const withoutArticle = (words: readonly string[]): readonly string[] => words.slice(words.findIndex((word) => !say.indefinite.has(word) && !say.determiners.has(word)))

/** Whether an image can show this. A quoted text may be anything. */
function isSubject(words: readonly string[], nouns: Nouns): boolean {
  const [only = '', ...more] = words
  if (words.length === 0 || (more.length === 0 && (say.hardlySubject.has(only) || say.indefinite.has(only)))) return words.length === 0
  return !words.some((word) => say.noSubject.has(word) || say.isImage(word) || otherFields.has(word) || word === ',' && words.at(-1) === ',') && !placeIn(words, nouns)
}
