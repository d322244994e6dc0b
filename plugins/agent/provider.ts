import type { KeyedProvider, LoopClient } from '../llm/port.ts'
import { agentKeyUnrecognized, agentNotConfigured } from './refusals.ts'

/** What the content agent asks: a provider by its key, and the model of it that is usual. */
export interface AgentModel {
  readonly client: LoopClient
  readonly model: string
}

export interface ProviderParts {
  /** AGENT_API_KEY. */
  readonly key: string | undefined
  readonly providers: readonly KeyedProvider[]
  /** The usual model, by provider. */
  readonly models: Readonly<Record<'anthropic' | 'openai', string>>
}

/** The provider that a key belongs to; `undefined` for any other text. */
export function providerOf(key: string): 'anthropic' | 'openai' | undefined {
  if (key.startsWith('sk-ant-')) return 'anthropic'
  return key.startsWith('sk-') ? 'openai' : undefined
}

/** Makes what gives the model of the agent. It refuses with 501 `agent_not_configured` and 500 `agent_key_unrecognized`. */
export function createAgentModel({ key, providers, models }: ProviderParts): () => AgentModel {
  const provider = key && providerOf(key)
  const found = providers.find((each) => each.provider === provider)
  const opened = key && provider && found ? { client: found.open(key), model: models[provider] } : undefined
  return () => {
    if (key && !provider) throw agentKeyUnrecognized()
    if (!opened) throw agentNotConfigured()
    return opened
  }
}
