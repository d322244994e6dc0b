import * as v from 'valibot'
import { clock, countOption, definePlugin, ids, optional } from '../../kernel/index.ts'
import { accessSignal, keptSecret, ProxyVariables, shareHolder } from '../auth/port.ts'
import { checks } from '../checks/port.ts'
import { demoLock } from '../demo/port.ts'
import { drafts, toCommitContext } from '../draft/port.ts'
import { type ModelClient, modelClients } from '../llm/port.ts'
import { media } from '../media/port.ts'
import { outbound } from '../outbound/port.ts'
import { scope } from '../scope/port.ts'
import { sites } from '../sites/port.ts'
import { plannerProviders } from '../status/port.ts'
import { store } from '../store/port.ts'
import { usage } from '../usage/port.ts'
import { ApplyVariables, toApplySettings } from './apply-settings.ts'
import { createPromptHash } from './digest.ts'
import { imageSources } from './types/images.ts'
import { loadRunners } from './load.ts'
import { createModelPlanner } from './model/planner.ts'
import { ModelOptions, ModelVariables, toSettings, unpricedModels, withoutEffect } from './model/settings.ts'
import { createResultOf } from './observed.ts'
import { chatRunner, type ChatRunner, planPreviews, variationRunner, type VariationRunner } from './port.ts'
import { createReadPicture } from './read-picture.ts'
import { routes } from './routes.ts'
import { createChains } from './sessions/chains.ts'
import { startSweeper } from './sessions/expiring.ts'
import { createMemories } from './sessions/memory.ts'
import { createPendingPlans } from './sessions/pending-plans.ts'
import { runObservers } from './types/events.ts'
import { planners } from './types/planner.ts'
import type { Rules } from './types/reader.ts'
import { createKept } from './variations/kept.ts'
import { toImageSource, VariationVariables } from './variations/settings.ts'
import { createWaitingPlans } from './waiting-plans.ts'
import { createWholeDrafts } from './whole-drafts.ts'

/** The order in which clients prefer providers; any other follows. */
const preferred = ['openai', 'anthropic']
const placeOf = ({ provider }: ModelClient): number => (preferred.includes(provider) ? preferred.indexOf(provider) : preferred.length)
const inOrder = (clients: readonly ModelClient[]): readonly ModelClient[] => clients.toSorted((a, b) => placeOf(a) - placeOf(b))

/** Chat: from words to a plan, from a plan to a change that can be undone; with these rules for messages that need no model, loaded by the first message. */
export function chatPlugin(loadRules: () => Promise<Rules>) {
  return definePlugin({
    name: 'chat',
    tag: 'Chat',
    options: v.object({ maxOperations: countOption(200), longestWaitMs: countOption(30_000), longestImageMs: countOption(30_000), maxDraftBytes: countOption(64 * 1024 * 1024), ...ModelOptions.entries }),
    env: v.object({ ...ModelVariables.entries, ...ApplyVariables.entries, ...VariationVariables.entries, ...ProxyVariables.entries }),
    gives: { plannerProviders, runner: chatRunner, variationRunner, planPreviews },
    needs: { store, clock, ids, drafts, sites, scope, outbound, planners, imageSources, observers: runObservers, demoLock: optional(demoLock), checks: optional(checks), clients: modelClients, usage: optional(usage), media: optional(media) },
    routes,
  }).setup(async ({ needs, options, env, log }) => {
    const { scope, ids, clock, usage, imageSources: sources } = needs
    const clients = inOrder(needs.clients.filter((client) => client !== undefined))
    const warn = (variable: string): void => log.warn({ variable }, 'value means nothing here; the default holds')
    const settings = toSettings(env, options, warn)
    for (const variable of withoutEffect.filter((name) => env[name])) log.warn({ variable }, 'has no effect any more; models are shown pages whole')
    const imageSource = toImageSource(env, warn)
    usage?.usePrices(settings.prices)
    const budget = usage && (() => usage.budget())
    const models = clients.map((client) => createModelPlanner({ client, settings, clock, log, budget }))
    const playground = needs.demoLock?.playground
    // A public demo has the planner by rules alone, as its status says.
    const planners = playground ? [] : [...needs.planners, ...models]
    const parts = {
      ...needs,
      ...options,
      log,
      playground,
      planners,
      prices: settings.prices,
      defaultTier: settings.tier,
      wholeDrafts: createWholeDrafts(needs.drafts, options.maxDraftBytes),
      readPicture: createReadPicture({ ...needs, log }),
      chains: createChains(needs),
      stepping: toApplySettings(env, warn),
      promptHash: createPromptHash(await keptSecret(needs.store, 'prompts')),
      memories: createMemories(needs),
      pendingPlans: createPendingPlans(needs),
    }
    const kept = createKept(clock)
    // A public demo has no images but its own, and no model.
    const late = { ...parts, loadRules, kept, settings, budget, imageSource, sources: playground ? [] : sources, owns: (address: string) => needs.media?.owns(address) === true, clients: playground ? [] : clients }
    let loading: ReturnType<typeof loadRunners> | undefined
    const loaded = () => (loading ??= loadRunners(late))
    const runner: ChatRunner = { run: async (request, how) => (await loaded()).runner.run(request, how), resultOf: createResultOf(parts) }
    const variations: VariationRunner = { open: async (request, how) => (await loaded()).variations.open(request, how) }
    const waitingPlans = createWaitingPlans(parts)
    const sweeper = startSweeper({ ...needs, chains: parts.chains, log })

    return {
      gives: {
        plannerProviders: () => planners.filter(({ available }) => available).map(({ name }) => name),
        runner,
        variationRunner: variations,
        planPreviews: waitingPlans.previews,
      },
      async ready() {
        if (!(await budget?.())) return
        for (const model of unpricedModels(clients, settings.prices)) {
          log.warn({ variable: 'CHAT_BUDGET_USD_PER_DAY', model }, 'what this model costs is not known, and does not count towards the budget; add it to the option prices of chat')
        }
      },
      close() {
        sweeper.stop()
        kept.stop()
      },
      handlers: {
        async chat(call) {
          const { actor } = toCommitContext('/chat', call)
          const { limits } = call.caller
          const how = { id: ids.uuid(), signal: accessSignal(call.caller), emit: () => undefined, isStreamed: false, actor, limits, holder: shareHolder(call, env.TRUST_PROXY) }
          const { status, result: body } = await runner.run(call.body, how).catch((error: unknown) => {
            how.signal.throwIfAborted()
            throw error
          })
          return { status, body }
        },
        plans: async ({ query }) => ({ status: 200, body: { plans: await waitingPlans.list(scope.draft(query)) } }),
        plan: async ({ query, params }) => ({ status: 200, body: await waitingPlans.detail(scope.draft(query), params.id) }),
        prefetch: async ({ body }) => ({ status: 200, body: await (await loaded()).prefetch(body) }),
      },
    }
  })
}
