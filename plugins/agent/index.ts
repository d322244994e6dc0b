import * as v from 'valibot'
import { definePlugin, optional } from '../../kernel/index.ts'
import { defaultPrices, keyedProviders, Prices } from '../llm/port.ts'
import { usage } from '../usage/port.ts'
import { createLoop } from './loop.ts'
import { agentLoop, contentAgent } from './port.ts'
import { createAgentModel } from './provider.ts'
import { agentNotConfigured } from './refusals.ts'
import { AgentVariables } from './settings.ts'

/** The content agent: a model that edits drafts with typed operations, turn by turn; and the loop that other agents are made with. */
export default definePlugin({
  name: 'agent',
  tag: 'Agent',
  options: v.object({ prices: v.optional(Prices) }),
  env: AgentVariables,
  needs: { providers: keyedProviders, usage: optional(usage) },
  gives: { agentLoop, contentAgent },
}).setup(({ needs: { providers, usage }, options, env, log }) => {
  const loop = createLoop({ usage, prices: options.prices ?? defaultPrices, log })
  const model = createAgentModel({ key: env.AGENT_API_KEY, providers, models: { anthropic: env.AGENT_ANTHROPIC_MODEL, openai: env.AGENT_OPENAI_MODEL } })
  return {
    gives: {
      agentLoop: loop,
      contentAgent: {
        check: () => void model(),
        run: () => Promise.reject(agentNotConfigured()),
      },
    },
  }
})
