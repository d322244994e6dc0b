import * as v from 'valibot'
import { type Call, clock, countOption, definePlugin, ids, optional } from '../../kernel/index.ts'
import { accessSignal, keptSecret, ProxyVariables, shareHolder } from '../auth/port.ts'
import { checks } from '../checks/port.ts'
import { demoLock } from '../demo/port.ts'
import { drafts, toCommitContext } from '../draft/port.ts'
import { media } from '../media/port.ts'
import { outbound } from '../outbound/port.ts'
import { scope } from '../scope/port.ts'
import { sites } from '../sites/port.ts'
import { plannerProviders } from '../status/port.ts'
import { store } from '../store/port.ts'
import { usage } from '../usage/port.ts'
import { ApplyVariables, toApplySettings } from './apply-settings.ts'
import { createPromptHash } from './digest.ts'
import { createResultOf, observed } from './observed.ts'
import { createPlanReads } from './plan-reads.ts'
import { chatRunner, type ChatRunner, modelTerms, planPreviews, variationRunner, type VariationRunner } from './port.ts'
import { createReadPicture } from './read-picture.ts'
import { canceled } from './refusals.ts'
import { routes } from './routes.ts'
import { createChains } from './sessions/chains.ts'
import { startSweeper } from './sessions/expiring.ts'
import { createMemories } from './sessions/memory.ts'
import { createPendingPlans } from './sessions/pending-plans.ts'
import { runObservers } from './types/events.ts'
import { imageWork } from './types/images.ts'
import { planners, withModel } from './types/planner.ts'
import { messageReader } from './types/reader.ts'
import { Canceled } from './types/run.ts'
import { variationMaker } from './types/variations.ts'
import { variationFrames } from './variation-frames.ts'
import { createWholeDrafts } from './whole-drafts.ts'

/** Chat: turns messages into plans, and plans into changes that can be undone. Most of it is loaded with the first message. */
export default definePlugin({
  name: 'chat',
  tag: 'Chat',
  options: v.object({
    maxOperations: countOption(200),
    longestWaitMs: countOption(30_000),
    longestImageMs: countOption(30_000),
    maxDraftBytes: countOption(64 * 1024 * 1024),
  }),
  env: v.object({ ...ApplyVariables.entries, ...ProxyVariables.entries }),
  gives: { plannerProviders, runner: chatRunner, variationRunner, planPreviews },
  needs: {
    store, clock, ids, drafts, sites, scope, outbound, planners, reader: messageReader, observers: runObservers,
    imageWork: optional(imageWork), variationMaker: optional(variationMaker), terms: optional(modelTerms),
    demoLock: optional(demoLock), checks: optional(checks), usage: optional(usage), media: optional(media),
  },
  routes,
}).setup(async ({ needs, options, env, log, signal: closing }) => {
  const { scope, ids, terms } = needs
  const warn = (variable: string): void => log.warn({ variable }, 'invalid value ignored, using the default')
  const playground = needs.demoLock?.playground
  // A public demo has local planners alone, as its status says.
  const planners = needs.planners.flat().filter(({ isLocal }) => isLocal || !playground)
  const parts = {
    ...needs,
    ...options,
    log,
    playground,
    planners,
    prices: terms?.prices ?? [],
    defaultTier: terms?.tier ?? 'balanced',
    wholeDrafts: createWholeDrafts(needs.drafts, options.maxDraftBytes),
    readPicture: createReadPicture({ ...needs, log }),
    chains: createChains(needs),
    stepping: toApplySettings(env, warn),
    promptHash: createPromptHash(await keptSecret(needs.store, 'prompts')),
    memories: createMemories(needs),
    pendingPlans: createPendingPlans(needs),
    owns: (address: string) => needs.media?.owns(address) === true,
  }
  const load = async () => {
    const [words, images, { createRunner, placed }, { createVariationRunner }, { createPrefetch }] = await Promise.all([
      needs.reader(), needs.imageWork?.(options.longestImageMs), import('./pipeline/index.ts'), import('./pipeline/variations.ts'), import('./prefetch.ts'),
    ])
    const all = { ...parts, words, images }
    return { runner: placed(observed(createRunner(all), all), all), variations: createVariationRunner(all), prefetch: createPrefetch(all) }
  }
  let loading: ReturnType<typeof load> | undefined
  const loaded = () => (loading ??= load())
  const runner: ChatRunner = { run: async (request, how) => (await loaded()).runner.run(request, how), resultOf: createResultOf(parts) }
  const variations: VariationRunner = { open: async (request, how) => (await loaded()).variations.open(request, how) }
  const planReads = createPlanReads(parts)
  const sweeper = startSweeper({ ...needs, chains: parts.chains, log })
  const optionsOf = (call: Parameters<typeof shareHolder>[0], signal: AbortSignal) =>
    ({ id: ids.uuid(), signal, emit: () => undefined, isStreamed: false, holder: shareHolder(call, env.TRUST_PROXY) })
  /** Aborts when the client disconnects or the service closes. */
  const signalOf = ({ signal }: Pick<Call, 'signal'>): AbortSignal => AbortSignal.any([signal, closing])

  return {
    gives: {
      plannerProviders: () => withModel(planners).map(({ name }) => name),
      runner,
      variationRunner: variations,
      planPreviews: planReads.previews,
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
      plans: async ({ query }) => ({ status: 200, body: { plans: await planReads.list(scope.draft(query)) } }),
      plan: async ({ query, params }) => ({ status: 200, body: await planReads.detail(scope.draft(query), params.id) }),
      prefetch: async ({ body }) => ({ status: 200, body: await (await loaded()).prefetch(body) }),
      async variations(call) {
        const run = await variations.open(call.body, optionsOf(call, signalOf(call)))
        const { status, result } = await run().catch((error: unknown) => {
          throw error instanceof Canceled ? canceled() : error
        })
        return { status, body: result }
      },
      async variationsStream(call) {
        const how = { ...optionsOf(call, signalOf(call)), isStreamed: true }
        return { status: 200, body: variationFrames(await variations.open(call.body, how), log.child({ run: how.id })) }
      },
    },
  }
})
