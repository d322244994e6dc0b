import * as v from 'valibot'
import { clock, definePlugin, ids, optional } from '../../kernel/index.ts'
import { demoLock } from '../demo/port.ts'
import { drafts, toCommitContext } from '../draft/port.ts'
import { scope } from '../scope/port.ts'
import { sites } from '../sites/port.ts'
import { plannerProviders, providerNames } from '../status/port.ts'
import { modelClient, modelTiers } from '../llm/port.ts'
import { outbound } from '../outbound/port.ts'
import { store } from '../store/port.ts'
import { usage } from '../usage/port.ts'
import { createChains } from './sessions/chains.ts'
import { createMemories } from './sessions/memory.ts'
import { imageSources } from './images/source.ts'
import { observed } from './run/observed.ts'
import { createPendingPlans } from './sessions/pending-plans.ts'
import { createModelPlanner } from './model/planner.ts'
import { ModelOptions, ModelVariables, toSettings } from './model/settings.ts'
import { priceOf } from './model/usage.ts'
import { createReadPicture } from './planners/pictures.ts'
import { planners } from './planners/planner.ts'
import { chatRunner, variationRunner, type ChatRunner, type VariationRunner } from './port.ts'
import { createPrefetch } from './prefetch.ts'
import { routes } from './routes.ts'
import { runObservers } from './run/observer.ts'
import type { Rules, RulesPlanner } from './planners/rules.ts'
import { createRunner } from './service.ts'
import { ApplyVariables, toApplySettings } from './apply/settings.ts'
import { startSweeper } from './sessions/sweeper.ts'
import { createKept } from './variations/kept.ts'
import { toImageSource, VariationVariables } from './variations/settings.ts'
import { createWaiting } from './sessions/waiting.ts'

const count = (fallback: number) => v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), fallback)

/** Chat: from words to a plan, from a plan to a change that can be undone; with these rules for messages that need no model, loaded by the first message. */
export function chatPlugin(loadRules: () => Promise<Rules>) {
  return definePlugin({
    name: 'chat',
    tag: 'Chat',
    options: v.object({ maxOperations: count(200), longestWaitMs: count(30_000), longestImageMs: count(30_000), ...ModelOptions.entries }),
    env: v.object({ ...ModelVariables.entries, ...ApplyVariables.entries, ...VariationVariables.entries }),
    gives: { plannerProviders, runner: chatRunner, variationRunner },
    needs: { store, clock, ids, drafts, sites, scope, outbound, planners, imageSources, observers: runObservers, demoLock: optional(demoLock), client: optional(modelClient), usage: optional(usage) },
    routes,
  }).setup(({ needs, options, env, log }) => {
    const { scope, ids, clock, client, usage, imageSources: sources } = needs
    const warn = (variable: string): void => log.warn({ variable }, 'value means nothing here; the default holds')
    const settings = toSettings(env, options, warn)
    const imageSource = toImageSource(env, warn)
    const budget = usage && (() => usage.budget())
    const model = createModelPlanner({ client, settings, clock, log, budget })
    const playground = needs.demoLock?.playground
    // A public demo has the planner by rules alone, as its status says.
    const planners = playground ? [] : [...needs.planners, model]
    const parts = {
      ...needs,
      ...options,
      log,
      playground,
      planners,
      prices: settings.prices,
      defaultTier: settings.tier,
      readPicture: createReadPicture({ ...needs, log }),
      chains: createChains(needs),
      stepping: toApplySettings(env, warn),
      memories: createMemories(needs),
      pendingPlans: createPendingPlans(needs),
    }
    const kept = createKept(clock)
    const load = async () => {
      const [{ plan, words }, { createVariations, createVariationRunner }] = await Promise.all([loadRules(), import('./variations/index.ts')])
      const rules: RulesPlanner = (input) => plan({ ...input, playground })
      // A public demo has no images but its own.
      const images = sources.length > 0 && !playground ? (await import('./images/index.ts')).createImageWork({ ...parts, sources }) : undefined
      const variations = createVariations({ ...parts, rules, kept, settings, budget, images, imageSource, client: playground ? undefined : client })
      const all = { ...parts, rules, words, variations, images }
      return { runner: observed(createRunner(all), all), variations: createVariationRunner(all), prefetch: createPrefetch(all) }
    }
    let loading: ReturnType<typeof load> | undefined
    const loaded = () => (loading ??= load())
    const runner: ChatRunner = { run: async (request, how) => (await loaded()).runner.run(request, how) }
    const variations: VariationRunner = { open: async (request, how) => (await loaded()).variations.open(request, how) }
    const waiting = createWaiting(parts)
    const sweeper = startSweeper({ ...needs, chains: parts.chains, log })

    return {
      gives: {
        plannerProviders: () => providerNames.filter((name) => planners.some((planner) => planner.name === name && planner.available)),
        runner,
        variationRunner: variations,
      },
      async ready() {
        if (!client || !(await budget?.())) return
        for (const model of new Set([...modelTiers.map((tier) => client.modelOf(tier)), client.seeingModel])) {
          if (!priceOf(model, settings.prices)) log.warn({ variable: 'CHAT_BUDGET_USD_PER_DAY', model }, 'what this model costs is not known, and does not count towards the budget; add it to the option prices of chat')
        }
      },
      close() {
        sweeper.stop()
        kept.stop()
      },
      handlers: {
        async chat(call) {
          const { actor } = toCommitContext('/chat', call)
          const how = { id: ids.uuid(), signal: new AbortController().signal, emit: () => undefined, isStreamed: false, actor }
          const { status, result: body } = await runner.run(call.body, how)
          return { status, body }
        },
        plans: async ({ query }) => ({ status: 200, body: { plans: await waiting.list(scope.draft(query)) } }),
        plan: async ({ query, params }) => ({ status: 200, body: await waiting.detail(scope.draft(query), params.id) }),
        prefetch: async ({ body }) => ({ status: 200, body: await (await loaded()).prefetch(body) }),
      },
    }
  })
}
