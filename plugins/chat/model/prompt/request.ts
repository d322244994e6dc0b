import type { PlanningInput } from '../../types/planner.ts'
import type { Mode } from '../modes.ts'
import { languageOf } from './language.ts'

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
/** Kinds of work that take more than one operation, whatever was asked for in general. */
const takesSeveral: readonly Mode[] = ['translation', 'page_rewrite', 'several', 'duplicate']

/** The part of the prompt that goes with one request: what is selected, what kind of work it is, in which language to answer. */
export function requestPart(
  { selection, locale, findsImages }: PlanningInput, modes: ReadonlySet<Mode>, { oneOperationOnly }: { readonly oneOperationOnly: boolean },
): string {
  const isSeveral = takesSeveral.some((mode) => modes.has(mode))
  return [
    `Write summary_for_user, change_log and suggested_next_actions in ${languageOf(locale)}. That says nothing about the language of the content.`,
    targetText(selection),
    ...[...modes].map((mode) => modeTexts[mode]),
    ...(findsImages ? [imagesFound] : []),
    ...(oneOperationOnly && !isSeveral ? [oneOperation] : []),
  ].join('\n')
}

function targetText({ blockId, path }: PlanningInput['selection']): string {
  if (blockId === undefined) return 'Nothing is selected: find the target by what the request names.'
  if (path === undefined) return 'A block is selected; contextPack.selected names it. It is the target unless the request names another.'
  return 'A field is selected; contextPack.selected names it. It is the target unless the request names another.'
}
