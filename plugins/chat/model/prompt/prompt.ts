import type { ModelMessage, ModelTool, PromptText } from '../../../llm/port.ts'
import type { ChatTurn, PlanningInput } from '../../types/planner.ts'
import type { Mode } from '../modes.ts'
import { requestPart } from './request.ts'
import { rules } from './rules.ts'
import { sitePart } from './site.ts'

/** Everything of a prompt but the request itself. What rarely changes comes first, each part up to a mark for the cache. */
export interface Prompt {
  readonly tools: readonly ModelTool[]
  readonly system: readonly PromptText[]
  readonly history: readonly ModelMessage[]
}

const mostTurns = 3

/** Puts a prompt together: the tool, the rules, the site, this request's own part, and the conversation so far. */
export function promptFor(
  input: PlanningInput, modes: ReadonlySet<Mode>,
  { tool, oneOperationOnly }: { readonly tool: ModelTool; readonly oneOperationOnly: boolean },
): Prompt {
  return {
    tools: [tool],
    system: [
      { text: rules, keep: true },
      { text: sitePart({ ...input, config: input.draft.config }), keep: true },
      { text: requestPart(input, modes, { oneOperationOnly }) },
    ],
    history: historyOf(input.history ?? []),
  }
}

/** A conversation takes turns: what was said and not answered is left out. */
function historyOf(turns: readonly ChatTurn[]): readonly ModelMessage[] {
  const told = turns.flatMap(({ role, text }, at): readonly (readonly [asked: string, answer: string])[] => {
    const next = turns[at + 1]
    const isPair = role === 'person' && next?.role === 'assistant' && text.trim() !== '' && next.text.trim() !== ''
    return isPair ? [[text, next.text]] : []
  }).slice(-mostTurns)
  return told.flatMap(([asked, answer], at): readonly ModelMessage[] => [
    { role: 'user', texts: [{ text: asked }] },
    { role: 'assistant', texts: [at === told.length - 1 ? { text: answer, keep: true } : { text: answer }] },
  ])
}
