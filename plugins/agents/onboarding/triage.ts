import * as v from 'valibot'
import { defineLoopTool, type AgentLoop, type LoopRun } from '../loop/port.ts'
import { triagePrompt } from './prompts.ts'
import { modes, type Mode } from './run/events.ts'

const Decision = v.object({
  intent: v.picklist([...modes, 'question']),
  url: v.optional(v.string()),
  siteName: v.optional(v.string()),
  scope: v.optional(v.string()),
  answer: v.optional(v.pipe(v.string(), v.maxLength(2000))),
})

/** Whether a request names a repository, which integration needs. */
export const hasRepository = (message: string): boolean => /github\.com\/|\brepo(?:sitory)?\b/i.test(message)

/**
 * Classifies a request with a small model: returns its mode, or the answer to a question, which needs no run.
 *
 * A failure, or an answer that contradicts the request, keeps the mode.
 */
export async function triage(loop: AgentLoop, { message, mode, siteIds, ...run }: TriageRequest) {
  let decision: v.InferOutput<typeof Decision> | undefined
  const definition = { name: 'decide', description: 'Classifies the request.', input: Decision }
  const decide = defineLoopTool(definition, async (input) => {
    decision ??= input
    return { text: 'noted' }
  })
  const limits = { maxTurns: 1, maxToolCalls: 1, maxTokens: 256, deadlineMs: 20_000 }
  const messages = [{ role: 'user', texts: [{ text: message }] }] as const
  const pending = loop.run({ ...run, system: triagePrompt, messages, tools: [decide], limits })
  const result = await pending.catch(() => {
    run.signal.throwIfAborted()
    return undefined
  })
  const { intent = mode, answer } = decision ?? {}
  if (intent === 'question') return { mode, answer: answer?.trim() || undefined, result }
  const isPossible: Readonly<Record<Mode, boolean>> = {
    create: true,
    migrate: /https?:\/\/\S/i.test(message),
    integrate: hasRepository(message) || siteIds.some((id) => message.includes(id)) || /\w\/\w/.test(message),
  }
  return { mode: isPossible[intent] ? intent : mode, answer: undefined, result }
}

interface TriageRequest extends Pick<LoopRun, 'of' | 'client' | 'model' | 'signal'> {
  readonly message: string
  readonly mode: Mode
  readonly siteIds: readonly string[]
}
