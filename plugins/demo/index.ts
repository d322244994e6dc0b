import { clock, definePlugin, policies } from '../../kernel/index.ts'
import { scope } from '../scope/port.ts'
import { createLock, unlocked } from './policy.ts'
import { demoLock } from './port.ts'
import { DemoVariables } from './schemas.ts'

/** The lock for public demos, enabled by DEMO_MODE. */
export default definePlugin({
  name: 'demo',
  tag: 'Health',
  needs: { clock, scope },
  gives: { policies, demoLock },
  env: DemoVariables,
}).setup(({ needs: { clock, scope }, env }) => {
  const requestsPerHour = env.DEMO_RATE_LIMIT_PER_IP_PER_HOUR
  const playground = { ops: env.DEMO_ALLOWED_OPS, blockTypes: env.DEMO_ALLOWED_BLOCK_TYPES }
  if (!env.DEMO_MODE) {
    return { gives: { policies: unlocked, demoLock: { playground: undefined, requestsPerHour } } }
  }
  const lock = createLock({ clock, siteId: scope.defaultSiteId, requestsPerHour, trusted: env.TRUST_PROXY })
  return { gives: { policies: lock, demoLock: { playground, requestsPerHour } } }
})
