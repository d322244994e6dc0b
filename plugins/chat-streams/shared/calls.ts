import * as v from 'valibot'
import { type Ids, Refusal, withTimeout } from '../../../kernel/index.ts'
import { type Bus, defineEvent } from '../../bus/port.ts'
import { runUnreachable } from '../refusals.ts'

const answersWithinMs = 5_000

const Refused = v.object({
  status: v.number(),
  code: v.string(),
  reason: v.string(),
  error: v.string(),
  extra: v.record(v.string(), v.unknown()),
  headers: v.record(v.string(), v.string()),
})
const Call = v.object({
  to: v.string(),
  from: v.string(),
  id: v.string(),
  run: v.string(),
  what: v.string(),
  body: v.optional(v.unknown()),
})
const Answer = v.object({
  to: v.string(),
  id: v.string(),
  body: v.optional(v.unknown()),
  refusal: v.optional(Refused),
})

/** A request about a run; the answer is JSON. A refusal reaches the caller as it is. */
export type Answering = (run: string, what: string, body: unknown) => unknown

interface CallsGiven {
  readonly kind: string
  /** The id of this process. */
  readonly own: string
  readonly bus: Bus
  readonly ids: Ids
  readonly log: { error(details: object, message: string): void }
  readonly answer: Answering
  readonly signal: AbortSignal
}

/** Creates the calls between processes. A process that does not answer within 5 s is refused with `run_unreachable`. */
export function createCalls({ kind, own, bus, ids, log, answer, signal }: CallsGiven) {
  const called = defineEvent(`${kind}.run.called`, Call)
  const answered = defineEvent(`${kind}.run.answered`, Answer)
  const waiting = new Map<string, PromiseWithResolvers<unknown>>()

  async function reply({ from: to, id, run, what, body }: v.InferOutput<typeof Call>): Promise<void> {
    try {
      await bus.publish(answered, { to, id, body: await answer(run, what, body) })
    } catch (err) {
      if (!(err instanceof Refusal)) return log.error({ err, run, what }, 'call of another process failed')
      const { status, code, reason, error, extra, headers } = err
      const refusal = { status, code, reason, error, extra, headers }
      await bus.publish(answered, { to, id, refusal }).catch(() => undefined)
    }
  }

  bus.subscribe(called, (call) => void (call.to === own && reply(call)), { signal })
  bus.subscribe(
    answered,
    ({ to, id, body, refusal }) => {
      if (to !== own) return
      if (refusal) waiting.get(id)?.reject(new Refusal(refusal))
      else waiting.get(id)?.resolve(body)
    },
    { signal },
  )

  return async (to: string, run: string, what: string, body?: unknown): Promise<unknown> => {
    const id = ids.uuid()
    const reply = Promise.withResolvers<unknown>()
    const inTime = withTimeout(answersWithinMs, reply.promise, runUnreachable)
    inTime.catch(() => undefined)
    waiting.set(id, reply)
    try {
      await bus.publish(called, { to, from: own, id, run, what, body })
      return await inTime
    } finally {
      waiting.delete(id)
    }
  }
}
