import { HandlerCall, type Matched } from './call.ts'
import type { Entry } from './entry.ts'
import type { Caller, Verdict } from './gate.ts'
import type { CrossOrigin } from './http/cors.ts'
import type { Outbound } from './http/message.ts'
import { readBody, takesBody } from './input.ts'
import { json, toOutbound, type OutgoingContext } from './outgoing.ts'
import { refusals } from './refusals.ts'
import { isSpecial, type ServerEvent } from './reply.ts'
import type { Answer } from './route.ts'

export interface PipelineContext extends OutgoingContext {
  readonly crossOrigin: CrossOrigin
}

/**
 * Answers one request for one route: policies, left out or not, gate, Host and Origin, body, schemas, handler, and
 * the reply through its own schema, so that what is not declared cannot leave.
 */
export function answer(matched: Matched, context: PipelineContext): Outbound | Promise<Outbound> {
  const { entry, request } = matched
  for (const policy of entry.policies) {
    const refusal = policy.refuse?.(request)
    if (refusal) throw refusal
  }
  if (entry.isLeftOut) throw refusals.notFound()
  const verdict = entry.gate.admit(request)
  return verdict instanceof Promise ? verdict.then((settled) => admitted(matched, settled, context)) : admitted(matched, verdict, context)
}

function admitted(matched: Matched, verdict: Verdict, context: PipelineContext): Outbound | Promise<Outbound> {
  const { entry: { spec }, request } = matched
  if (!verdict.admit) {
    const { status, error, reason, extra } = verdict
    return json(status, { ...extra, error, ...(reason !== undefined && { reason }) })
  }
  const foreign = context.crossOrigin.judge(request)
  if (foreign) throw foreign
  if (!takesBody(spec)) return handle(matched, verdict.caller, undefined, context)
  return readBody(spec, request).then((body) => handle(matched, verdict.caller, body, context))
}

function handle(matched: Matched, caller: Caller, body: unknown, context: PipelineContext): Outbound | Promise<Outbound> {
  const { entry, request, id } = matched
  const { timeout } = entry.spec
  const limit = timeout === undefined ? undefined : { milliseconds: timeout, late: new AbortController() }
  const call = new HandlerCall(matched, { caller, body, log: context.log, late: limit?.late.signal })
  if (request.method === 'HEAD' && isStream(entry)) return toOutbound(entry, { status: 200, body: noEvents() }, request, id, context)
  const answered = entry.handler(call)
  if (!(answered instanceof Promise)) return toOutbound(entry, answered, request, id, context)
  return (limit ? within(limit, answered) : answered).then((reply) => toOutbound(entry, reply, request, id, context))
}

/** True when the route answers with a stream of events, which a HEAD request does not begin. */
function isStream({ spec }: Entry): boolean {
  const declared = spec.replies[200]
  return declared !== undefined && isSpecial(declared) && declared.reply === 'events'
}

async function* noEvents(): AsyncGenerator<ServerEvent<unknown>> {}

interface TimeLimit {
  readonly milliseconds: number
  /** Told when the time is over. */
  readonly late: AbortController
}

async function within({ milliseconds, late }: TimeLimit, answered: Promise<Answer>): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => {
    // First the refusal: a handler that gives up when it is told must not be the one who answers.
    reject(refusals.timedOut())
    late.abort()
  }
  const timer = setTimeout(giveUp, milliseconds).unref()
  try {
    return await Promise.race([answered, promise])
  } finally {
    clearTimeout(timer)
  }
}
