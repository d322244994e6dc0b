import { type Call, definePlugin } from '../../kernel/index.ts'
import { accessSignal, shareHolder } from '../auth/port.ts'
import { toCommitContext } from '../draft/port.ts'
import { plannerProviders } from '../status/port.ts'
import { createResultOf, observed } from './observed.ts'
import { createParts, needs, Options, Variables } from './pipeline/deps.ts'
import { createPlanReads } from './plan-reads.ts'
import { chatRunner, type ChatRunner, planPreviews, variationRunner, type VariationRunner } from './port.ts'
import { canceled } from './refusals.ts'
import { routes } from './routes.ts'
import { startSweeper } from './sessions/expiring.ts'
import { withModel } from './types/planner.ts'
import { Canceled } from './types/run.ts'
import { variationFrames } from './variation-frames.ts'

/** Turns messages into plans, and plans into undoable changes. Most code is loaded with the first message. */
export default definePlugin({
  name: 'chat',
  tag: 'Chat',
  options: Options,
  env: Variables,
  gives: { plannerProviders, runner: chatRunner, variationRunner, planPreviews },
  needs,
  routes,
}).setup(async (setup) => {
  const { needs, options: { longestImageMs }, env, log, signal: closing } = setup
  const { scope, ids } = needs
  const parts = await createParts(setup)
  const load = async () => {
    const [pipeline, variations, prefetch, words, images] = await Promise.all([
      import('./pipeline/index.ts'), import('./pipeline/variations.ts'), import('./prefetch.ts'),
      needs.reader(), needs.imageWork?.(longestImageMs),
    ])
    const deps = { ...parts, observers: needs.observers, words, images }
    return {
      runner: observed(pipeline.createRunner(deps), deps),
      variations: variations.createVariationRunner(deps),
      prefetch: prefetch.createPrefetch(deps),
    }
  }
  let loading: ReturnType<typeof load> | undefined
  const loaded = () => (loading ??= load())
  const runner: ChatRunner = {
    /** Runs a request without a page on the page of the pending plan, or else on the home page. */
    async run(request, how) {
      const { runner } = await loaded()
      const { slug = (await parts.pendingPlans.find(scope.draft(request)))?.requestedSlug ?? '/' } = request
      return runner.run({ ...request, slug }, how)
    },
    resultOf: createResultOf(parts),
  }
  const variations: VariationRunner = {
    open: async (request, how) => (await loaded()).variations.open(request, how),
  }
  const planReads = createPlanReads(parts)
  const sweeper = startSweeper({ ...needs, log })
  const optionsOf = (call: Parameters<typeof shareHolder>[0], signal: AbortSignal) =>
    ({ id: ids.uuid(), signal, emit: () => undefined, isStreamed: false, holder: shareHolder(call, env.TRUST_PROXY) })
  /** Aborts when the client disconnects or the service closes. */
  const signalOf = ({ signal }: Pick<Call, 'signal'>): AbortSignal => AbortSignal.any([signal, closing])

  return {
    gives: {
      plannerProviders: () => withModel(parts.planners).map(({ name }) => name),
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
