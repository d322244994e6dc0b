import { clock, definePlugin } from '../../kernel/index.ts'
import { createExecutor } from './executor.ts'
import { toolExecutor, toolObservers, tools } from './port.ts'
import { routes } from './routes.ts'

/** The tools of plugins and of other services, run by one executor. */
export default definePlugin({
  name: 'tools',
  tag: 'Agent',
  needs: { clock, tools, observers: toolObservers },
  gives: { toolExecutor },
  routes,
}).setup(({ needs: { clock, tools, observers }, log }) => {
  const executor = createExecutor({ tools: tools.filter((tool) => tool !== undefined), observers, clock, log })
  return {
    gives: { toolExecutor: executor },
    handlers: { list: () => ({ status: 200, body: { tools: executor.list() } }) },
  }
})
