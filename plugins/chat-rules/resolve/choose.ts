import type { Block } from '../../content/model.ts'
import { titlesOf } from '../frame/names.ts'
import type { Noun } from '../frame/nouns.ts'
import { splitName } from '../frame/vocabulary.ts'
import { Ask, type Choice } from '../work/ask.ts'
import { type BlockAt, blockWithId, pageOf, standingOf, typeOf, type Work } from '../work/work.ts'

/** Identifies words of a message, so that an answer to a question about them is kept. */
export const keyOf = ({ kind, start }: Pick<Noun, 'kind' | 'start'>) => `${kind}@${start}`

/** The most choices that a question lists; an answer may still name another one. */
const mostChoices = 10

export interface Asking<T> {
  readonly toChoice: (candidate: T) => Choice
  /** What is asked, with what the candidates are called. */
  readonly question: (labels: readonly string[]) => string
}

/** The only candidate, or the one that was answered to an earlier question; else asks. */
export function choose<T>(work: Work, noun: Noun, candidates: readonly T[], asking: Asking<T>): T {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return only
  const answer = work.scene.answers[keyOf(noun)]
  const answered = answer === undefined ? undefined : candidates.find((candidate) => asking.toChoice(candidate).id === answer)
  if (answered !== undefined) return answered
  throw askAmong(work, noun, candidates, asking)
}

/** What is asked where words may mean several things; of many, the first ten are listed. */
export function askAmong<T>({ scene: { texts } }: Work, noun: Noun, candidates: readonly T[], { toChoice, question }: Asking<T>): Ask {
  const choices = candidates.slice(0, mostChoices).map(toChoice)
  const more = candidates.length - choices.length
  const asked = question(choices.map(({ label }) => label))
  const { start, end } = noun
  const inquiry = { question: asked, key: keyOf(noun), choices, span: { start, end } }
  return new Ask(more > 0 ? { ...inquiry, question: `${asked} ${texts.moreChoices(more)}`, more } : inquiry)
}

/** A block as a choice: by its type and title, named by words that mean it alone. */
export function blockChoice(work: Work, at: BlockAt): Choice {
  const block = blockWithId(pageOf(work, at.slug), at.id)
  return block ? { id: at.id, label: labelOfBlock(work, block), words: wordsForBlock(work, at.slug, block) } : { id: at.id, label: at.id }
}

const longestLabel = 60

/** A block by its type and title: `Hero “Paddle the fjord”`. */
export function labelOfBlock(work: Work, block: Block): string {
  const [title] = titlesOf(block)
  const name = typeOf(work, block)?.displayName ?? block.type
  if (title === undefined) return name
  return work.scene.texts.titled(name, title.length > longestLabel ? `${title.slice(0, longestLabel - 1)}…` : title)
}

/** Words that name a block and no other one: `the second rich text section`. */
export function wordsForBlock(work: Work, slug: string, block: Block): string {
  const { phrases } = work.scene.language
  const standing = standingOf(pageOf(work, slug), block.id)
  const words = phrases.block(nounFor(work, block.type), standing?.isOnly === false ? standing.nth : undefined)
  return slug === work.slug ? words : phrases.on(words, slug)
}

/** What blocks of a type are called; with a unit, so that no row is meant. */
function nounFor({ scene: { language, typesByName } }: Work, type: string): string {
  const noun = language.blockNouns[type]?.[0] ?? splitName(typesByName.get(type)?.displayName ?? type)
  return `${noun} ${language.words.unit[0] ?? ''}`
}
