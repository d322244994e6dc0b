import { clock, definePlugin } from '../../../kernel/index.ts'
import { createSharedWindows } from '../../auth/port.ts'
import { costOf, defaultPrices } from '../port.ts'
import { meters } from '../../metrics/port.ts'
import { scope } from '../../scope/port.ts'
import { store } from '../../store/port.ts'
import { usage, type UsageLog } from './port.ts'
import { createModelMeters, createUsage, sessionDays, spentOn } from './service.ts'
import { generationsSpent } from './refusals.ts'
import { routes } from './routes.ts'
import { UsageVariables } from './schemas.ts'

const minute = 60_000

/** Token usage and cost of models, the daily budget, and the limit of images and recordings per caller. */
export default definePlugin({
  name: 'models-usage',
  tag: 'Chat',
  needs: { store, scope, clock },
  gives: { usage, calls: meters, tokens: meters, cost: meters },
  collections: [sessionDays, spentOn],
  env: UsageVariables,
  routes,
}).setup(
  ({ needs, env: { CHAT_BUDGET_USD_PER_DAY: perDayUsd, MEDIA_GENERATIONS_PER_MIN: perMinute }, log }) => {
    let prices = defaultPrices
    const { budget, report, ...stored } = createUsage({ ...needs, perDayUsd, prices: () => prices })
    const { count, ...counters } = createModelMeters()
    const limit = perMinute === 0 ? Infinity : perMinute
    const waitOf = createSharedWindows({ ...needs, counted: 'generations', limit, length: minute })
    const add: UsageLog['add'] = (id, calls, runs) => {
      count(calls)
      return stored.add(id, calls, runs)
    }
    return {
      gives: {
        usage: {
          add,
          async addCall(call) {
            await add(needs.scope.draft({}), [{ ...call, estimatedUsd: costOf(call, prices) }]).catch(
              (err: unknown) => log.error({ err }, 'model usage could not be stored'),
            )
          },
          usePrices(own) {
            prices = own
          },
          budget,
          async countGeneration(holder = 'unknown') {
            const wait = await waitOf(holder)
            if (wait > 0) throw generationsSpent(Math.ceil(wait / 1000), perMinute)
          },
        },
        ...counters,
      },
      handlers: { report: async ({ query }) => ({ status: 200, body: await report(query) }) },
    }
  },
)
