import * as v from 'valibot'
import { clock, definePlugin, gates, ids, optional } from '../../../kernel/index.ts'
import { bus } from '../../bus/port.ts'
import { chatRunner, planProposals } from '../../chat/port.ts'
import { collectionsOfRuns } from '../../chat/streams/port.ts'
import { demoLock } from '../../demo/port.ts'
import { drafts } from '../../draft/port.ts'
import { defaultPrices, keyedProviders, Prices } from '../../models/port.ts'
import { scope } from '../../scope/port.ts'
import { sites } from '../../sites/port.ts'
import { features } from '../../health/status/port.ts'
import { store } from '../../store/port.ts'
import { toolExecutor } from '../../tools/port.ts'
import { usage } from '../../models/usage/port.ts'
import { createContentAgent } from './content-agent.ts'
import { createHandlers } from './handlers.ts'
import { createLoop } from './loop.ts'
import { agentLoop, contentAgent } from './port.ts'
import { agentKeyOf, AgentVariables, createAgentModel, toLimits } from './settings.ts'
import { routes } from './routes.ts'
import { createRunStreams } from './run-streams.ts'
import type { AgentEvent } from './schemas.ts'

/** The content agent, a model that edits drafts with typed operations, and the loop of all agents. */
export default definePlugin({
  name: 'agents-loop',
  tag: 'Agent',
  options: v.object({ prices: v.optional(Prices) }),
  env: AgentVariables,
  needs: {
    clock,
    ids,
    drafts,
    sites,
    scope,
    executor: toolExecutor,
    gate: gates.agent,
    providers: keyedProviders,
    usage: optional(usage),
    chat: optional(chatRunner),
    proposals: optional(planProposals),
    demoLock: optional(demoLock),
    store,
    bus,
  },
  gives: { agentLoop, contentAgent, features },
  collections: Object.values(collectionsOfRuns('agent')),
  routes,
}).setup(
  ({
    needs: { clock, ids, scope, providers, usage, demoLock, gate, bus, chat, ...needs },
    options,
    env,
    log,
  }) => {
    const loop = createLoop({ usage, prices: options.prices ?? defaultPrices, log })
    const model = createAgentModel(env, providers)
    const agent = createContentAgent({
      ...needs,
      loop,
      ids,
      log,
      model,
      limits: toLimits(env),
      playground: demoLock?.playground,
    })
    const streams = createRunStreams<AgentEvent>({
      clock,
      ids,
      log,
      store: needs.store,
      bus,
      limits: { active: env.AGENT_MAX_CONCURRENT },
      prefix: 'agent',
      failed: (summary) => ({ type: 'error', result: { status: 'error', summary } }),
    })
    // An editor that reads this flag sends every message here instead of to chat, so the key of chat is not enough.
    const isChosen = Boolean(env.AGENT_API_KEY) && agentKeyOf(env)?.provider !== undefined
    const isUsable = isChosen && gate.mounting().mount && !demoLock?.playground
    return {
      gives: { agentLoop: loop, contentAgent: agent, features: { agentMode: isUsable } },
      handlers: createHandlers({ agent, streams, scope, clock, ids, chat, proposals: needs.proposals }),
      close: streams.close,
    }
  },
)
