import { clock, definePlugin } from '../../kernel/index.ts'
import { scope } from '../scope/port.ts'
import { store } from '../store/port.ts'
import { usage } from './port.ts'
import { routes } from './routes.ts'
import { UsageVariables } from './schemas.ts'
import { createUsage } from './service.ts'

/** What language models took and cost, and the budget of a day. */
export default definePlugin({
  name: 'usage',
  tag: 'Chat',
  needs: { store, scope, clock },
  gives: { usage },
  env: UsageVariables,
  routes,
}).setup(({ needs, env }) => {
  const log = createUsage({ ...needs, perDayUsd: env.CHAT_BUDGET_USD_PER_DAY })
  return {
    gives: { usage: log },
    handlers: { report: async ({ query }) => ({ status: 200, body: await log.report(query) }) },
  }
})
