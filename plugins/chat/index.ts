import * as v from 'valibot'
import { type Call, clock, countOption, definePlugin, ids, optional } from '../../kernel/index.ts'
import { accessSignal, keptSecret, ProxyVariables, shareHolder } from '../auth/port.ts'
import { demoLock } from '../demo/port.ts'
import { drafts, toCommitContext } from '../draft/port.ts'
import { media } from '../media/port.ts'
import { outbound } from '../outbound/port.ts'
import { scope } from '../scope/port.ts'
import { sites } from '../sites/port.ts'
import { plannerProviders } from '../status/port.ts'
import { store } from '../store/port.ts'
import { usage } from '../usage/port.ts'
import { createPromptHash } from './digest.ts'
import { createResultOf, observed } from './observed.ts'
import { createRunCommit } from './pipeline/commit.ts'
import { createRunner } from './pipeline/index.ts'
import { createPlanning } from './pipeline/plan.ts'
import { createReading } from './pipeline/reading.ts'
import { createRespond } from './pipeline/respond.ts'
import { createVariationRunner, createVary } from './pipeline/variations.ts'
import { createPlanReads } from './plan-reads.ts'
import {
  chatRunner,
  type ChatRunner,
  imageWork,
  modelTerms,
  planners,
  planPreviews,
  runObservers,
  variationMaker,
  variationRunner,
} from './port.ts'
import { createPrefetch } from './prefetch.ts'
import { createReadPicture } from './read-picture.ts'
import { canceled } from './refusals.ts'
import { routes } from './routes.ts'
import { startSweeper } from './sessions/expiring.ts'
import { createMemories } from './sessions/memory.ts'
import { createPendingPlans } from './sessions/pending-plans.ts'
import { providerIn, withModel } from './types/planner.ts'
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
  gives: { plannerProviders, runner: chatRunner, variationRunner, planPreviews },
  routes,
}).setup(async ({ needs, options, env, log, signal: closing }) => {
  const {
    store,
    clock,
    ids,
    drafts,
    scope,
    images,
    usage,
    media,
    terms = { tier: 'balanced', prices: [] },
  } = needs
  const { maxOperations, longestImageMs, longestWaitMs, maxDraftBytes } = options
  const playground = needs.demoLock?.playground
  // A public demo has only the local planners, as its status says.
  const all = needs.planners.flat().filter(({ isLocal }) => isLocal || !playground)
  const providerFor = (requested: string | undefined): string => providerIn(all, requested)
  const limits = { clock, playground, maxOperations }
  const promptHash = createPromptHash(await keptSecret(store, 'prompts'))
  const memories = createMemories(needs)
  const pendingPlans = createPendingPlans(needs)
  const wholeDrafts = createWholeDrafts(drafts, maxDraftBytes)
  const owns = (address: string): boolean => media?.owns(address) === true
  const reading = createReading({ ...needs, memories, pendingPlans, terms, promptHash, owns })
  const readPicture = createReadPicture({ ...needs, log })
  const planning = createPlanning({
    planners: all,
    reading,
    memories,
    images,
    readPicture,
    playground,
    maxOperations,
    log,
  })
  const respond = createRespond(providerFor)
  const vary = createVary({ maker: needs.maker, planning, images, longestImageMs, limits })
  const commit = createRunCommit({ drafts, playground })
  const runner = observed(
    createRunner({
      drafts,
      wholeDrafts,
      scope,
      usage,
      vary,
      respond,
      longestWaitMs,
      reading,
      planning,
      commit,
      pendingPlans,
      memories,
      images,
      longestImageMs,
      limits,
      log,
    }),
    { observers: needs.observers, scope, terms, promptHash, log },
  )
  const placed: ChatRunner = {
    /** Runs a request without a page on the page of the pending plan, or else on the home page. */
    async run(request, how) {
      const { slug = (await pendingPlans.find(scope.draft(request)))?.requestedSlug ?? '/' } = request
      return runner.run({ ...request, slug }, how)
    },
    resultOf: createResultOf({ drafts, scope, terms, promptHash, providerFor }),
  }
  const variations = createVariationRunner({ reading, vary, respond, wholeDrafts, usage, log })
  const planReads = createPlanReads({ reading, pendingPlans, wholeDrafts, limits })
  const prefetch = createPrefetch({ scope, wholeDrafts, reading, planning })
  const sweeper = startSweeper({ store, clock, log })
  const optionsOf = (call: Parameters<typeof shareHolder>[0], signal: AbortSignal) => ({
    id: ids.uuid(),
    signal,
    emit: () => undefined,
    isStreamed: false,
    holder: shareHolder(call, env.TRUST_PROXY),
  })
  /** Aborts when the client disconnects or the service closes. */
  const signalOf = ({ signal }: Pick<Call, 'signal'>): AbortSignal => AbortSignal.any([signal, closing])

  return {
    gives: {
      plannerProviders: () => withModel(all).map(({ name }) => name),
      runner: placed,
      variationRunner: variations,
      planPreviews: planReads.previews,
    },
    close: sweeper.stop,
    handlers: {
      async chat(call) {
        const { actor } = toCommitContext('/chat', call)
        const how = { ...optionsOf(call, accessSignal(call.caller)), actor, limits: call.caller.limits }
        const { status, result: body } = await placed.run(call.body, how).catch((error: unknown) => {
          how.signal.throwIfAborted()
          throw error
        })
        return { status, body }
      },
      plans: async ({ query }) => ({
        status: 200,
        body: { plans: await planReads.list(scope.draft(query)) },
      }),
      plan: async ({ query, params }) => ({
        status: 200,
        body: await planReads.detail(scope.draft(query), params.id),
      }),
      prefetch: async ({ body }) => ({ status: 200, body: await prefetch(body) }),
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
