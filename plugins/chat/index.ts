import * as v from 'valibot'
import { type Call, clock, countOption, definePlugin, ids, optional } from '../../kernel/index.ts'
import { accessSignal, keptSecret, ProxyVariables, shareHolder } from '../auth/port.ts'
import { demoLock } from '../demo/port.ts'
import { drafts, personOf, toCommitContext, toOrigin } from '../draft/port.ts'
import { media } from '../media/port.ts'
import { outbound } from '../outbound/port.ts'
import { scope } from '../scope/port.ts'
import { sites } from '../sites/port.ts'
import { plannerProviders } from '../health/status/port.ts'
import { store } from '../store/port.ts'
import { usage } from '../models/usage/port.ts'
import { createPromptHash } from './message.ts'
import type { Chat } from './pipeline/run.ts'
import { withModel } from './pipeline/plan.ts'
import { createVariationRunner } from './pipeline/variations.ts'
import { createPlanReads } from './plan-reads.ts'
import {
  chatRunner,
  imageWork,
  modelTerms,
  planners,
  planPreviews,
  planProposals,
  runObservers,
  variationMaker,
} from './port.ts'
import { prefetch } from './prefetch.ts'
import { createProposals } from './proposals.ts'
import { canceled } from './refusals.ts'
import { routes } from './routes.ts'
import { createRunner } from './runner.ts'
import { startSweeper, memories, pendingPlans } from './sessions/expiring.ts'
import { createMemories } from './sessions/memory.ts'
import { createPendingPlans } from './sessions/pending-plans.ts'
import { Canceled } from './types/run.ts'
import { variationFrames } from './variation-frames.ts'
import { createWholeDrafts } from './whole-drafts.ts'

const Options = v.object({
  maxOperations: countOption(200),
  /** Milliseconds that a message waits for the previous one. */
  longestWaitMs: countOption(30_000),
  longestImageMs: countOption(30_000),
  maxDraftBytes: countOption(64 * 1024 * 1024),
})

/** Turns messages into plans, and plans into undoable changes. */
export default definePlugin({
  name: 'chat',
  tag: 'Chat',
  options: Options,
  env: ProxyVariables,
  needs: {
    store,
    clock,
    ids,
    drafts,
    sites,
    scope,
    outbound,
    planners,
    observers: runObservers,
    images: optional(imageWork),
    maker: optional(variationMaker),
    terms: optional(modelTerms),
    demoLock: optional(demoLock),
    usage: optional(usage),
    media: optional(media),
  },
  gives: { plannerProviders, runner: chatRunner, planPreviews, planProposals },
  collections: [memories, pendingPlans],
  routes,
}).setup(async ({ needs, options, env, log, signal: closing }) => {
  const { store, clock, ids, drafts, scope, terms = { tier: 'balanced', prices: [] } } = needs
  const playground = needs.demoLock?.playground
  const chat: Chat = {
    ...needs,
    ...options,
    log,
    terms,
    playground,
    // A public demo has only the local planners, as its status says.
    planners: needs.planners.flat().filter(({ isLocal }) => isLocal || !playground),
    memories: createMemories(needs),
    pendingPlans: createPendingPlans(needs),
    wholeDrafts: createWholeDrafts(drafts, options.maxDraftBytes),
    promptHash: createPromptHash(await keptSecret(store, 'prompts')),
  }
  const runner = createRunner(chat)
  const variations = createVariationRunner(chat)
  const planReads = createPlanReads(chat)
  const sweeper = startSweeper({ store, clock, log })
  const optionsOf = (call: Parameters<typeof shareHolder>[0], signal: AbortSignal) => ({
    id: ids.uuid(),
    signal,
    emit: () => undefined,
    isStreamed: false,
    holder: () => shareHolder(call, env.TRUST_PROXY),
  })
  /** Aborts when the client disconnects or the service closes. */
  const signalOf = ({ signal }: Pick<Call, 'signal'>): AbortSignal => AbortSignal.any([signal, closing])

  return {
    gives: {
      plannerProviders: () => withModel(chat).map(({ name }) => name),
      runner,
      planPreviews: planReads.previews,
      planProposals: createProposals(chat),
    },
    close: sweeper.stop,
    handlers: {
      async chat(call) {
        const { actor } = toCommitContext('/chat', call)
        const how = { ...optionsOf(call, accessSignal(call.caller)), actor, limits: call.caller.limits }
        const { status, result: body } = await runner.run(call.body, how).catch((error: unknown) => {
          how.signal.throwIfAborted()
          throw error
        })
        return { status, body }
      },
      plans: async ({ query, caller, header }) => ({
        status: 200,
        body: await planReads.list(
          scope.draft(query),
          personOf(toOrigin({ caller, header, body: query }).actor),
        ),
      }),
      plan: async ({ query, params }) => ({
        status: 200,
        body: await planReads.detail(scope.draft(query), params.id),
      }),
      prefetch: async ({ body, caller, header }) => ({
        status: 200,
        body: await prefetch(chat, body, personOf(toOrigin({ caller, header, body }).actor)),
      }),
      async variations(call) {
        const run = await variations.open(call.body, optionsOf(call, signalOf(call)))
        const { status, result } = await run().catch((error: unknown) => {
          throw error instanceof Canceled ? canceled() : error
        })
        return { status, body: result }
      },
      async variationsStream(call) {
        const how = { ...optionsOf(call, signalOf(call)), isStreamed: true }
        return {
          status: 200,
          body: variationFrames(await variations.open(call.body, how), log.child({ run: how.id })),
        }
      },
    },
  }
})
