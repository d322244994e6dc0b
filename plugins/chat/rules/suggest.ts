import { longestSuggestion, type OpenQuestion } from '../types/plan.ts'
import { toDraft } from '../../content/draft-view.ts'
import { destructiveReasons } from '../pipeline/gate.ts'
import type { Inquiry, Span } from './ask.ts'
import { attempt } from './attempt.ts'
import { anyText, furtherTextIdeas, isPossible, otherIdeas, textIdeas, type Idea } from './examples.ts'
import { lexiconsFor } from './lexicon/index.ts'
import { withoutEnd } from './message/trim.ts'
import { attemptAnswer } from './open-question.ts'
import { changesNothing, onPage, type Work } from './work.ts'

/** The most suggestions that an outcome has. */
const most = 4
const mostTexts = 2

/** What chooses among what a question left open, as a whole message or, where that is too long, as an answer; filled up with examples for the page. */
export function suggestionsFor(work: Work, { choices = [], suggestions = [], span }: Inquiry, open: OpenQuestion | undefined): readonly string[] {
  const named = choices.map(({ words, label }) => [...(span && words !== undefined ? [withWords(work, span, words)] : []), label])
  const answers = workable(work, [...suggestions.map((message) => [message]), ...named], most, [], open)
  return answers.length > 1 ? answers : workable(work, each(examples(work)), most, answers)
}

/** What can really be done on this page. */
export const examplesFor = (work: Work): readonly string[] => workable(work, each(examples(work)), most)

/** Two texts of the page, and what else may be done; more texts where that is too little. */
function* examples(work: Work): Generator<string> {
  const words = (ideas: readonly Idea[]) => ideas.flatMap((idea) => idea(work)?.words ?? [])
  yield* words(textIdeas(work)).slice(0, mostTexts)
  yield* words(otherIdeas)
  for (const idea of furtherTextIdeas(work)) yield* words([idea])
}

/**
 * What may be done next: possible after the plan, and as things are while it waits, or where it leads to another page.
 *
 * Somebody waits for the edit, so these messages are not read again to see what they do.
 */
export function followUps(work: Work): readonly string[] {
  const { scene: { input }, ops } = work
  if (ops.some(({ op }) => op === 'remove_page')) return []
  const { slug } = input.selection
  const [now, later] = [onPage({ ...work, draft: toDraft(input.draft) }, slug), onPage(work, work.slug)]
  const mayStay = input.isPlanFirst === true || slug !== work.slug || destructiveReasons(ops, input.draft.pages).length > 0
  const toWords = (idea: Idea) => {
    const [words, ...others] = (mayStay ? [later, now] : [later]).map((state) => wordsIfPossible(state, idea))
    return others.every((other) => other === words) ? words : undefined
  }
  const texts = firstFew(textIdeas(later), mostTexts, toWords)
  const more = firstFew(otherIdeas, most - 1, toWords, texts)
  return firstFew(furtherTextIdeas(later), most - 1, toWords, more)
}

function wordsIfPossible(work: Work, idea: Idea): string | undefined {
  const example = idea(work)
  return example && example.words.length <= longestSuggestion && isPossible(work, example) ? example.words : undefined
}

function* each(messages: Iterable<string>): Generator<readonly string[]> {
  for (const message of messages) yield [message]
}

/** Those that are there already, filled up with the first messages that lead to a plan here and now, or to the question for a text; of several wordings the first one. */
function workable(work: Work, messages: Iterable<readonly string[]>, count: number, before: readonly string[] = [], open?: OpenQuestion): readonly string[] {
  return firstFew(messages, count, (wordings) => wordings.find((message) => message.length <= longestSuggestion && isWorkable(work, message, open)), before)
}

function firstFew<T>(all: Iterable<T>, count: number, toWords: (one: T) => string | undefined, before: readonly string[] = []): readonly string[] {
  const found = new Set(before)
  for (const one of all) {
    if (found.size === count) break
    const words = toWords(one)
    if (words !== undefined) found.add(words)
  }
  return [...found]
}

function isWorkable({ scene: { input, lexicon } }: Work, message: string, open: OpenQuestion | undefined): boolean {
  const { open: _open, ...asked } = input
  const { value, name } = lexicon.joints
  const said = attempt({ ...asked, message }, lexicon)
  const joint = said.kind === 'asked' ? [value, name].find((each) => each === said.inquiry.joint) : undefined
  if (message === asked.message) return false
  const tried = joint === undefined ? said : attempt({ ...asked, message: `${message} ${joint} "${anyText}"` }, lexicon)
  // What is a request in some language answers nothing.
  const isAnswer = open && lexiconsFor(asked.locale).every((each) => attempt({ ...asked, message }, each).kind === 'failed')
  const answered = isAnswer ? attemptAnswer({ ...asked, message, open }, lexicon)?.attempt : tried
  return answered?.kind === 'done' && !changesNothing(answered.work)
}

/** The message with other words for what could mean several things. */
function withWords({ scene: { parser: { message, tokens }, lexicon: { phrases } } }: Work, span: Span, words: string): string {
  const start = tokens[span.start]?.start ?? 0
  const end = tokens[span.end - 1]?.end ?? start
  const fitting = phrases.inPlaceOf?.(message.slice(start, end), tokens[span.start - 1]?.word ?? '', words) ?? words
  return message.slice(tokens[0]?.start ?? 0, start) + fitting + withoutEnd(message.slice(end, tokens.at(-1)?.end), /[?\s]/)
}
