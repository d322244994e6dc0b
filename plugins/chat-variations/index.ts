import { definePlugin, ids, type Call } from '../../kernel/index.ts'
import { ProxyVariables, shareHolder } from '../auth/port.ts'
import { Canceled, variationRunner } from '../chat/port.ts'
import { framesOf } from './frames.ts'
import { canceled } from './refusals.ts'
import { routes } from './routes.ts'

/** Variations of a block on request, answered at once or as a stream. */
export default definePlugin({
  name: 'chat-variations',
  tag: 'Chat',
  env: ProxyVariables,
  needs: { runner: variationRunner, ids },
  routes,
}).setup(({ needs: { runner, ids }, env, log, signal: closing }) => {
  /** A caller who is gone, and a service that closes, want no variations any more. */
  const how = (call: Pick<Call, 'caller' | 'remote' | 'header' | 'signal'>) =>
    ({ id: ids.uuid(), signal: AbortSignal.any([call.signal, closing]), emit: () => undefined, isStreamed: false, holder: shareHolder(call, env.TRUST_PROXY) })
  return {
    handlers: {
      async variations(call) {
        const carryOut = await runner.open(call.body, how(call))
        const { status, result } = await carryOut().catch((error: unknown) => {
          throw error instanceof Canceled ? canceled() : error
        })
        return { status, body: result }
      },
      async stream(call) {
        const context = { ...how(call), isStreamed: true }
        return { status: 200, body: framesOf(await runner.open(call.body, context), log.child({ run: context.id })) }
      },
    },
  }
})
