import type { PlanningInput } from '../planner.ts'
import type { Inquiry, Span } from './ask.ts'
import { attempt } from './attempt.ts'
import { toDraft } from './draft-view.ts'
import { examples, isPossible, otherExamples, textExamples, wordsOf } from './examples.ts'
import { withoutEnd } from './message/trim.ts'
import type { Work } from './work.ts'

/** The most suggestions that an outcome has. */
const most = 4

/** Whole messages that choose among what a question left open; filled up with examples for the page. */
export function suggestionsFor(work: Work, inquiry: Inquiry): readonly string[] {
  const { choices = [], suggestions = [], span } = inquiry
  const named = span ? choices.flatMap(({ words }) => (words === undefined ? [] : [withWords(work, span, words)])) : []
  const answers = workable(work, [...suggestions, ...named], most)
  return answers.length > 1 ? answers : workable(work, [...answers, ...wordsOf(examples(work))], most)
}

/** What can really be done on this page. */
export const examplesFor = (work: Work): readonly string[] => workable(work, wordsOf(examples(work)), most)

/**
 * What may be done next: possible while the plan waits, and after it as well.
 *
 * A plan may be an edit that somebody waits for, so that these messages are not read again to see what they do.
 */
export function followUps(work: Work): readonly string[] {
  const { scene: { input }, ops } = work
  if (ops.some(({ op }) => op === 'remove_page')) return []
  const now = { ...work, draft: toDraft(input.draft), slug: input.selection.slug }
  const known = new Map([...textExamples(now), ...otherExamples(now)].map((example) => [example.words, example]))
  const found: string[] = []
  for (const example of examples(work)) {
    const same = known.get(example.words)
    if (same && isPossible(work, example) && isPossible(now, same)) found.push(example.words)
    if (found.length === most - 1) return found
  }
  return found
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
