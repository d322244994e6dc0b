import { destructiveReasons, longestSuggestion, type OpenQuestion, type PlanningInput } from '../chat/port.ts'
import { pagesIn } from '../content/draft-view.ts'
import { isInternal } from '../content/field-meta.ts'
import type { Block } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { attempt } from './attempt.ts'
import { languagesFor } from './language/index.ts'
import { standardTypes } from './language/standard-types.ts'
import { withoutEnd } from './message/tokens.ts'
import { attemptAnswer } from './open-question.ts'
import { wordsForBlock } from './resolve/choose.ts'
import type { Inquiry } from './work/ask.ts'
import { changesNothing } from './work/perform.ts'
import { fieldsOf, movableBlocks, pageOf, type Work } from './work/work.ts'

/** The most suggestions that an outcome has, and the most of them that ask for another text. */
const most = 4
const mostTexts = 2
const mostBlocks = 8
const mostPages = 3

/** What is tried where a text will be asked for; it is never shown. */
const anyText = 'Lorem ipsum 7'

/** A request, and what it has to do: a name of the site may read as another request. */
interface Example {
  readonly words: string
  readonly op: Operation['op']
  readonly blockId?: string
}

/** What can really be done on this page. */
export const examplesFor = (work: Work): readonly string[] => fewOf(examples(work), most, [work.scene.input], work)

/** What chooses among what a question left open; filled up with examples for the page. */
export function suggestionsFor(work: Work, { choices = [], suggestions = [], span }: Inquiry, open: OpenQuestion | undefined): readonly string[] {
  const named = choices.flatMap(({ words, label }) => [[...(span && words !== undefined ? [withWords(work, span, words)] : []), label]])
  const wordings = [...suggestions.map((message) => [message]), ...named]
  const isGood = (message: string) => isWorkable(work.scene.input, work, message, open)
  const answers = firstFew(wordings.flatMap((each) => each.find((message) => message.length <= longestSuggestion && isGood(message)) ?? []), most, () => true)
  return answers.length > 1 ? answers : firstFew([...answers, ...fewOf(examples(work), most, [work.scene.input], work, open)], most, () => true)
}

/** What may be done next: possible after the plan, and as things are while it waits. */
export function followUps(work: Work): readonly string[] {
  const { scene: { input }, ops } = work
  if (ops.some(({ op }) => op === 'remove_page')) return []
  const { slug } = input.selection
  const later: PlanningInput = { ...input, message: '', draft: { version: input.draft.version, pages: pagesIn(work.draft), config: work.draft.config }, selection: { slug: work.slug } }
  const now = { ...input, message: '', selection: { slug } }
  const mayStay = input.isPlanFirst === true || slug !== work.slug || destructiveReasons(ops, input.draft.pages).length > 0
  const states = (mayStay ? [later, now] : [later]).filter(({ draft, selection }) => draft.pages.some((page) => page.slug === selection.slug))
  return fewOf(examples(work), most - 1, states, work)
}

/** Two texts of the page and what else may be done, then more texts. */
function* examples(work: Work): Generator<Example> {
  const { touchedField: set, slug, scene: { language: { phrases, blockNouns }, input } } = work
  const blocks = openBlocks(work, slug)
  const touched = set?.slug === slug && !set.row ? blocks.filter(({ id }) => id === set.id) : []
  const others = blocks.filter((block) => !touched.includes(block)).toSorted((a, b) => Number(b.id === input.selection.blockId) - Number(a.id === input.selection.blockId)).slice(0, mostBlocks)
  yield* [...touched.flatMap((block) => textsOf(work, slug, block).filter((text) => text.name !== set?.name)), ...others.flatMap((block) => textsOf(work, slug, block).slice(0, 1))]
    .slice(0, mostTexts)
  const missing = standardTypes.find((type) => isOpen(work, type) && !pageOf(work, slug).blocks.some((block) => block.type === type))
  const last = movableBlocks(work, slug).findLast(({ type }) => isOpen(work, type))
  const moves = last ? phrases.places.map((place): Example => ({ words: phrases.moveTo(wordsForBlock(work, slug, last), place), op: 'move_block', blockId: last.id })) : []
  if (missing !== undefined) yield { words: phrases.addBlock(blockNouns[missing]?.[0] ?? missing), op: 'add_block' }
  yield* [...moves.slice(0, 1), { words: phrases.setMeta, op: 'update_page_meta' }, { words: phrases.renamePage, op: 'rename_page' }, { words: phrases.createPage, op: 'create_page' }, ...moves.slice(1)] satisfies readonly Example[]
  for (const block of others) yield* textsOf(work, slug, block)
  const pages = work.draft.order.filter((page) => page !== slug).slice(0, mostPages)
  for (const page of pages) for (const block of openBlocks(work, page).slice(0, 1)) yield* textsOf(work, page, block).slice(0, 1)
}

/** The blocks of a page, without those that a public demo keeps locked. */
const openBlocks = (work: Work, slug: string): readonly Block[] => (work.draft.page(slug)?.blocks ?? []).filter(({ type }) => isOpen(work, type))

const isOpen = ({ scene: { input: { playground } } }: Work, type: string): boolean => playground?.blockTypes.has(type) ?? true

/** Requests for another text of a block, one for each field. */
function textsOf(work: Work, slug: string, block: Block): readonly (Example & { readonly name: string })[] {
  const { phrases, fieldNouns } = work.scene.language
  return Object.entries(fieldsOf(work, block)).filter(([name, field]) => field.kind === 'text' && !isInternal(name, field)).flatMap(([name]) => {
    const word = fieldNouns.find(([[prop]]) => prop === name)?.[1][0]
    return word === undefined ? [] : [{ name, words: phrases.rewrite(word, wordsForBlock(work, slug, block)), op: 'update_props', blockId: block.id }]
  })
}

/** The first examples that do what they say in each of these states. */
const fewOf = (all: Iterable<Example>, count: number, states: readonly PlanningInput[], work: Work, open?: OpenQuestion): readonly string[] => {
  const found = new Set<string>()
  for (const { words, op, blockId } of all) {
    if (found.size === count) break
    const does = (ops: Work['ops']) => ops.some((each) => each.op === op && (blockId === undefined || ('blockId' in each && each.blockId === blockId)))
    if (words.length <= longestSuggestion && states.every((state) => isWorkable(state, work, words, open, does))) found.add(words)
  }
  return [...found]
}

function firstFew(all: Iterable<string>, count: number, isGood: (message: string) => boolean): readonly string[] {
  const found = new Set<string>()
  for (const message of all) {
    if (found.size === count) break
    if (message.length <= longestSuggestion && isGood(message)) found.add(message)
  }
  return [...found]
}

/** Whether a message leads to a plan, at once or when a text that it asks for is given. */
function isWorkable({ open: _open, ...input }: PlanningInput, { scene: { language } }: Work, message: string, open?: OpenQuestion, does: (ops: Work['ops']) => boolean = () => true): boolean {
  if (message === input.message) return false
  const { value, name } = language.joints
  const asked = { ...input, message }
  // What is a request in some language answers nothing.
  const isAnswer = open !== undefined && languagesFor(input.locale).every((each) => attempt(asked, each).kind === 'failed')
  const said = isAnswer ? attemptAnswer({ ...asked, open }, language)?.attempt : attempt(asked, language)
  const joint = said?.kind === 'asked' ? [value, name].find((each) => each === said.inquiry.joint) : undefined
  const tried = joint === undefined ? said : attempt({ ...input, message: `${message} ${joint} "${anyText}"` }, language)
  return tried?.kind === 'done' && !changesNothing(tried.work) && does(tried.work.ops)
}

/** The message with other words for what could mean several things. */
function withWords({ scene: { ground: { message, tokens } } }: Work, span: { readonly start: number; readonly end: number }, words: string): string {
  const start = tokens[span.start]?.start ?? 0
  const end = tokens[span.end - 1]?.end ?? start
  return message.slice(tokens[0]?.start ?? 0, start) + words + withoutEnd(message.slice(end, tokens.at(-1)?.end), /[?\s]/)
}
