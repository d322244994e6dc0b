import { clock, definePlugin, optional } from '../../../kernel/index.ts'
import { modelTerms, planners } from '../port.ts'
import { demoLock } from '../../demo/port.ts'
import { modelClients, type ModelClient, modelTiers, priceOf } from '../../models/port.ts'
import { toolExecutor } from '../../tools/port.ts'
import { usage } from '../../models/usage/port.ts'
import { createModelPlanner, refuseSpent } from './planner.ts'
import { chatModels } from './port.ts'
import { ModelOptions, ModelVariables, toSettings } from './settings.ts'
import { tools } from './tools.ts'

/** The preferred providers, the first one last; any other follows. */
const preferred = ['anthropic', 'openai']
const byPreference = (a: ModelClient, b: ModelClient): number =>
  preferred.indexOf(b.provider) - preferred.indexOf(a.provider)

/** The planners that ask a language model, one for each provider. A public demo has none. */
export default definePlugin({
  name: 'chat-model',
  tag: 'Chat',
  options: ModelOptions,
  env: ModelVariables,
  needs: {
    clients: modelClients,
    clock,
    usage: optional(usage),
    demoLock: optional(demoLock),
    executor: optional(toolExecutor),
  },
  gives: { planners, chatModels, modelTerms },
}).setup(({ needs: { clients: all, clock, usage, demoLock, executor }, options, env, log }) => {
  const clients = demoLock?.playground
    ? []
    : all.filter((client) => client !== undefined).toSorted(byPreference)
  const settings = toSettings(env, options, (variable) =>
    log.warn({ variable }, 'invalid value ignored, using the default'),
  )
  usage?.usePrices(settings.prices)
  const budget = usage && (() => usage.budget())
  return {
    gives: {
      planners: clients.map((client) =>
        createModelPlanner({ client, settings, clock, log, budget, executor }),
      ),
      modelTerms: { tier: settings.tier, prices: settings.prices },
      chatModels: {
        clients,
        requestBytes: settings.requestBytes,
        checkBudget: async () => refuseSpent(await budget?.()),
        tools,
      },
    },
    async ready() {
      if (!(await budget?.())) return
      const models = new Set(
        clients.flatMap((client) =>
          [...modelTiers.map((tier) => client.modelOf(tier)), client.seeingModel ?? []].flat(),
        ),
      )
      for (const model of [...models].filter((each) => !priceOf(each, settings.prices))) {
        const remedy =
          'counts as the dearest known towards the budget; add it to the option prices of chat-model'
        log.warn({ variable: 'CHAT_BUDGET_USD_PER_DAY', model }, `this model has no price and ${remedy}`)
      }
    },
  }
})
