import type { PlanningInput } from '../planner.ts'
import type { Inquiry, Span } from './ask.ts'
import { attempt } from './attempt.ts'
import { pagesIn } from './draft-view.ts'
import { withoutEnd } from './message/trim.ts'
import { scalarFields } from './resolve/fields.ts'
import { wordsForBlock } from './resolve/references.ts'
import { standardTypes } from './standard-types.ts'
import { movableBlocks, pageOf, type Work } from './work.ts'

/** The most suggestions that an outcome has. */
const most = 4

/** Whole messages that choose among what a question left open; filled up with examples for the page. */
export function suggestionsFor(work: Work, inquiry: Inquiry): readonly string[] {
  const { choices = [], suggestions = [], span } = inquiry
  const named = span ? choices.flatMap(({ words }) => (words === undefined ? [] : [withWords(work, span, words)])) : []
  const answers = workable(work, [...suggestions, ...named], most)
  return answers.length > 1 ? answers : workable(work, [...answers, ...examples(work)], most)
}

/** What can really be done on this page. */
export const examplesFor = (work: Work): readonly string[] => workable(work, examples(work), most)

/** What may be done next: possible while the plan waits, and after it as well. */
export function followUps(work: Work): readonly string[] {
  const { scene, draft, slug, ops } = work
  if (ops.some(({ op }) => op === 'remove_page')) return []
  const { input } = scene
  const later = { ...input, draft: { ...input.draft, pages: pagesIn(draft), config: draft.config }, selection: { slug } }
  const after = { ...work, scene: { ...scene, input: later } }
  return workable(work, workable(after, examples(after), most), most - 1)
}

/** The first few messages that lead to a plan here and now. */
export function workable(work: Work, messages: readonly string[], count: number): readonly string[] {
  const found: string[] = []
  for (const message of new Set(messages)) {
    if (found.length === count) return found
    if (isWorkable(work.scene.input, work, message)) found.push(message)
  }
  return found
}

function isWorkable(input: PlanningInput, { scene: { lexicon } }: Work, message: string): boolean {
  const { open: _open, ...asked } = input
  const tried = attempt({ ...asked, message }, lexicon)
  return tried.kind === 'done' && tried.work.ops.length > 0
}

/** The message with other words for what could mean several things. */
function withWords({ scene: { parser: { message, tokens } } }: Work, span: Span, words: string): string {
  const start = tokens[span.start]?.start ?? 0
  const end = tokens[span.end - 1]?.end ?? start
  return message.slice(tokens[0]?.start ?? 0, start) + words + withoutEnd(message.slice(end, tokens.at(-1)?.end), /[?\s]/)
}

function examples(work: Work): readonly string[] {
  const { phrases, blockNouns } = work.scene.lexicon
  const page = pageOf(work, work.slug)
  const missing = standardTypes.filter((type) => !page.blocks.some((block) => block.type === type))
  const last = movableBlocks(work, work.slug).at(-1)
  const moves = last ? phrases.places.map((place) => phrases.moveTo(wordsForBlock(work, work.slug, last), place)) : []
  return [
    ...textExamples(work).slice(0, 2),
    ...missing.slice(0, 1).map((type) => phrases.addBlock(blockNouns[type]?.[0] ?? type)),
    ...moves.slice(0, 1),
    phrases.setMeta(phrases.sampleTitle),
    phrases.renamePage(phrases.sampleTitle),
    phrases.createPage(phrases.sampleTitle),
    ...moves,
    phrases.createPage(`${phrases.sampleTitle} ${page.title}`),
  ]
}

/** A new text for one field of each block, the selected block first. */
function textExamples(work: Work): readonly string[] {
  const { phrases, fieldNouns } = work.scene.lexicon
  const { selection } = work.scene.input
  const rank = ({ id }: { readonly id: string }) => (id === selection.blockId ? 0 : 1)
  const blocks = pageOf(work, work.slug).blocks.toSorted((a, b) => rank(a) - rank(b))
  return blocks.slice(0, 8).flatMap((block) => {
    const name = Object.entries(scalarFields(work, { slug: work.slug, id: block.id })).find(([, { kind }]) => kind === 'text')?.[0]
    const word = Object.entries(fieldNouns).find(([, [first]]) => first === name)?.[0]
    if (word === undefined) return []
    return [phrases.setTo(phrases.fieldOf(word, wordsForBlock(work, work.slug, block)), `"${phrases.sampleTitle}"`)]
  })
}
