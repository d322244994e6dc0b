import { parse as parseQuery } from 'node:querystring'
import * as v from 'valibot'
import { check } from './check.ts'
import { Refusal } from './errors.ts'
import type { Caller, Gate, Verdict } from './gate.ts'
import { isJsonType, jsonLimits, parseJson } from './http/body.ts'
import type { CrossOrigin } from './http/cors.ts'
import { toEventStream } from './http/events.ts'
import { withDefaults } from './http/headers.ts'
import type { HeaderList, Inbound, Outbound } from './http/message.ts'
import { isMultipartType, readUpload } from './http/multipart.ts'
import type { Logger } from './log.ts'
import type { RoutePolicy } from './policy.ts'
import { refusals } from './refusals.ts'
import { isSpecial, type ServerEvent } from './reply.ts'
import type { Answer, Call, RouteSpec } from './route.ts'
import type { Running } from './running.ts'

/** A route with everything that answering it takes. */
export interface Entry {
  readonly plugin: string
  readonly key: string
  readonly spec: RouteSpec
  readonly gate: Gate
  readonly policies: readonly RoutePolicy[]
  /** Its gate does not let it exist here: it answers 404 in every shape. */
  readonly isLeftOut: boolean
  readonly handler: (call: Call) => Answer | Promise<Answer>
}

export interface PipelineContext {
  readonly crossOrigin: CrossOrigin
  readonly log: Logger
  readonly running: Running
  /** Aborts when the orchestrator begins to close; streams end then. */
  readonly closing: AbortSignal
}

const defaultLimit = 1024 * 1024

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

/** A request with the route that it leads to. */
export interface Matched {
  readonly entry: Entry
  readonly params: Readonly<Record<string, string | undefined>>
  readonly request: Inbound
  readonly id: string
}

function admitted(matched: Matched, verdict: Verdict, context: PipelineContext): Outbound | Promise<Outbound> {
  const { entry: { spec }, request } = matched
  if (!verdict.admit) {
    const { status, error, reason, extra } = verdict
    return json(status, { ...extra, error, ...(reason !== undefined && { reason }) })
  }
  const foreign = context.crossOrigin.judge(request)
  if (foreign) throw foreign
  const takesBody = spec.body !== undefined || spec.raw === true || spec.upload !== undefined
  if (!takesBody) return handle(matched, verdict.caller, undefined, context)
  return readBody(matched).then((body) => handle(matched, verdict.caller, body, context))
}

function handle(matched: Matched, caller: Caller, body: unknown, context: PipelineContext): Outbound | Promise<Outbound> {
  const { entry, request, id } = matched
  const { timeout } = entry.spec
  const limit = timeout === undefined ? undefined : { milliseconds: timeout, late: new AbortController() }
  const call = new HandlerCall(matched, { caller, body, log: context.log, late: limit?.late.signal })
  if (request.method === 'HEAD' && replyOf(entry.spec, 200, 'events')) return toOutbound(entry, { status: 200, body: noEvents() }, request, id, context)
  const answered = entry.handler(call)
  if (!(answered instanceof Promise)) return toOutbound(entry, answered, request, id, context)
  return (limit ? within(limit, answered) : answered).then((reply) => toOutbound(entry, reply, request, id, context))
}

async function* noEvents(): AsyncGenerator<ServerEvent<unknown>> {}

/** What is known of a request once it is admitted and read. */
interface Admitted {
  readonly caller: Caller
  readonly body: unknown
  readonly log: Logger
  /** Aborts when the time of the route is over, where it has one. */
  readonly late: AbortSignal | undefined
}

/** What a handler sees of a request. What costs something to make is made when it is asked for. */
class HandlerCall implements Call {
  readonly id: string
  readonly params: Call['params']
  readonly query: Call['query']
  readonly body: Call['body']
  readonly caller: Call['caller']
  readonly log: Logger
  readonly header: Call['header']
  readonly #request: Inbound
  readonly #late: AbortSignal | undefined

  constructor({ entry: { spec, policies }, params, request, id }: Matched, { caller, body, log, late }: Admitted) {
    this.id = id
    this.params = (spec.params ? check(spec.params, params, 'path') : params) as Call['params']
    this.query = (spec.query ? check(spec.query, rewritten(policies, readQuery(request.search), request), 'query', spec.readable) : {}) as Call['query']
    this.body = (spec.body ? check(spec.body, rewritten(policies, body, request), 'body', spec.readable) : body) as Call['body']
    this.caller = caller
    this.log = log
    this.header = request.header
    this.#request = request
    this.#late = late
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
    return this.#late ? AbortSignal.any([signal, this.#late]) : signal
  }
}

function rewritten(policies: readonly RoutePolicy[], input: unknown, request: Inbound): unknown {
  return policies.reduce((value, policy) => (policy.rewrite ? policy.rewrite(value, request) : value), input)
}

/** The query as an object; a parameter given twice is refused, because no reader could say which one counts. */
function readQuery(search: string): unknown {
  const query = parseQuery(search, '&', '=', { maxKeys: 0 })
  for (const name in query) {
    if (Array.isArray(query[name])) throw refusals.badRequest(`The query parameter '${name}' is given more than once. Give it once.`)
  }
  return query
}

async function readBody({ entry: { spec }, request }: Matched): Promise<unknown> {
  const limit = spec.limit ?? defaultLimit
  if (spec.raw) return request.read(limit)
  const type = request.header('content-type')
  const isEncoded = request.header('content-encoding') !== undefined
  if (spec.upload) {
    if (type === undefined || !isMultipartType(type) || isEncoded) throw refusals.unsupportedMediaType('multipart/form-data')
    return readUpload(request.stream(limit), type, spec.upload)
  }
  if (type === undefined && !request.hasBody) return {}
  if (!isJsonType(type) || isEncoded) throw refusals.unsupportedMediaType('application/json; charset=utf-8')
  return parseJson(await request.read(limit), { ...jsonLimits, ...(spec.values !== undefined && { values: spec.values }) })
}

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

type OwnHeaders = NonNullable<Answer['headers']>

const jsonType = 'application/json; charset=utf-8'
const jsonHeaders: HeaderList = withDefaults({ 'content-type': jsonType })
const streamHeaders: HeaderList = withDefaults({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
})

function json(status: number, body: unknown, headers?: OwnHeaders): Outbound {
  return { status, headers: headers ? withDefaults({ 'content-type': jsonType, ...headers }) : jsonHeaders, body: JSON.stringify(body) }
}

function replyOf(spec: RouteSpec, status: number, kind: string): boolean {
  const declared = spec.replies[status]
  return declared !== undefined && isSpecial(declared) && declared.reply === kind
}

function toOutbound({ plugin, key, spec }: Entry, { status, headers, body }: Answer, request: Inbound, id: string, { closing, log, running }: PipelineContext): Outbound {
  const brokeOff = (err: unknown): void => log.error({ route: spec.path, id, err }, 'stream broke off')
  const declared = spec.replies[status]
  if (!declared) throw new Error(`'${plugin}.${key}' answered ${status}, which it does not declare`)
  if (headers?.['content-length'] !== undefined && !isStream(body)) {
    throw new Error(`'${plugin}.${key}' states a content-length, which the kernel counts`)
  }
  const etag = headers?.['etag']
  if (headers && typeof etag === 'string' && status === 200 && isUnchanged(etag, request)) return { status: 304, headers: withDefaults(headers), body: null }
  if (!isSpecial(declared)) {
    const parsed = v.safeParse(declared, body)
    if (parsed.success) return json(status, parsed.output, headers)
    throw new Error(`'${plugin}.${key}' answered ${status} with ${v.getDotPath(parsed.issues[0]) ?? 'a body'}: ${parsed.issues[0].message}`)
  }
  switch (declared.reply) {
    case 'stored':
      if (typeof body !== 'string' && !(body instanceof Uint8Array)) break
      return { status, headers: headers ? withDefaults({ 'content-type': jsonType, ...headers }) : jsonHeaders, body }
    case 'text':
      if (typeof body !== 'string') break
      return { status, headers: withDefaults({ 'content-type': declared.type, ...headers }), body }
    case 'events':
      if (!isStream<ServerEvent<unknown>>(body)) break
      return { status, headers: streamHeaders, body: toEventStream(body, { ...declared, signal: AbortSignal.any([closing, request.signal]), brokeOff }) }
    case 'file':
      if (body instanceof Uint8Array) return { status, headers: withDefaults(headers ?? {}), body }
      if (!isStream<Uint8Array>(body)) break
      return { status, headers: withDefaults(headers ?? {}), body: carried(body, running, brokeOff) }
    case 'empty':
      return { status, headers: withDefaults(headers ?? {}), body: null }
  }
  throw new Error(`'${plugin}.${key}' answered ${status} with a body that is no ${declared.reply}`)
}

function isStream<T>(body: unknown): body is AsyncIterable<T> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

type Bytes = AsyncIterable<Uint8Array>

/**
 * Lets a stream through, as one more thing under way while it is read.
 *
 * Its status is sent by then, so only the log can tell what broke it.
 */
async function* carried(bytes: Bytes, running: Running, brokeOff: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  const end = running.begin()
  try {
    yield* bytes
  } catch (error) {
    brokeOff(error)
    throw error
  } finally {
    end()
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
