import type { Block } from '../../../content/model.ts'
import { splitName } from '../grammar/vocabulary.ts'
import type { Node } from '../grammar/node.ts'
import { Ask, type Choice, type Inquiry } from '../ask.ts'
import { blockWithId, pageOf, standingOf, typeOf, type BlockAt, type Work } from '../work.ts'
import { titlesOf } from './titles.ts'

/** Where in the message a question arose. */
export const keyOf = ({ slot, start }: Node) => `${slot}@${start}`

/** The most choices that a question lists; an answer may still name another one. */
const mostChoices = 10

interface Asking<T> {
  readonly toChoice: (candidate: T) => Choice
  readonly inquiry: (choices: readonly Choice[]) => Inquiry
}

/** The one of several candidates that was answered to an earlier question, or the only one; else asks. */
export function choose<T>(work: Work, node: Node, candidates: readonly T[], asking: Asking<T>): T {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return only
  const answer = work.scene.answers[keyOf(node)]
  const answered = answer === undefined ? undefined : candidates.find((candidate) => asking.toChoice(candidate).id === answer)
  if (answered !== undefined) return answered
  throw askAmong(work, node, candidates, asking)
}

/** What is asked where words may mean several things; of many, the first ten are told and how many more there are. */
export function askAmong<T>({ scene: { texts } }: Work, node: Node, candidates: readonly T[], { toChoice, inquiry }: Asking<T>): Ask {
  const choices = candidates.slice(0, mostChoices).map(toChoice)
  const more = candidates.length - choices.length
  const asked = inquiry(choices)
  const { start, end } = node
  return new Ask({
    key: keyOf(node), choices, span: { start, end }, ...asked, ...(more > 0 && { question: `${asked.question} ${texts.moreChoices(more)}`, more }),
  })
}

/** A block as a choice: told by its type and title, named by words that mean it alone. */
export function blockChoice(work: Work, at: BlockAt): Choice {
  const block = blockWithId(pageOf(work, at.slug), at.id)
  if (!block) return { id: at.id, label: at.id }
  return { id: at.id, label: labelOfBlock(work, block), words: wordsForBlock(work, at.slug, block) }
}

/** A block as people are told of it, by its type and title: `Hero “Paddle the fjord”`. */
export function labelOfBlock(work: Work, block: Block): string {
  const [title] = titlesOf(block)
  const name = typeOf(work, block)?.displayName ?? block.type
  return title === undefined ? name : work.scene.texts.titled(name, title.length > 60 ? `${title.slice(0, 59)}…` : title)
}

/** Words that name a block, and no other one: `the second rich text section`. */
export function wordsForBlock(work: Work, slug: string, block: Block): string {
  const { lexicon } = work.scene
  const standing = standingOf(pageOf(work, slug), block.id)
  const noun = nounFor(work, block.type)
  const words = lexicon.phrases.block(noun, standing?.isOnly === false ? standing.nth : undefined)
  return slug === work.slug ? words : lexicon.phrases.on(words, slug)
}

/** What blocks of a type are called; with a unit, so that no row of a list is meant. */
export function nounFor({ scene: { lexicon, typesByName } }: Work, type: string): string {
  const declared = typesByName.get(type)
  const noun = lexicon.blockNouns[type]?.[0] ?? (declared ? splitName(declared.displayName) : splitName(type))
  const [unit = ''] = lexicon.words['unit'] ?? []
  return `${noun} ${unit}`
}
