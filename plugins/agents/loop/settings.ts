import * as v from 'valibot'
import { countVariable } from '../../../kernel/index.ts'
import { defaultModels, type KeyedProvider, KeyVariable } from '../../models/port.ts'
import { agentKeyUnrecognized, agentNotConfigured } from './refusals.ts'

const number = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.check(
      (text) => text !== '' && Number(text) >= least && Number(text) <= most,
      `must be a number from ${least} to ${most}`,
    ),
    v.transform(Number),
  )
const word = v.pipe(v.string(), v.trim(), v.nonEmpty())

export const AgentVariables = v.object({
  AGENT_API_KEY: v.pipe(
    v.optional(KeyVariable),
    v.metadata({ otherwise: '`ANTHROPIC_API_KEY`, or else `OPENAI_API_KEY`' }),
    v.description('The Anthropic (`sk-ant-…`) or OpenAI (`sk-…`) key of the agent.'),
  ),
  ANTHROPIC_API_KEY: v.optional(KeyVariable),
  OPENAI_API_KEY: v.optional(KeyVariable),
  AGENT_ANTHROPIC_MODEL: v.pipe(
    v.optional(word, defaultModels.agent.anthropic),
    v.description('The model of the agent with an Anthropic key.'),
  ),
  AGENT_OPENAI_MODEL: v.pipe(
    v.optional(word, defaultModels.agent.openai),
    v.description('The model of the agent with an OpenAI key.'),
  ),
  AGENT_MAX_TOKENS: v.pipe(
    v.optional(countVariable(256), '16384'),
    v.description('The maximum number of tokens in one answer of the model.'),
  ),
  AGENT_TEMPERATURE: v.pipe(
    v.optional(number(0, 2), '0'),
    v.description('The sampling temperature; omitted for models that do not accept one.'),
  ),
  AGENT_MAX_TOOL_CALLS: v.pipe(
    v.optional(countVariable(1), '20'),
    v.description('The maximum number of tool calls in one run.'),
  ),
  AGENT_THINKING_BUDGET: v.pipe(
    v.optional(countVariable(0), '10000'),
    v.description('The thinking budget in tokens for large requests; `0` disables thinking.'),
  ),
  AGENT_MAX_DURATION_MS: v.pipe(
    v.optional(countVariable(1_000, 999_999_999), '170000'),
    v.description('The maximum duration of one run, in milliseconds.'),
  ),
  AGENT_MAX_CONCURRENT: v.pipe(
    v.optional(countVariable(1), '8'),
    v.description('The maximum number of concurrent runs of the agent.'),
  ),
})
export type AgentVariables = v.InferOutput<typeof AgentVariables>

/** The limits of one run of the content agent. */
export const toLimits = (env: AgentVariables) => ({
  maxTokens: env.AGENT_MAX_TOKENS,
  maxToolCalls: env.AGENT_MAX_TOOL_CALLS,
  deadlineMs: env.AGENT_MAX_DURATION_MS,
  thinkingTokens: env.AGENT_THINKING_BUDGET,
  temperature: env.AGENT_TEMPERATURE,
})
export type ContentLimits = Readonly<ReturnType<typeof toLimits>>

/** Returns the key of the agent, or else one of chat, with its provider; `undefined` for an unrecognized key. */
export function agentKeyOf({
  AGENT_API_KEY: own,
  ANTHROPIC_API_KEY: anthropic,
  OPENAI_API_KEY: openai,
}: Pick<AgentVariables, 'AGENT_API_KEY' | 'ANTHROPIC_API_KEY' | 'OPENAI_API_KEY'>) {
  if (own)
    return {
      key: own,
      provider: own.startsWith('sk-ant-') ? 'anthropic' : own.startsWith('sk-') ? 'openai' : undefined,
    } as const
  if (anthropic) return { key: anthropic, provider: 'anthropic' } as const
  return openai ? ({ key: openai, provider: 'openai' } as const) : undefined
}

/**
 * Creates the function that returns a client for the provider of the key, and its default model. That
 * function refuses with 501 `agent_not_configured` and 500 `agent_key_unrecognized`.
 */
export function createAgentModel(env: AgentVariables, providers: readonly KeyedProvider[]) {
  const { key, provider } = agentKeyOf(env) ?? {}
  const models = { anthropic: env.AGENT_ANTHROPIC_MODEL, openai: env.AGENT_OPENAI_MODEL }
  const found = providers.find((each) => each.provider === provider)
  const opened = key && provider && found ? { client: found.open(key), model: models[provider] } : undefined
  return () => {
    if (key && !provider) throw agentKeyUnrecognized()
    if (!opened) throw agentNotConfigured()
    return opened
  }
}
