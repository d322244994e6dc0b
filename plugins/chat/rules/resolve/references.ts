import type { Block } from '../../../content/model.ts'
import { splitName } from '../grammar/vocabulary.ts'
import type { Node } from '../grammar/node.ts'
import { Ask, type Choice, type Inquiry } from '../ask.ts'
import { movableBlocks, pageOf, typeOf, type BlockAt, type Work } from '../work.ts'
import { titlesOf } from './titles.ts'

/** Where in the message a question arose. */
export const keyOf = ({ slot, start }: Node) => `${slot}@${start}`

/** The one of several candidates that was answered to an earlier question, or the only one; else asks. */
export function choose<T>(
  work: Work, node: Node, candidates: readonly T[],
  { toChoice, inquiry }: { readonly toChoice: (candidate: T) => Choice; readonly inquiry: (choices: readonly Choice[]) => Inquiry },
): T {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return only
  const answer = work.scene.answers[keyOf(node)]
  const answered = candidates.find((candidate) => toChoice(candidate).id === answer)
  if (answered !== undefined) return answered
  const choices = candidates.map(toChoice)
  const { start, end } = node
  throw new Ask({ key: keyOf(node), choices, span: { start, end }, ...inquiry(choices) })
}

/** A block as a choice: told by its type and title, named by words that mean it alone. */
export function blockChoice(work: Work, at: BlockAt): Choice {
  const block = pageOf(work, at.slug).blocks.find(({ id }) => id === at.id)
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
  const same = pageOf(work, slug).blocks.filter(({ type }) => type === block.type)
  const noun = nounFor(work, block.type)
  const words = lexicon.phrases.block(noun, same.length > 1 ? same.findIndex(({ id }) => id === block.id) + 1 : undefined)
  return slug === work.slug ? words : lexicon.phrases.on(words, slug)
}

/** What blocks of a type are called; with a unit, so that no row of a list is meant. */
export function nounFor({ scene: { lexicon, types } }: Work, type: string): string {
  const declared = types.find((known) => known.type === type)
  const noun = lexicon.blockNouns[type]?.[0] ?? (declared ? splitName(declared.displayName) : splitName(type))
  const [unit = ''] = lexicon.words['unit'] ?? []
  return `${noun} ${unit}`
}

/** The blocks of a page as choices, those that can be moved. */
export function blockChoices(work: Work, slug: string): readonly Choice[] {
  return movableBlocks(work, slug).map(({ id }) => blockChoice(work, { slug, id }))
}
