import { HandlerCall, type Matched } from './call.ts'
import type { RouteEntry } from './mount-routes.ts'
import { Refusal } from './errors.ts'
import type { Caller, CallerLimits, Verdict } from './gate.ts'
import type { CrossOrigin } from './http/cors.ts'
import type { HeldBody } from './http/held-bodies.ts'
import { json, type HttpResponse } from './http/message.ts'
import { readBody, takesBody } from './input.ts'
import { toHttpResponse, type OutgoingContext } from './outgoing.ts'
import { refusals } from './refusals.ts'
import type { ServerEvent } from './reply.ts'
import type { Answer } from './route.ts'
import { withTimeout } from './std/with-timeout.ts'

export interface PipelineContext extends OutgoingContext {
  readonly crossOrigin: CrossOrigin
  readonly bodies: (address: string | undefined) => HeldBody
}

/**
 * Answers one request for one route: policies, 404 if it is not mounted, gate, Host and Origin, body,
 * schemas, handler, and the reply through its schema, so undeclared fields are never sent.
 */
export function answer(matched: Matched, context: PipelineContext): HttpResponse | Promise<HttpResponse> {
  const { entry, request } = matched
  for (const policy of entry.policies) {
    const refusal = policy.refuse?.(request)
    if (refusal) throw refusal
  }
  if (entry.isUnmounted) throw refusals.notFound()
  const verdict = entry.gate.admit(request, entry.spec)
  return verdict instanceof Promise
    ? verdict.then((settled) => admitted(matched, settled, context))
    : admitted(matched, verdict, context)
}

function admitted(
  matched: Matched,
  verdict: Verdict,
  context: PipelineContext,
): HttpResponse | Promise<HttpResponse> {
  if (!verdict.admit) {
    const { status, error, reason, extra, headers } = verdict
    return json(status, { ...extra, error, ...(reason !== undefined && { reason }) }, headers)
  }
  const { caller } = verdict
  return caller.limits
    ? watched(caller.limits, () => proceed(matched, caller, context))
    : proceed(matched, caller, context)
}

function proceed(
  matched: Matched,
  caller: Caller,
  context: PipelineContext,
): HttpResponse | Promise<HttpResponse> {
  const foreign = context.crossOrigin.judge(matched.request)
  if (foreign) throw foreign
  return takesBody(matched.entry.spec)
    ? withBody(matched, caller, context)
    : handle(matched, caller, undefined, context)
}

/** Reports a refused request to the limits of its caller; answers are reported elsewhere. */
async function watched(
  limits: CallerLimits,
  work: () => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await work()
  } catch (error) {
    limits.onResponse(error instanceof Refusal ? error.status : 500)
    throw error
  }
}

/** Counts a body in memory until its handler ends, which may be after the answer. */
async function withBody(matched: Matched, caller: Caller, context: PipelineContext): Promise<HttpResponse> {
  const {
    entry: { spec },
    request,
  } = matched
  const held = context.bodies(request.remote)
  let work: Promise<Answer> | undefined
  try {
    const body = await readBody(spec, request, held)
    return await handle(matched, caller, body, context, (started) => void (work = started))
  } finally {
    held.release(work)
  }
}

function handle(
  matched: Matched,
  caller: Caller,
  body: unknown,
  context: PipelineContext,
  onWork?: (work: Promise<Answer>) => void,
): HttpResponse | Promise<HttpResponse> {
  const { entry, request } = matched
  const { timeoutMs } = entry.spec
  const reply = (answered: Answer): HttpResponse => {
    const outbound = toHttpResponse(matched, answered, caller, context)
    caller.limits?.onResponse(outbound.status, answered.body)
    return outbound
  }
  const late = timeoutMs === undefined ? undefined : new AbortController()
  const call = new HandlerCall(matched, { caller, body, log: context.log, late: late?.signal })
  caller.limits?.checkSite(call)
  context.crossOrigin.limitsOf(request)?.checkSite(entry.spec, call)
  if (request.method === 'HEAD' && isStream(entry)) return reply({ status: 200, body: noEvents() })
  const answered = entry.handler(call)
  if (!(answered instanceof Promise)) return reply(answered)
  onWork?.(answered)
  const giveUp = (): Refusal => {
    // Aborts after the refusal: a handler that stops when its signal aborts must not answer first.
    queueMicrotask(() => late?.abort())
    return refusals.timedOut()
  }
  return (timeoutMs === undefined ? answered : withTimeout(timeoutMs, answered, giveUp)).then(reply)
}

/** True if the route answers with a stream of events, which a HEAD request does not start. */
function isStream({ spec }: RouteEntry): boolean {
  const declared = spec.replies[200]
  return declared !== undefined && 'reply' in declared && declared.reply === 'events'
}

async function* noEvents(): AsyncGenerator<ServerEvent<unknown>> {}
