/** Chat requests followed over a socket, and models that write as slowly as a test needs. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import * as v from 'valibot'
import { ChatResult } from '../../plugins/chat/port.ts'
import { bodyOf, editor, eventsIn, isLast, type Stack } from './stack.ts'

const StreamEvent = v.looseObject({
  type: v.string(),
  _seq: v.number(),
  index: v.optional(v.number()),
  total: v.optional(v.number()),
  previewVersion: v.optional(v.number()),
  op: v.optional(v.looseObject({ op: v.string() })),
  reason: v.optional(v.string()),
  code: v.optional(v.number()),
  error: v.optional(v.string()),
  result: v.optional(ChatResult),
})
export type ChatStreamEvent = v.InferOutput<typeof StreamEvent>

/** A running request, and its events so far. */
export interface Followed {
  readonly streamId: string
  readonly events: readonly ChatStreamEvent[]
  /** Waits for the `count`th event of this type. */
  until(type: string, count?: number): Promise<ChatStreamEvent>
  /** Waits for the end, and checks the order of the events. */
  ended(options?: Parameters<typeof checkOrder>[1]): Promise<readonly ChatStreamEvent[]>
}

/** Sends chat requests to a service, and follows them. */
export function follower(t: Test, { origin, ask }: Pick<Stack, 'origin' | 'ask'>) {
  const edit = editor(ask)
  async function follow(message: string, more: object = {}): Promise<Followed> {
    const { streamId } = v.parse(
      v.object({ streamId: v.string() }),
      await bodyOf(edit.send('/chat/start', { slug: '/', message, ...more })),
    )
    return read(streamId)
  }
  /** Follows a request that is already parked. */
  async function read(streamId: string): Promise<Followed> {
    const stream = eventsIn(await fetch(`${origin}/chat/stream?streamId=${streamId}`))
    t.teardown(() => stream.close())
    const events: ChatStreamEvent[] = []
    let isOver = false
    const reading = (async () => {
      for (let block = await stream.next(); block; block = isLast(block) ? undefined : await stream.next()) {
        if (block.data !== undefined) events.push(v.parse(StreamEvent, block.data))
      }
      await stream.close()
      isOver = true
    })()
    reading.catch(() => undefined)
    return {
      streamId,
      events,
      async until(type, count = 1) {
        for (;;) {
          const found = events.filter((each) => each.type === type)[count - 1]
          if (found) return found
          if (isOver)
            throw new Error(
              `the run ended without '${type}' for the ${count}. time: ${events.map((each) => each.type).join(', ')}`,
            )
          await pause(5)
        }
      },
      async ended(options) {
        await reading
        checkOrder(events, options)
        return events
      },
    }
  }
  return { edit, follow, read, cancel: (streamId: string) => edit.send('/chat/cancel', { streamId }) }
}

const ends = new Set(['final', 'error', 'canceled'])

type Ordered = Pick<ChatStreamEvent, 'type' | 'index' | 'total' | 'previewVersion'>

/**
 * Checks the events of one run against the rules of every stream; throws at the first violation. With concurrent
 * changes to the draft the versions of the run have gaps.
 */
export function checkOrder(
  events: readonly Ordered[],
  { isAlone = true }: { readonly isAlone?: boolean } = {},
): void {
  const rule = (holds: boolean, what: string): void => {
    if (holds) return
    const shown = events.map(({ type, index, previewVersion }) =>
      [type, index, previewVersion].filter((each) => each !== undefined).join(' '),
    )
    throw new Error(`${what}: ${JSON.stringify(shown)}`)
  }
  const last = events.at(-1)?.type ?? ''
  rule(
    events.filter(({ type }) => ends.has(type)).length === 1 && ends.has(last),
    'exactly one event ends the run, and it is the last',
  )
  let candidates = 0
  let handled = 0
  let version: number | undefined
  let isPlanned = false
  let isNewCommit = true
  for (const { type, index = 0, total = 0, previewVersion = 0 } of events) {
    if (type === 'plan_meta') isPlanned = true
    if (type === 'status') isNewCommit = true
    if (type === 'op_candidate') candidates = index
    if (type === 'op_applied' || type === 'op_skipped') {
      rule(isPlanned, 'the plan is complete before an operation is applied')
      rule(index === handled + 1 && index <= total, 'operations are reported in order')
      rule(index <= candidates, 'a candidate comes before its outcome')
      handled = index
    }
    if (type === 'op_applied') {
      const next = (version ?? previewVersion - 1) + (isNewCommit ? 1 : 0)
      rule(
        isAlone || !isNewCommit ? previewVersion === next : previewVersion >= next,
        'operations of one commit share its version',
      )
      version = previewVersion
      isNewCommit = false
    }
  }
}
