import { definePlugin, optional } from '../../../kernel/index.ts'
import { demoLock } from '../../demo/port.ts'
import { scope } from '../../scope/port.ts'
import { sites } from '../../sites/port.ts'
import { enabledTools, features, plannerProviders } from './port.ts'
import { routes } from './routes.ts'
import { createStatus } from './service.ts'

/** Reports the capabilities of planners and tools, from the facts of all loaded plugins. */
export default definePlugin({
  name: 'health-status',
  tag: 'Health',
  needs: {
    sites,
    scope,
    demo: optional(demoLock),
    providers: plannerProviders,
    features,
    tools: enabledTools,
  },
  routes,
}).setup(({ needs }) => {
  const status = createStatus(needs)
  return { handlers: { planner: async () => ({ status: 200, body: await status() }) } }
})
