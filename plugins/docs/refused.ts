import * as v from 'valibot'
import { gates, type RouteSpec } from '../../kernel/index.ts'
import type { Components } from './components.ts'
import type { ApiResponse, Content, JsonSchema } from './document.ts'

/** The envelope of every refusal. */
const Envelope = v.pipe(
  v.looseObject({
    error: v.pipe(v.string(), v.description('The same sentence, for clients that show this field; `unauthorized` and `refused` are codes to compare with.')),
    code: v.pipe(v.string(), v.description('The verdict for programs, in snake_case.')),
    reason: v.pipe(v.string(), v.description('A sentence that names the remedy.')),
    details: v.optional(v.pipe(
      v.array(v.object({ path: v.string(), message: v.string() })),
      v.description('What does not fit the schema, the first offending field first.'),
    )),
    requestId: v.optional(v.pipe(v.string(), v.description('Where the log has the details.'))),
  }),
  v.title('Refusal'),
  v.description('Why a request was not carried out. Some refusals carry further fields.'),
)

/** The refusal of a gate. */
const GateEnvelope = v.pipe(
  v.looseObject({ error: v.string(), reason: v.optional(v.string()) }),
  v.title('Gate refusal'),
  v.description('Why the gate of a route refused a request. On a 401 `error` is `unauthorized`.'),
)

/** A refusal of the kernel or of a gate. */
interface Fault {
  /** The name of the shared response. */
  readonly name: string
  /** A status, or `default` for refusals outside of any route. */
  readonly status: string
  readonly description: string
  /** True if a route can refuse this way. */
  readonly on: (spec: RouteSpec) => boolean
  /** The source of the refusal, which determines the envelope. */
  readonly by: 'kernel' | 'gate' | 'both'
  /** True if sent with `retry-after`. */
  readonly retry: boolean
}

const fault = (status: string, name: string, description: string, { on = () => true, by = 'kernel', retry = false }: Partial<Fault> = {}): Fault =>
  ({ name, status, description, on, by, retry })

const readsBody = ({ body, upload, raw }: RouteSpec): boolean => [body, upload, raw].some((kind) => kind !== undefined)
const isGated = ({ gate }: RouteSpec): boolean => gate.id !== gates.public.id

/** The refusals of the kernel and the gates, ordered by status. */
const faults: readonly Fault[] = [
  fault('400', 'BadRequest', 'The request cannot be read or does not fit: `bad_request`, `invalid_json`, `invalid_request`, `too_many_parts`.'),
  fault('401', 'Unauthorized', 'The gate of this route asks for a credential that the request does not carry.', { on: isGated, by: 'gate' }),
  fault('403', 'Forbidden', 'Not by this host name or not from this web page: `host_not_allowed`, `origin_not_allowed`; or not with this scoped token: '
    + '`token_not_allowed`; or the gate says so.', { by: 'both' }),
  fault('404', 'NotFound', 'A parameter of the path is too long: `not_found`.', { on: ({ path }) => path.includes(':') }),
  fault('413', 'BodyTooLarge', 'The body is larger than this route accepts: `body_too_large`.', { on: readsBody }),
  fault('415', 'UnsupportedMediaType', 'The body is encoded, or of another type than this route reads: `unsupported_media_type`.', {
    on: ({ body, upload }) => body !== undefined || upload !== undefined,
  }),
  fault('500', 'InternalError', 'Something went wrong inside the service: `internal_error`, with a `requestId`. `body_already_read` on a mount behind a '
    + 'body parser.'),
  fault('503', 'Unavailable', 'The service is stopping, holds too many bodies or took too long: `closing`, `too_many_bodies`, `timed_out`.', {
    by: 'both', retry: true,
  }),
  fault('default', 'Refused', 'Refused before a route was looked for: 408 `request_timeout`, 414 `url_too_long`, 429 `too_many_requests`, '
    + '431 `headers_too_large`.'),
]

/** A refusal of a route, with the name of the shared response if it adds nothing. */
export interface Refused {
  readonly shared?: string
  readonly response: ApiResponse
}

/**
 * Returns the kernel's refusals on any of these routes, as responses that routes refer to by name. Omits
 * refusals to which every route adds something.
 */
export function sharedRefusals(specs: readonly RouteSpec[], components: Components): Readonly<Record<string, ApiResponse>> {
  const possible = faults.filter(({ on, status }) => specs.some((spec) => on(spec) && !(status in { ...spec.replies, ...spec.refusals })))
  return Object.fromEntries(possible.map((fault) => [fault.name, toResponse(fault, components)]))
}

/** Returns the refusals of a route by status: those of the kernel, its gate and the route itself. */
export function refusalsOf(spec: RouteSpec, components: Components): ReadonlyMap<string, Refused> {
  const here = faults.filter(({ on }) => on(spec))
  const found = new Map(here.map((fault): [string, Refused] => [
    fault.status,
    { shared: fault.name, response: toResponse(fault, components) },
  ]))
  for (const [status, verdicts] of Object.entries(spec.refusals ?? {})) {
    const kernels = found.get(status)?.response
    const own = { description: `Refused by this route: ${toCode(verdicts)}.`, content: json(components.describe(Envelope, 'output')) }
    found.set(status, { response: kernels ? mergeResponses(own, kernels) : own })
  }
  return found
}

/** Merges two meanings of a status: joins their sentences, and makes their bodies alternatives. */
export function mergeResponses(first: ApiResponse, second: ApiResponse): ApiResponse {
  return {
    ...second,
    ...first,
    description: `${first.description} ${second.description}`,
    content: { ...second.content, ...first.content, ...json(either([...schemasOf(first), ...schemasOf(second)])) },
  }
}

function schemasOf({ content }: ApiResponse): readonly JsonSchema[] {
  const schema = content?.['application/json']?.schema
  return schema ? [schema] : []
}

/** Combines schemas as alternatives, flattened and without duplicates. */
function either(schemas: readonly JsonSchema[]): JsonSchema {
  const flat = schemas.flatMap((schema) => (schema.anyOf && Object.keys(schema).length === 1 ? schema.anyOf : [schema]))
  const anyOf = [...new Map(flat.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [only] = anyOf
  return anyOf.length === 1 && typeof only === 'object' ? only : { anyOf }
}

const retryAfter = { 'retry-after': { description: 'Whole seconds to wait.', schema: { type: 'integer' } } } as const

function toResponse({ description, by, retry }: Fault, { describe }: Components): ApiResponse {
  const kernel = by === 'gate' ? [] : [describe(Envelope, 'output')]
  const gate = by === 'kernel' ? [] : [describe(GateEnvelope, 'output')]
  return { description, ...(retry && { headers: retryAfter }), content: json(either([...kernel, ...gate])) }
}

const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } })

/** Formats verdicts such as `nothing_to_undo` as code. */
const toCode = (verdicts: string): string => verdicts.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, '`$&`')
