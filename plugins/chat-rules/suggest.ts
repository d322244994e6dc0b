import { Lru } from '../../kernel/index.ts'
import { destructiveReasons, type DraftSnapshot, longestSuggestion, type OpenQuestion, type PlanningInput } from '../chat/port.ts'
import { authorityOf } from '../content/authority.ts'
import { pagesIn, toDraft } from '../content/draft-view.ts'
import { isInternal } from '../content/fields.ts'
import type { Block } from '../content/model.ts'
import { type Operation, operations } from '../content/operations/index.ts'
import { perObject } from '../content/plain-object.ts'
import { standardTypes } from './answers/page-facts.ts'
import { attempt } from './attempt.ts'
import { namesOn } from './frame/names.ts'
import type { Parser } from './frame/parser.ts'
import type { Vocabulary } from './frame/vocabulary.ts'
import { languagesFor } from './language/index.ts'
import { tokensOf, withoutEnd } from './message/tokens.ts'
import { attemptAnswer } from './open-question.ts'
import { wordsForBlock } from './resolve/choose.ts'
import type { Inquiry } from './work/ask.ts'
import { changesNothing } from './work/perform.ts'
import { fieldsOf, movableBlocks, pageOf, type Work } from './work/work.ts'

/** The most suggestions of an outcome, and the most of them that ask for a new text. */
const mostSuggestions = 4
const mostTexts = 2
const mostBlocks = 8
const mostPages = 3

/** Answers the question for a text when a suggestion is tried; never shown. */
const sampleText = 'Lorem ipsum 7'

/** A request, and the operation that it must lead to: names on a site can change how it is parsed. */
interface Example {
  readonly words: string
  readonly op: Operation['op']
  readonly blockId?: string
}

/** Requests that work on this page. */
export const examplesFor = (work: Work): readonly string[] => [...new Set(examples(work).take(mostSuggestions))]

/** Messages that answer a question; a single one is filled up with examples for the page. */
export function suggestionsFor(work: Work, { choices = [], suggestions = [], span }: Inquiry, open: OpenQuestion | undefined): readonly string[] {
  const named = choices.flatMap(({ words, label }) => [[...(span && words !== undefined ? [replaceSpan(work, span, words)] : []), label]])
  const wordings = [...suggestions.map((message) => [message]), ...named]
  const isGood = (message: string) => message.length <= longestSuggestion && isWorkable(work.context.input, work, message, open)
  const answers = [...new Set(wordings.values().map((each) => each.find(isGood)).filter((message) => message !== undefined).take(mostSuggestions))]
  return answers.length > 1 ? answers : [...new Set([...answers, ...examplesFor(work)])].slice(0, mostSuggestions)
}

/** Suggested next requests: valid after the plan, and before it too when it may wait for approval. */
export function followUps(work: Work): readonly string[] {
  const { context: { input }, ops } = work
  if (ops.some(({ op }) => op === 'remove_page')) return []
  const { slug } = input.selection
  const mayBePending = input.isPlanFirst === true || slug !== work.slug || destructiveReasons(ops, input.draft.pages).length > 0
  const current = mayBePending && new Set(examples({ ...work, draft: toDraft(input.draft), slug, touchedField: undefined }))
  return [...new Set(examples(work).filter((words) => !current || current.has(words)).take(mostSuggestions - 1))]
}

/** Requests that work on the current page, best first. */
function* examples(work: Work): Generator<string, undefined> {
  const { input: { draft: before, playground, allowStructuralEdits } } = work.context
  const { draft } = work
  const snapshot = draft === toDraft(before) ? before : { version: before.version, pages: pagesIn(draft), config: draft.config }
  const names = namesOn(snapshot.pages, snapshot.config)
  const seen = new Set<string>()
  for (const example of candidates(work)) {
    const { words, op } = example
    const isLocked = playground?.ops.has(op) === false || (allowStructuralEdits === false && operations.get(op)?.structural)
    if (isLocked || seen.has(words) || words.length > longestSuggestion) continue
    if (!isUnderstood(work, example, snapshot, names)) continue
    seen.add(words)
    yield words
  }
}

/** Two text edits, then other edits of the page, then more text edits. */
function* candidates(work: Work): Generator<Example> {
  const { touchedField: lastField, slug, context: { language: { phrases, blockNouns }, input } } = work
  const blocks = openBlocks(work, slug)
  const touched = lastField?.slug === slug && !lastField.row ? blocks.filter(({ id }) => id === lastField.id) : []
  const isSelected = ({ id }: Block) => Number(id === input.selection.blockId)
  const others = blocks.filter((block) => !touched.includes(block)).toSorted((a, b) => isSelected(b) - isSelected(a)).slice(0, mostBlocks)
  const first = others.values().flatMap((block) => textsOf(work, slug, block).slice(0, 1))
  const same = touched.flatMap((block) => textsOf(work, slug, block).filter((text) => text.name !== lastField?.name)).slice(0, mostTexts)
  yield* same
  yield* first.take(mostTexts - same.length)
  const missing = standardTypes.find((type) => isAddable(work, type) && !pageOf(work, slug).blocks.some((block) => block.type === type))
  if (missing !== undefined) yield { words: phrases.addBlock(blockNouns[missing]?.[0] ?? missing), op: 'add_block' }
  const movable = movableBlocks(work, slug)
  const last = movable.findLast(({ type }) => isOpen(work, type))
  const [toTop, toBottom] = phrases.places.map((place, index) => (last && movable.at(-index) !== last
    ? [{ words: phrases.moveTo(wordsForBlock(work, slug, last), place), op: 'move_block', blockId: last.id } as const] : []))
  yield* toTop ?? []
  yield { words: phrases.setMeta, op: 'update_page_meta' }
  yield { words: phrases.renamePage, op: 'rename_page' }
  if (isAddable(work, 'Hero') || !authorityOf('Hero', input).ok) yield { words: phrases.createPage, op: 'create_page' }
  yield* toBottom ?? []
  for (const block of others) yield* textsOf(work, slug, block)
  const pages = work.draft.order.filter((page) => page !== slug).slice(0, mostPages)
  for (const page of pages) for (const block of openBlocks(work, page).slice(0, 1)) yield* textsOf(work, page, block).slice(0, 1)
}

/** Whether a block of a type may be added. */
function isAddable(work: Work, type: string): boolean {
  const authority = authorityOf(type, work.context.input)
  return isOpen(work, type) && authority.ok && !authority.blockType.chrome
}

/** The blocks of a page, without those that a public demo locks. */
const openBlocks = (work: Work, slug: string): readonly Block[] => (work.draft.page(slug)?.blocks ?? []).filter(({ type }) => isOpen(work, type))

const isOpen = ({ context: { input: { playground } } }: Work, type: string): boolean => playground?.blockTypes.has(type) ?? true

/** Requests to rewrite a text of a block, one for each field. */
function textsOf(work: Work, slug: string, block: Block): readonly (Example & { readonly name: string })[] {
  const { phrases, fieldNouns } = work.context.language
  return Object.entries(fieldsOf(work, block)).filter(([name, field]) => field.kind === 'text' && !isInternal(name, field)).flatMap(([name]) => {
    const word = fieldNouns.find(([[prop]]) => prop === name)?.[1][0]
    return word === undefined ? [] : [{ name, words: phrases.rewrite(word, wordsForBlock(work, slug, block)), op: 'update_props', blockId: block.id }]
  })
}

/** LRU cache of tried examples without names on the site, by vocabulary. */
const cacheFor = perObject<Vocabulary, Lru<string, boolean>>(() => new Lru(mostCached))
const mostCached = 500

/**
 * Whether an example leads to the operation that it describes.
 *
 * The vocabulary of a language and a site is constant, so each example is tried once; an example that contains a name on
 * the site, such as a title, is tried every time.
 */
function isUnderstood(work: Work, example: Example, draft: DraftSnapshot, names: Parser['names']): boolean {
  const { words, op, blockId } = example
  const { input, parser: { vocabulary }, language } = work.context
  const known = cacheFor(vocabulary)
  const tokens = tokensOf(words, language.typos)
  const isPlain = tokens.every((_, at) => names.find(tokens, at).length === 0)
  const before = isPlain ? known.get(words) : undefined
  if (before !== undefined) return before
  const state = { ...input, message: '', draft, selection: { slug: work.slug } }
  const matches = (ops: Work['ops']) => ops.some((each) => each.op === op && (blockId === undefined || ('blockId' in each && each.blockId === blockId)))
  const isGood = isWorkable(state, work, words, undefined, matches)
  if (isPlain) known.set(words, isGood)
  return isGood
}

/** Whether a message leads to a plan, directly or after the missing text is given. */
function isWorkable(given: PlanningInput, { context: { language } }: Work, message: string, open?: OpenQuestion, matches = (_ops: Work['ops']) => true): boolean {
  const { open: _open, ...input } = given
  if (message === input.message) return false
  const { value, name } = language.joints
  const asked = { ...input, message }
  // A message that is a request in any language is not an answer.
  const isAnswer = open !== undefined && languagesFor(input.locale).every((each) => attempt(asked, each).kind === 'failed')
  const result = isAnswer ? attemptAnswer({ ...asked, open }, language)?.attempt : attempt(asked, language)
  const joint = result?.kind === 'asked' ? [value, name].find((each) => each === result.inquiry.joint) : undefined
  const completed = joint === undefined ? result : attempt({ ...input, message: `${message} ${joint} "${sampleText}"` }, language)
  return completed?.kind === 'done' && !changesNothing(completed.work) && matches(completed.work.ops)
}

/** The message with an ambiguous span replaced. */
function replaceSpan({ context: { parser: { message, tokens } } }: Work, span: { readonly start: number; readonly end: number }, words: string): string {
  const start = tokens[span.start]?.start ?? 0
  const end = tokens[span.end - 1]?.end ?? start
  return message.slice(tokens[0]?.start ?? 0, start) + words + withoutEnd(message.slice(end, tokens.at(-1)?.end), /[?\s]/)
}
