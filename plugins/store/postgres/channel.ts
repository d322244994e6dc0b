import type { Channel } from '../port.ts'
import type { Connections } from './connections.ts'

const name = 'content_orchestrator'

/** Messages between processes by LISTEN and NOTIFY. */
export function createChannel(connections: Connections): Channel & { close(): Promise<void> } {
  const open = new Set<ReturnType<Connections['listen']>>()
  return {
    async send(message) {
      await connections.run('select pg_notify($1, $2)', [name, message])
    },
    listen(onMessage, onReconnect, { signal }) {
      if (signal.aborted) return
      let times = 0
      const listening = connections.listen(name, {
        onMessage,
        onOpen: () => void (times++ > 0 && onReconnect()),
      })
      open.add(listening)
      signal.addEventListener('abort', () => void listening.close().then(() => open.delete(listening)), {
        once: true,
      })
    },
    async health() {
      return [...open].every((each) => each.isOpen())
        ? undefined
        : 'Messages of other processes do not arrive now; the database does not answer.'
    },
    close: async () => void (await Promise.all([...open].map((each) => each.close()))),
  }
}
