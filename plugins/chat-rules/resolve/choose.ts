import type { Block } from '../../content/model.ts'
import { titlesOf } from '../frame/names.ts'
import type { Name, Noun } from '../frame/noun.ts'
import { splitName } from '../frame/vocabulary.ts'
import { sameWords } from '../message/phrases.ts'
import { Ask, type Choice } from '../work/ask.ts'
import { type BlockAt, blockWithId, pageOf, positionOf, typeOf, type Work } from '../work/work.ts'

/** The key of a question about a phrase, under which its answer is stored. */
export const keyOf = ({ kind, start }: Pick<Noun, 'kind' | 'start'>) => `${kind}@${start}`

/** The most choices that a question lists; an answer may still name another one. */
const mostChoices = 10

interface ChoiceOptions<T> {
  readonly toChoice: (candidate: T) => Choice
  /** The question, given the labels of the candidates. */
  readonly question: (labels: readonly string[]) => string
}

/** The only candidate, or the one chosen in an earlier answer; else asks. */
export function choose<T>(work: Work, noun: Noun, candidates: readonly T[], asking: ChoiceOptions<T>): T {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return only
  const answer = work.context.answers[keyOf(noun)]
  const answered = answer === undefined ? undefined : candidates.find((candidate) => asking.toChoice(candidate).id === answer)
  if (answered !== undefined) return answered
  return askAmong(work, noun, candidates, asking)
}

/** Asks about an ambiguous phrase; lists the first ten candidates. */
export function askAmong<T>({ context: { texts } }: Work, noun: Noun, candidates: readonly T[], { toChoice, question }: ChoiceOptions<T>): never {
  const choices = candidates.slice(0, mostChoices).map(toChoice)
  const more = candidates.length - choices.length
  const asked = question(choices.map(({ label }) => label))
  const { start, end } = noun
  const inquiry = { question: asked, key: keyOf(noun), choices, span: { start, end } }
  throw new Ask(more > 0 ? { ...inquiry, question: `${asked} ${texts.moreChoices(more)}`, more } : inquiry)
}

const shortestPart = 3

/** Those that have a name; with a quoted one, else those that have it as a part of theirs. */
export function withName<T>(all: readonly T[], { text, isQuoted }: Name, namesOf: (one: T) => readonly string[]) {
  const found = all.filter((one) => namesOf(one).some((own) => sameWords(own, text)))
  const part = text.trim().toLowerCase()
  if (found.length > 0 || !isQuoted || part.length < shortestPart) return found
  return all.filter((one) => namesOf(one).some((own) => own.toLowerCase().includes(part)))
}

/** A block as a choice, with its label and an unambiguous phrase. */
export function blockChoice(work: Work, at: BlockAt): Choice {
  const block = blockWithId(pageOf(work, at.slug), at.id)
  return block ? { id: at.id, label: labelOfBlock(work, block), words: wordsForBlock(work, at.slug, block) } : { id: at.id, label: at.id }
}

const longestLabel = 60

/** The type and title of a block: `Hero “Paddle the fjord”`. */
export function labelOfBlock(work: Work, block: Block): string {
  const [title] = titlesOf(block)
  const name = typeOf(work, block)?.displayName ?? block.type
  if (title === undefined) return name
  return work.context.texts.titled(name, title.length > longestLabel ? `${title.slice(0, longestLabel - 1)}…` : title)
}

/** An unambiguous phrase for a block: `the second rich text section`. */
export function wordsForBlock(work: Work, slug: string, block: Block): string {
  const { phrases } = work.context.language
  const position = positionOf(pageOf(work, slug), block.id)
  const words = phrases.block(nounFor(work, block.type), position?.isOnly === false ? position.nth : undefined)
  return slug === work.slug ? words : phrases.on(words, slug)
}

/** The noun for a block type; with a unit, so that it cannot mean a row. */
function nounFor({ context: { language, typesByName } }: Work, type: string): string {
  const noun = language.blockNouns[type]?.[0] ?? splitName(typesByName.get(type)?.displayName ?? type)
  return `${noun} ${language.words.unit[0] ?? ''}`
}
