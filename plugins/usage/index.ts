import { clock, definePlugin } from '../../kernel/index.ts'
import { meters } from '../metrics/port.ts'
import { scope } from '../scope/port.ts'
import { store } from '../store/port.ts'
import { usage, type UsageLog } from './port.ts'
import { createModelMeters } from './meters.ts'
import { routes } from './routes.ts'
import { UsageVariables } from './schemas.ts'
import { createUsage } from './service.ts'

/** What language models took and cost, and the budget of a day. */
export default definePlugin({
  name: 'usage',
  tag: 'Chat',
  needs: { store, scope, clock },
  gives: { usage, calls: meters, tokens: meters, cost: meters },
  env: UsageVariables,
  routes,
}).setup(({ needs, env }) => {
  const log = createUsage({ ...needs, perDayUsd: env.CHAT_BUDGET_USD_PER_DAY })
  const { count, ...counters } = createModelMeters()
  const add: UsageLog['add'] = (id, calls) => {
    count(calls)
    return log.add(id, calls)
  }
  return {
    gives: { usage: { ...log, add }, ...counters },
    handlers: { report: async ({ query }) => ({ status: 200, body: await log.report(query) }) },
  }
})
