import type { ChatTurn, PlanningInput } from '../../chat/port.ts'
import { fenced, type ModelMessage, type ModelTool, type PromptText, stableJson } from '../../llm/port.ts'
import { languageOf, type Mode } from '../language.ts'
import { rules } from './rules.ts'
import { sitePart } from './site.ts'

/** Everything of a prompt but the request itself. What rarely changes comes first, each part up to a mark for the cache. */
export interface Prompt {
  readonly tools: readonly ModelTool[]
  readonly system: readonly PromptText[]
  readonly history: readonly ModelMessage[]
}

/** What was wrong with the answer before, when it is asked for again. */
export interface Feedback {
  readonly problem: unknown
  /** The plan to fix, as it came. */
  readonly plan?: string | undefined
}

const mostTurns = 3

/** What is added for a kind of work. */
const modeTexts: Readonly<Record<Mode, string>> = {
  translation: 'Translate the whole page: every text, rich text, html and image description of every block, each row of each list included. Leave links, addresses, choices, colours, numbers and ids alone. One operation for each block.',
  page_rewrite: 'Rewrite the whole page: one update for each block with text, and every change that the request names.',
  several: 'The request asks for several things: plan an operation for each of them.',
  duplicate: 'Duplicate first, then change the copy; name the copy by the id that you gave it.',
  question: 'This reads like a question. Answer it, unless it plainly asks for an edit.',
  page_operation: 'This may be about pages themselves, not about what is on them: use the operations for pages.',
}

const imagesFound = 'New images can be looked for here after all: for each that the request wants and gives no address for, add an entry to images instead of an operation, with a query of a few plain words in the language of the request. A block that this plan adds has to have an id of its own then. Put images before ops; ops may be empty, and change_log has no lines for images.'
const oneOperation = 'Plan exactly one operation.'
/** Kinds of work that take more than one operation, whatever the settings say. */
const takesSeveral: readonly Mode[] = ['translation', 'page_rewrite', 'several', 'duplicate']

/** Puts a prompt together: the tool, the rules, the site, this request's own part, and the conversation so far. */
export function promptFor(
  input: PlanningInput, modes: ReadonlySet<Mode>,
  { tool, oneOperationOnly }: { readonly tool: ModelTool; readonly oneOperationOnly: boolean },
): Prompt {
  return {
    tools: [tool],
    system: [
      { text: rules, keep: true },
      { text: sitePart(input), keep: true },
      { text: requestPart(input, modes, oneOperationOnly) },
    ],
    history: historyOf(input.history ?? []),
  }
}

/** What goes with one request: what is selected, what kind of work it is, in which language to answer. */
function requestPart({ selection, locale, findsImages }: PlanningInput, modes: ReadonlySet<Mode>, oneOperationOnly: boolean): string {
  return [
    `Write summary_for_user, change_log and suggested_next_actions in ${languageOf(locale)}. That says nothing about the language of the content.`,
    selection.blockId === undefined
      ? 'Nothing is selected: find the target by what the request names.'
      : `A ${selection.path === undefined ? 'block' : 'field'} is selected; contextPack.selected names it. It is the target unless the request names another.`,
    ...[...modes].map((mode) => modeTexts[mode]),
    ...(findsImages ? [imagesFound] : []),
    ...(oneOperationOnly && !takesSeveral.some((mode) => modes.has(mode)) ? [oneOperation] : []),
  ].join('\n')
}

/** A conversation takes turns: a message without its answer is left out. */
function historyOf(turns: readonly ChatTurn[]): readonly ModelMessage[] {
  const pairs = turns.flatMap(({ role, text }, at): readonly (readonly [asked: string, answer: string])[] => {
    const next = turns[at + 1]
    const isPair = role === 'person' && next?.role === 'assistant' && text.trim() !== '' && next.text.trim() !== ''
    return isPair ? [[text, next.text]] : []
  }).slice(-mostTurns)
  return pairs.flatMap(([asked, answer], at): readonly ModelMessage[] => [
    { role: 'user', texts: [{ text: asked }] },
    { role: 'assistant', texts: [at === pairs.length - 1 ? { text: answer, keep: true } : { text: answer }] },
  ])
}

const answerNote = 'A question was asked about the first part of the request; what follows after the empty line answers it.'
const againInstruction = 'Your last answer could not be used; the problem says why. Answer again, with one call of submit_edit_plan.'
const repairInstruction = 'Put right what the problem names, in the earlier plan. Keep every operation and all wording that is not concerned.'

/** The message that asks for a plan: the request, what is wrong with the answer before, and what is shown for it. */
export function taskText({ message, selection, open }: PlanningInput, shown: string, feedback: Feedback | undefined): string {
  const task = stableJson({
    request: message,
    slug: selection.slug,
    ...(open && { note: answerNote }),
    ...(feedback && { feedback: { instruction: feedback.plan === undefined ? againInstruction : repairInstruction } }),
  })
  return [
    task,
    ...(feedback ? [fenced('problem', feedback.problem)] : []),
    shown,
    ...(feedback?.plan === undefined ? [] : [fenced('earlier plan', feedback.plan)]),
  ].join('\n\n')
}
