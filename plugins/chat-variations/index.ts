import { definePlugin, ids } from '../../kernel/index.ts'
import { Canceled, variationRunner } from '../chat/port.ts'
import { framesOf } from './frames.ts'
import { canceled } from './refusals.ts'
import { routes } from './routes.ts'

/** Variations of a block on request, answered at once or as a stream. */
export default definePlugin({
  name: 'chat-variations',
  tag: 'Chat',
  needs: { runner: variationRunner, ids },
  routes,
}).setup(({ needs: { runner, ids }, log, signal: closing }) => {
  /** A caller who is gone, and a service that closes, want no variations any more. */
  const how = (gone: AbortSignal) => ({ id: ids.uuid(), signal: AbortSignal.any([gone, closing]), emit: () => undefined, isStreamed: false })
  return {
    handlers: {
      async variations({ body, signal }) {
        const carryOut = await runner.open(body, how(signal))
        const { status, result } = await carryOut().catch((error: unknown) => {
          throw error instanceof Canceled ? canceled() : error
        })
        return { status, body: result }
      },
      async stream({ body, signal }) {
        const context = { ...how(signal), isStreamed: true }
        return { status: 200, body: framesOf(await runner.open(body, context), log.child({ run: context.id })) }
      },
    },
  }
})
