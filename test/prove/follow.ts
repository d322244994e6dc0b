import { request } from 'node:http'
import * as v from 'valibot'
import type { ProvenDraft } from './editors.ts'

/** The event of a change. */
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

/** Milliseconds to wait for an event. */
const patience = 10_000

/** An open event stream. */
export interface Follower {
  /** Resolves with the first event. */
  readonly begun: Promise<void>
  /** Changes so far, in order of arrival. */
  readonly changes: readonly Changed[]
  /** Resolves when a change with this version or a later one arrives, the stream ends, or the timeout elapses. */
  until(version: number): Promise<void>
  /** The complete text, when the server ends the stream; rejects on a connection error. */
  readonly ended: Promise<string>
  close(): void
}

/** Follows the changes of a draft after a version. */
export function follow(port: number, { at }: ProvenDraft, lastEventId?: number): Follower {
  const changes: Changed[] = []
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  let waiting: { readonly version: number; readonly resolve: () => void }[] = []
  let received = ''
  let unread = 0

  function parseEvents(): void {
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
      parseEvents()
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
        parseEvents()
      }),
    ended: ended.promise,
    close: () => void outgoing.destroy(),
  }
}

/** A range of versions: `after` exclusive, `upTo` inclusive. */
export interface Span {
  readonly after: number
  readonly upTo: number
}

/** The changes in a range, as a resumed stream sends them. */
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
