import { setImmediate as endOfTick } from 'node:timers/promises'
import type { Channel } from '../port.ts'
import type { Connections } from './connections.ts'

const name = 'content_orchestrator'

/** Messages between processes by LISTEN and NOTIFY. */
export function createChannel(connections: Connections): Channel & { close(): Promise<void> } {
  const open = new Set<ReturnType<Connections['listen']>>()
  const waiting: string[] = []
  let sending: Promise<unknown> | undefined
  /** Sends the messages of a tick in one statement. */
  async function flush(): Promise<void> {
    await endOfTick()
    sending = undefined
    const messages = waiting.splice(0)
    await connections.run('select pg_notify($1, message) from unnest($2::text[]) message', [name, messages])
  }
  return {
    async send(message) {
      waiting.push(message)
      await (sending ??= flush())
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
