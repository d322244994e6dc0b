import * as v from 'valibot'
import { defineLoopTool, type AgentLoop, type LoopResult, type LoopRun } from '../agent/port.ts'
import { triagePrompt } from './prompts.ts'
import { modes, type Mode } from './run/events.ts'

const Decision = v.object({
  intent: v.picklist([...modes, 'question']),
  url: v.optional(v.string()),
  siteName: v.optional(v.string()),
  scope: v.optional(v.string()),
  answer: v.optional(v.pipe(v.string(), v.maxLength(2000))),
})
type Decision = v.InferOutput<typeof Decision>

interface Triaged {
  readonly mode: Mode
  /** The answer to a question, for which no run is needed. */
  readonly answer: string | undefined
  readonly result: LoopResult | undefined
}

/** Guesses the mode from the words of a request, as existing clients do. */
export function guessMode(message: string): Mode {
  return /\b(?:integrat\w*|sdk|existing (?:project|repo\w*|code\w*|site)|repo(?:sitory)?|connect)\b/i.test(message) || hasRepository(message) ? 'integrate' : 'migrate'
}

const hasUrl = (message: string): boolean => /https?:\/\/\S/i.test(message)
const hasRepository = (message: string): boolean => /github\.com\/|\brepo(?:sitory)?\b/i.test(message)

/** Classifies a request with a small model. A failure, or an answer that contradicts the request, keeps the mode. */
export async function triage(loop: AgentLoop, run: Pick<LoopRun, 'of' | 'client' | 'model' | 'signal'>, { message, mode, siteIds }: { readonly message: string; readonly mode: Mode; readonly siteIds: readonly string[] }): Promise<Triaged> {
  let decision: Decision | undefined
  const decide = defineLoopTool({ name: 'decide', description: 'Classifies the request.', input: Decision }, async (input) => {
    decision ??= input
    return { text: 'noted' }
  })
  const limits = { maxTurns: 1, maxToolCalls: 1, maxTokens: 256, deadlineMs: 20_000 }
  const result = await loop.run({ ...run, system: triagePrompt, messages: [{ role: 'user', texts: [{ text: message }] }], tools: [decide], limits }).catch(() => {
    run.signal.throwIfAborted()
    return undefined
  })
  const { intent, answer } = decision ?? {}
  if (intent === 'question') return { mode, answer: answer?.trim() || undefined, result }
  const isPossible = intent === 'migrate' ? hasUrl(message) : intent === 'integrate' ? hasRepository(message) || siteIds.some((id) => message.includes(id)) || /\w\/\w/.test(message) : intent === 'create'
  return { mode: intent !== undefined && isPossible ? intent : mode, answer: undefined, result }
}
