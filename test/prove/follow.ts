import { request } from 'node:http'
import * as v from 'valibot'
import type { ProvenDraft } from './editors.ts'

/** One change, as the event stream of a draft tells it. */
const Changed = v.object({
  type: v.picklist(['draft', 'history']),
  previewVersion: v.number(),
  source: v.string(),
  slugs: v.array(v.string()),
  removedSlugs: v.optional(v.array(v.string()), []),
})
export type Changed = v.InferOutput<typeof Changed>

const Hello = v.object({ type: v.literal('hello'), previewVersion: v.number() })
const Event = v.pipe(v.string(), v.parseJson(), v.variant('type', [Changed, Hello]))

/** Milliseconds after which an event will not come any more. */
const patience = 10_000

/** An open event stream. */
export interface Follower {
  /** Resolves when the stream has begun. */
  readonly begun: Promise<void>
  /** Changes so far, in the order of their coming. */
  readonly changes: readonly Changed[]
  /** Resolves when a change with this version or a later one has come, the stream has ended, or after a while. */
  until(version: number): Promise<void>
  /** Everything that came, once the other side has ended it; rejects when it broke off. */
  readonly ended: Promise<string>
  close(): void
}

/** Follows the changes of a draft, from a version on that has been seen. */
export function follow(port: number, { at }: ProvenDraft, lastEventId?: number): Follower {
  const changes: Changed[] = []
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  let waiting: { readonly version: number; readonly resolve: () => void }[] = []
  let received = ''
  let unread = 0

  function arrive(): void {
    for (let end = received.indexOf('\n\n', unread); end !== -1; end = received.indexOf('\n\n', unread)) {
      const data = /^data: (.*)$/m.exec(received.slice(unread, end))?.[1]
      unread = end + 2
      if (data === undefined) continue
      const event = v.parse(Event, data)
      if (event.type === 'hello') begun.resolve()
      else changes.push(event)
    }
    const newest = changes.at(-1)?.previewVersion ?? 0
    for (const { version, resolve } of waiting) if (version <= newest) resolve()
    waiting = waiting.filter(({ version }) => version > newest)
  }

  function finish(error?: unknown): void {
    begun.reject(new Error('the event stream ended before it began', { cause: error }))
    for (const { resolve } of waiting) resolve()
    if (error === undefined) ended.resolve(received)
    else ended.reject(error)
  }

  const path = `/events?${new URLSearchParams(at)}`
  const headers = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }
  const outgoing = request({ port, host: '127.0.0.1', path, headers, agent: false }, (incoming) => {
    incoming.setEncoding('utf8').on('data', (text: string) => {
      received += text
      arrive()
    })
    incoming.once('end', () => finish()).once('error', finish)
  })
  outgoing.once('error', finish).end()
  begun.promise.catch(() => undefined)
  ended.promise.catch(() => undefined)
  return {
    begun: begun.promise,
    changes,
    until: (version) =>
      new Promise((resolve) => {
        waiting.push({ version, resolve })
        setTimeout(resolve, patience).unref()
        arrive()
      }),
    ended: ended.promise,
    close: () => void outgoing.destroy(),
  }
}

/** Versions of a draft, without the first and with the last. */
export interface Span {
  readonly after: number
  readonly upTo: number
}

/** Gives the changes of a span, as a reader gets them who comes back after a while. */
export async function changesBetween(
  port: number,
  draft: ProvenDraft,
  { after, upTo }: Span,
): Promise<readonly Changed[]> {
  const follower = follow(port, draft, after)
  try {
    await follower.begun
    if (upTo > after) await follower.until(upTo)
    return follower.changes
  } finally {
    follower.close()
  }
}
