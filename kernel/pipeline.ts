import * as v from 'valibot'
import { check } from './check.ts'
import { Refusal } from './errors.ts'
import type { Gate } from './gate.ts'
import { isJsonType, jsonLimits, parseJson } from './http/body.ts'
import type { CrossOrigin } from './http/cors.ts'
import { toEventStream } from './http/events.ts'
import { defaultHeaders } from './http/headers.ts'
import type { HeaderList, Inbound, Outbound } from './http/message.ts'
import { isMultipartType, readUpload } from './http/multipart.ts'
import type { Logger } from './log.ts'
import type { RoutePolicy } from './policy.ts'
import { refusals } from './refusals.ts'
import { isSpecial, type ServerEvent } from './reply.ts'
import type { Answer, Call, RouteSpec } from './route.ts'

/** A route with everything that answering it takes. */
export interface Entry {
  readonly plugin: string
  readonly key: string
  readonly spec: RouteSpec
  readonly gate: Gate
  readonly policies: readonly RoutePolicy[]
  readonly handler: (call: Call) => Answer | Promise<Answer>
}

export interface PipelineContext {
  readonly crossOrigin: CrossOrigin
  readonly log: Logger
  /** Aborts when the orchestrator begins to close; streams end then. */
  readonly closing: AbortSignal
}

const defaultLimit = 1024 * 1024

/**
 * Answers one request for one route: policies, gate, Host and Origin, body, schemas, handler, and the reply through
 * its own schema, so that what is not declared cannot leave.
 */
export async function answer(entry: Entry, params: Readonly<Record<string, string | undefined>>, request: Inbound, id: string, context: PipelineContext): Promise<Outbound> {
  const { spec } = entry
  for (const policy of entry.policies) {
    const refusal = policy.refuse?.(request)
    if (refusal) throw refusal
  }
  const asked = entry.gate.admit(request)
  const verdict = asked instanceof Promise ? await asked : asked
  if (!verdict.admit) {
    const { status, error, reason, extra } = verdict
    return json(status, { ...extra, error, ...(reason !== undefined && { reason }) })
  }
  const foreign = context.crossOrigin.judge(request)
  if (foreign) throw foreign
  const body = spec.body || spec.raw || spec.upload ? await readBody(entry, request) : undefined
  const call = new HandlerCall(entry, request, id, verdict.caller, context.log, params, body)
  if (request.method === 'HEAD' && replyOf(spec, 200, 'events')) return toOutbound(entry, { status: 200, body: noEvents() }, request, context)
  const answered = entry.handler(call)
  const reply = answered instanceof Promise ? await within(spec.timeout, answered) : answered
  return toOutbound(entry, reply, request, context)
}

async function* noEvents(): AsyncGenerator<ServerEvent<unknown>> {}

/** What a handler sees of a request. What costs something to make is made when it is asked for. */
class HandlerCall implements Call {
  readonly id: string
  readonly params: Call['params']
  readonly query: Call['query']
  readonly body: Call['body']
  readonly caller: Call['caller']
  readonly log: Logger
  /** Bound, because handlers take it out of the call. */
  readonly header: Call['header']
  readonly #request: Inbound
  readonly #timeout: number | undefined

  constructor({ spec, policies }: Entry, request: Inbound, id: string, caller: Call['caller'], log: Logger, params: unknown, body: unknown) {
    this.id = id
    this.params = (spec.params ? check(spec.params, params, 'path') : params) as Call['params']
    this.query = (spec.query ? check(spec.query, rewritten(policies, parseQuery(request.search), request), 'query', spec.readable) : {}) as Call['query']
    this.body = (spec.body ? check(spec.body, rewritten(policies, body, request), 'body', spec.readable) : body) as Call['body']
    this.caller = caller
    this.log = log
    this.header = (name) => request.header(name)
    this.#request = request
    this.#timeout = spec.timeout
  }

  get secure(): boolean {
    return this.#request.secure
  }

  get remote(): string | undefined {
    return this.#request.remote
  }

  get headers(): Headers {
    return this.#request.headers
  }

  get signal(): AbortSignal {
    const { signal } = this.#request
    return this.#timeout === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(this.#timeout)])
  }
}

function rewritten(policies: readonly RoutePolicy[], input: unknown, request: Inbound): unknown {
  return policies.reduce((value, policy) => (policy.rewrite ? policy.rewrite(value, request) : value), input)
}

/** The query as an object; a parameter given twice is refused, because no reader could say which one counts. */
function parseQuery(search: string): Readonly<Record<string, string>> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>
  if (search === '') return query
  for (const [name, value] of new URLSearchParams(search)) {
    if (name in query) throw refusals.badRequest(`The query parameter '${name}' is given more than once. Give it once.`)
    query[name] = value
  }
  return query
}

async function readBody({ spec }: Entry, request: Inbound): Promise<unknown> {
  const limit = spec.limit ?? defaultLimit
  if (spec.raw) return request.read(limit)
  if (spec.upload) {
    const type = request.header('content-type')
    if (type === undefined || !isMultipartType(type)) throw refusals.unsupportedMediaType('multipart/form-data')
    return readUpload(request.stream(limit), type, spec.upload)
  }
  if (!spec.body) return undefined
  const type = request.header('content-type')
  if (type === undefined && !request.hasBody) return {}
  if (!isJsonType(type) || request.header('content-encoding') !== undefined) throw refusals.unsupportedMediaType('application/json; charset=utf-8')
  return parseJson(await request.read(limit), { ...jsonLimits, ...(spec.values !== undefined && { values: spec.values }) })
}

async function within(milliseconds: number | undefined, answered: Promise<Answer>): Promise<Answer> {
  if (milliseconds === undefined) return answered
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(refusals.timedOut()), milliseconds).unref()
  try {
    return await Promise.race([answered, promise])
  } finally {
    clearTimeout(timer)
  }
}

const jsonHeaders: HeaderList = headersWith({ 'content-type': 'application/json; charset=utf-8' })
const streamHeaders: HeaderList = headersWith({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
})

type OwnHeaders = NonNullable<Answer['headers']>

/** The default headers, with those that an answer states itself. */
function headersWith(own: OwnHeaders): HeaderList {
  return Object.entries({ ...defaultHeaders, ...own }).flatMap(([name, value]) => (typeof value === 'string' ? [name, value] : value.flatMap((each) => [name, each])))
}

function json(status: number, body: unknown, headers?: OwnHeaders): Outbound {
  return { status, headers: headers ? headersWith({ 'content-type': 'application/json; charset=utf-8', ...headers }) : jsonHeaders, body: JSON.stringify(body) }
}

function replyOf(spec: RouteSpec, status: number, kind: string): boolean {
  const declared = spec.replies[status]
  return declared !== undefined && isSpecial(declared) && declared.reply === kind
}

function toOutbound({ plugin, key, spec }: Entry, { status, headers, body }: Answer, request: Inbound, { closing }: PipelineContext): Outbound {
  const declared = spec.replies[status]
  if (!declared) throw new Error(`'${plugin}.${key}' answered ${status}, which it does not declare`)
  const etag = headers?.['etag']
  if (headers && typeof etag === 'string' && status === 200 && isUnchanged(etag, request)) return { status: 304, headers: headersWith(headers), body: null }
  if (!isSpecial(declared)) {
    const parsed = v.safeParse(declared, body)
    if (parsed.success) return json(status, parsed.output, headers)
    throw new Error(`'${plugin}.${key}' answered ${status} with ${v.getDotPath(parsed.issues[0]) ?? 'a body'}: ${parsed.issues[0].message}`)
  }
  switch (declared.reply) {
    case 'stored':
      return { status, headers: headers ? headersWith({ 'content-type': 'application/json; charset=utf-8', ...headers }) : jsonHeaders, body: body as string | Uint8Array }
    case 'text':
      return { status, headers: headersWith({ 'content-type': declared.type, ...headers }), body: body as string }
    case 'events': {
      const signal = AbortSignal.any([closing, request.signal])
      return { status, headers: streamHeaders, body: toEventStream(body as AsyncIterable<ServerEvent<unknown>>, { ...declared, signal }) }
    }
    case 'file':
    case 'empty':
      return { status, headers: headersWith(headers ?? {}), body: body as Outbound['body'] }
  }
}

/** True when the caller already has what the answer would carry. Tags are compared weakly, as for every GET. */
function isUnchanged(etag: string, request: Inbound): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const known = request.header('if-none-match')
  if (known === undefined) return false
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '')
  return known.trim() === '*' || known.split(',').some((tag) => bare(tag) === bare(etag))
}

/** A refusal as an answer. */
export function toAnswer(refusal: Refusal): Outbound {
  return json(refusal.status, refusal.toBody(), refusal.headers)
}
