import type { ServerEvent } from '../reply.ts'

const encoder = new TextEncoder()
const comment = encoder.encode(': \n\n')

/** One event as bytes. JSON text has no line breaks, so one `data:` line is enough. */
function encode({ id, event, data }: ServerEvent<unknown>): Uint8Array {
  return encoder.encode(`${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`)
}

const retryLine = (milliseconds: number): Uint8Array => encoder.encode(`retry: ${milliseconds}\n\n`)

export interface EventStreamOptions {
  /** Milliseconds that the client is told to wait before it connects again. */
  readonly retry: number
  /** Milliseconds of silence after which a comment line is sent. */
  readonly heartbeat: number
  /** Ends the stream when it aborts, with a `retry:` line that spreads the reconnects over five seconds. */
  readonly signal: AbortSignal
}

/** Turns events into the bytes of `text/event-stream`. */
export async function* toEventStream(events: AsyncIterable<ServerEvent<unknown>>, { retry, heartbeat, signal }: EventStreamOptions): AsyncGenerator<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]()
  // One promise a turn, woken by whichever comes first: racing a promise that lives as long as the stream would
  // leave a reaction behind at every turn.
  let wake = (): void => undefined
  let arrived: IteratorResult<ServerEvent<unknown>> | undefined
  let failed: { readonly error: unknown } | undefined
  const pull = (): void => {
    iterator.next().then(
      (result) => void ((arrived = result), wake()),
      (error: unknown) => void ((failed = { error }), wake()),
    )
  }
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort)
  try {
    yield retryLine(retry)
    pull()
    for (;;) {
      if (!arrived && !failed && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, heartbeat).unref()
        await promise
        clearTimeout(timer)
      }
      if (signal.aborted) return void (yield retryLine(500 + Math.floor(Math.random() * 4500)))
      if (failed) throw failed.error
      if (!arrived) yield comment
      else if (arrived.done) return
      else {
        const { value } = arrived
        arrived = undefined
        pull()
        yield encode(value)
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    void iterator.return?.()
  }
}
