import { clock, definePlugin, ids, optional } from '../../kernel/index.ts'
import { store } from '../store/port.ts'
import { createMemoryBus } from './memory.ts'
import { bus } from './port.ts'
import { createSharedBus, Sent } from './shared.ts'

/** Events between plugins: of one process, or of all processes on a store that connects them. */
export default definePlugin({
  name: 'bus',
  tag: 'Health',
  needs: { store: optional(store), clock, ids },
  collections: [Sent],
  gives: { bus },
}).setup(({ needs: { store, ...needs }, log, signal }) => ({
  gives: {
    bus: store?.channel
      ? createSharedBus({ store, channel: store.channel, ...needs, log, signal })
      : createMemoryBus({ log }),
  },
}))
