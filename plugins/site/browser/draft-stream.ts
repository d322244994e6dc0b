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
  const name = await nameOf(address)
  if (until.aborted) return
  const channel = name === undefined ? undefined : new BroadcastChannel(name)
  channel?.addEventListener('message', ({ data }) => hear(data))
  let hiding = new AbortController()
  const start = (): void => {
    hiding = new AbortController()
    const { signal } = hiding
    if (name === undefined) return void read(signal, hear)
    // The stream that another page reads greets this one no more.
    hear({ type: 'hello' })
    const pass: Hear = (event) => {
      channel?.postMessage(event)
      hear(event)
    }
    // A page without an origin of its own has no locks.
    navigator.locks
      .request(name, { signal }, () => read(signal, pass))
      .catch(() => (signal.aborted ? undefined : read(signal, hear)))
  }
  const see = (): void => (document.hidden ? hiding.abort() : start())
  if (!document.hidden) start()
  document.addEventListener('visibilitychange', see, { signal: until })
  until.addEventListener('abort', () => {
    hiding.abort()
    channel?.close()
  })
}

/** The name by which pages share a stream; the address itself may carry a token. */
async function nameOf(address: string): Promise<string | undefined> {
  if (!('locks' in navigator)) return undefined
  const bytes = new TextEncoder().encode(new URL(address, location.href).href)
  return `content-orchestrator:draft-${new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).join('-')}`
}
