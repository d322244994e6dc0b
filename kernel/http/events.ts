import * as v from 'valibot'
import type { EventsReply, ServerEvent } from '../reply.ts'
import type { Schema } from '../schema.ts'

const encoder = new TextEncoder()
const comment = encoder.encode(': \n\n')

/** Encodes an event, its data through the schema. JSON has no line breaks, so one `data:` line is enough. */
function encode(schema: Schema, { id, event, data }: ServerEvent<unknown>): Uint8Array {
  return encoder.encode(
    `${toField('id', id)}${toField('event', event)}data: ${JSON.stringify(v.parse(schema, data))}\n\n`,
  )
}

function toField(name: string, value: string | undefined): string {
  if (value === undefined) return ''
  if (/[\r\n\0]/.test(value)) throw new Error(`the ${name} of an event holds a line break`)
  return `${name}: ${value}\n`
}

const retryLine = (milliseconds: number): Uint8Array => encoder.encode(`retry: ${milliseconds}\n\n`)

interface EventStreamOptions extends Omit<EventsReply, 'reply'> {
  /** Ends the stream when it aborts, with a `retry:` line that spreads the reconnects over five seconds. */
  readonly signal: AbortSignal
  /** Milliseconds until the access of the caller expires, which ends the stream the same way. */
  readonly endsAfter: number
  /** Called with an error of the source, while the stream is read or on release. */
  readonly brokeOff: (error: unknown) => void
}

/** Encodes events as `text/event-stream`. */
export async function* toEventStream(
  events: AsyncIterable<ServerEvent<unknown>>,
  options: EventStreamOptions,
): AsyncGenerator<Uint8Array> {
  const { schema, retry, heartbeat, signal, endsAfter, brokeOff } = options
  const end = performance.now() + endsAfter
  const iterator = events[Symbol.asyncIterator]()
  // One promise per turn, resolved by the first event: a race with a promise as long-lived as the stream
  // would leak a reaction on every turn.
  let wake = (): void => undefined
  let received: IteratorResult<ServerEvent<unknown>> | undefined
  let failed: { readonly error: unknown } | undefined
  const pull = (): void => {
    iterator.next().then(
      (result) => void ((received = result), wake()),
      (error: unknown) => void ((failed = { error }), wake()),
    )
  }
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort)
  try {
    yield retryLine(retry)
    pull()
    for (;;) {
      const remaining = Math.ceil(end - performance.now())
      if (!received && !failed && !signal.aborted && remaining > 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, Math.min(heartbeat, remaining)).unref()
        await promise
        clearTimeout(timer)
      }
      if (signal.aborted || performance.now() >= end)
        return void (yield retryLine(500 + Math.floor(Math.random() * 4500)))
      if (failed) throw failed.error
      if (!received) yield comment
      else if (received.done) return
      else {
        const { value } = received
        received = undefined
        pull()
        yield encode(schema, value)
      }
    }
  } catch (error) {
    brokeOff(error)
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    iterator.return?.().catch(brokeOff)
  }
}
