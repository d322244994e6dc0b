import type { RouteSpec } from '../../kernel/index.ts'
import type { Components } from './components.ts'
import type { ApiResponse, Content, JsonSchema } from './document.ts'
import { Envelope, faults, GateEnvelope, type Fault } from './faults.ts'

/** A refusal on a route, with the name of the shared response where it says no more than that. */
export interface Refused {
  readonly shared?: string
  readonly response: ApiResponse
}

/**
 * The refusals of the kernel on any of these routes, as responses that routes refer to by name: not those to which every
 * route adds something of its own.
 */
export function sharedRefusals(specs: readonly RouteSpec[], components: Components): Readonly<Record<string, ApiResponse>> {
  const possible = faults.filter(({ on, status }) => specs.some((spec) => on(spec) && !(status in { ...spec.replies, ...spec.refusals })))
  return Object.fromEntries(possible.map((fault) => [fault.name, toResponse(fault, components)]))
}

/** What may be refused on a route, by status: by the kernel, by its gate, by itself. */
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

/** One response for two meanings of a status: their sentences in turn, their bodies as alternatives. */
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

/** What fits one of the schemas; alternatives among them are not nested, and each is reported once. */
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

/** Verdicts such as `nothing_to_undo`, set as code. */
const toCode = (verdicts: string): string => verdicts.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, '`$&`')
