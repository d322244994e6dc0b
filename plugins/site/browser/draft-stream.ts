import { nameFor, withLock } from './locks.ts'

/** A change of a draft, as `GET /events` sends it. */
export interface DraftEvent {
  readonly type: string
  readonly slugs?: readonly string[]
  readonly removedSlugs?: readonly string[]
  readonly configChanged?: boolean
}

type Hear = (event: DraftEvent) => void

/**
 * Reads the changes of a draft from the address of their stream, until the returned function is called.
 *
 * The pages of a website in one browser share the stream, because a browser opens only six connections to a
 * service by HTTP/1.1: one that is seen reads it, and passes the events on. A page that is hidden leaves it
 * to another one, or ends it. `later` repeats a connection that was refused, and `onOpen` hears of one that
 * was not.
 */
export function readDraft(
  address: string,
  { hear, later, onOpen }: { hear: Hear; later: (work: () => void) => unknown; onOpen: () => void },
): () => void {
  const ending = new AbortController()
  const read = (signal: AbortSignal, take: Hear): Promise<void> =>
    new Promise((resolve) => {
      let stream: EventSource | undefined
      const listen = (): void => {
        if (signal.aborted) return
        stream = new EventSource(address)
        stream.addEventListener('open', onOpen)
        stream.addEventListener('message', ({ data }) => take(JSON.parse(data)))
        stream.addEventListener('error', () => {
          // A browser reconnects automatically, unless the answer was an error.
          if (stream?.readyState === EventSource.CLOSED) later(listen)
        })
      }
      listen()
      signal.addEventListener('abort', () => {
        stream?.close()
        resolve()
      })
    })
  void (typeof document === 'undefined'
    ? read(ending.signal, hear)
    : share(address, hear, read, ending.signal))
  return () => ending.abort()
}

/** Reads a stream while this page is seen, once no other page of its origin does. */
async function share(
  address: string,
  hear: Hear,
  read: (signal: AbortSignal, take: Hear) => Promise<void>,
  until: AbortSignal,
): Promise<void> {
  const name = await nameFor('draft', new URL(address, location.href).href)
  if (until.aborted) return
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }) => hear(data))
  let hiding = new AbortController()
  const start = async (): Promise<void> => {
    hiding = new AbortController()
    const { signal } = hiding
    // The stream that another page reads greets this one no more.
    hear({ type: 'hello' })
    const pass: Hear = (event) => {
      channel.postMessage(event)
      hear(event)
    }
    try {
      while (!signal.aborted)
        await withLock(name, signal, (lost) => read(AbortSignal.any([signal, lost]), pass))
    } catch {
      // A page without an origin of its own has no locks.
      if (!signal.aborted) void read(signal, hear)
    }
  }
  const see = (): void => (document.hidden ? hiding.abort() : void start())
  see()
  document.addEventListener('visibilitychange', see, { signal: until })
  until.addEventListener('abort', () => {
    hiding.abort()
    channel.close()
  })
}
