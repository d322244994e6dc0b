import { HandlerCall, type Matched } from './call.ts'
import type { Entry } from './entry.ts'
import type { Refusal } from './errors.ts'
import type { Caller, Verdict } from './gate.ts'
import type { CrossOrigin } from './http/cors.ts'
import type { HeldBody } from './http/held-bodies.ts'
import type { Outbound } from './http/message.ts'
import { readBody, takesBody } from './input.ts'
import { json, toOutbound, type OutgoingContext } from './outgoing.ts'
import { refusals } from './refusals.ts'
import { isSpecial, type ServerEvent } from './reply.ts'
import type { Answer } from './route.ts'
import { within } from './within.ts'

export interface PipelineContext extends OutgoingContext {
  readonly crossOrigin: CrossOrigin
  readonly bodies: (address: string | undefined) => HeldBody
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
  return withBody(matched, verdict.caller, context)
}

/** Holds a body for as long as its handler works with it, which may be longer than the answer takes. */
async function withBody(matched: Matched, caller: Caller, context: PipelineContext): Promise<Outbound> {
  const { entry: { spec }, request } = matched
  const held = context.bodies(request.remote)
  let work: Promise<Answer> | undefined
  try {
    const body = await readBody(spec, request, held)
    return await handle(matched, caller, body, context, (begun) => void (work = begun))
  } finally {
    held.release(work)
  }
}

function handle(matched: Matched, caller: Caller, body: unknown, context: PipelineContext, onWork?: (work: Promise<Answer>) => void): Outbound | Promise<Outbound> {
  const { entry, request } = matched
  const { timeout } = entry.spec
  const reply = (answered: Answer): Outbound => toOutbound(matched, answered, caller, context)
  const late = timeout === undefined ? undefined : new AbortController()
  const call = new HandlerCall(matched, { caller, body, log: context.log, late: late?.signal })
  if (request.method === 'HEAD' && isStream(entry)) return reply({ status: 200, body: noEvents() })
  const answered = entry.handler(call)
  if (!(answered instanceof Promise)) return reply(answered)
  onWork?.(answered)
  const giveUp = (): Refusal => {
    // After the refusal: a handler that gives up when its signal aborts must not be the one that answers.
    queueMicrotask(() => late?.abort())
    return refusals.timedOut()
  }
  return (timeout === undefined ? answered : within(timeout, answered, giveUp)).then(reply)
}

/** True when the route answers with a stream of events, which a HEAD request does not begin. */
function isStream({ spec }: Entry): boolean {
  const declared = spec.replies[200]
  return declared !== undefined && isSpecial(declared) && declared.reply === 'events'
}

async function* noEvents(): AsyncGenerator<ServerEvent<unknown>> {}
