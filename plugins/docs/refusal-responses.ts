import { STATUS_CODES } from 'node:http'
import * as v from 'valibot'
import {
  earlyRefusals,
  gates,
  kernelRefusals,
  type RefusalKind,
  type RouteSpec,
  type JsonSchema,
} from '../../kernel/index.ts'
import type { Components } from './components.ts'
import type { ApiResponse, Content } from './document.ts'

/** The envelope of every refusal. */
const Envelope = v.pipe(
  v.looseObject({
    error: v.pipe(
      v.string(),
      v.description(
        'The same sentence, for clients that show this field; `unauthorized` and `refused` are codes to compare with.',
      ),
    ),
    code: v.pipe(v.string(), v.description('The verdict for programs, in snake_case.')),
    reason: v.pipe(v.string(), v.description('A sentence that names the remedy.')),
    details: v.optional(
      v.pipe(
        v.array(v.object({ path: v.string(), message: v.string() })),
        v.description('What does not fit the schema, the first offending field first.'),
      ),
    ),
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

/** What gates refuse, by status: they have no kinds of refusals. */
const ofGates: ReadonlyMap<string, string> = new Map([
  ['401', 'The gate of this route asks for a credential that the request does not carry.'],
  ['403', 'The gate refuses the caller; `token_not_allowed` for a scoped token.'],
  ['503', 'The gate cannot decide.'],
])

/** A refusal of a route, with the name of the shared response if the route itself adds nothing. */
interface Refused {
  readonly shared: string | undefined
  readonly response: ApiResponse
}

/** Returns the refusals of a route by status: those of the route itself, the kernel and the gate. */
export function refusalsOf(spec: RouteSpec, components: Components): ReadonlyMap<string, Refused> {
  const { gate, refusals = [] } = spec
  const byStatus = Map.groupBy([...refusals, ...kernelRefusals(spec)], ({ status }) => String(status))
  const isGated = gate.id !== gates.public.id
  const all = new Map([...(isGated ? [['401', []] as const] : []), ...byStatus, ['default', earlyRefusals]])
  return new Map(
    [...all].map(([status, kinds]) => [
      status,
      {
        shared: refusals.some((own) => String(own.status) === status) ? undefined : statusName(status),
        response: toResponse(
          status,
          kinds,
          isGated || status !== '401' ? ofGates.get(status) : undefined,
          components,
        ),
      },
    ]),
  )
}

/** Returns the responses that these routes refer to by name. */
export function sharedRefusals(
  specs: readonly RouteSpec[],
  components: Components,
): Readonly<Record<string, ApiResponse>> {
  const used = specs.flatMap((spec) =>
    [...refusalsOf(spec, components)].filter(([status]) => !(status in spec.replies)),
  )
  return Object.fromEntries(
    used.flatMap(([, { shared, response }]) => (shared === undefined ? [] : [[shared, response]])),
  )
}

const statusName = (status: string): string => (STATUS_CODES[status] ?? 'Refused').replaceAll(/\W/g, '')

const retryAfter = {
  'retry-after': { description: 'Whole seconds to wait.', schema: { type: 'integer' } },
} as const

function toResponse(
  status: string,
  kinds: readonly RefusalKind[],
  ofGate: string | undefined,
  { describe }: Components,
): ApiResponse {
  const sentences = [...Map.groupBy(kinds, ({ code }) => code)].map(([code, same]) => {
    const reasons = new Set(same.map((kind) => kind.describe()).filter((reason) => reason !== undefined))
    return reasons.size === 0 ? `\`${code}\`` : `\`${code}\`: ${[...reasons].join(' ')}`
  })
  const envelopes = [...(kinds.length > 0 ? [Envelope] : []), ...(ofGate === undefined ? [] : [GateEnvelope])]
  return {
    description: [...sentences, ...(ofGate === undefined ? [] : [ofGate])].join('\n\n'),
    ...(status === '503' && { headers: retryAfter }),
    content: json(either(envelopes.map((schema) => describe(schema, 'output')))),
  }
}

const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } })

/** Merges two meanings of a status: joins their sentences, and makes their bodies alternatives. */
export function mergeResponses(first: ApiResponse, second: ApiResponse): ApiResponse {
  return {
    ...second,
    ...first,
    description: `${first.description}\n\n${second.description}`,
    content: {
      ...second.content,
      ...first.content,
      ...json(either([...schemasOf(first), ...schemasOf(second)])),
    },
  }
}

function schemasOf({ content }: ApiResponse): readonly JsonSchema[] {
  const schema = content?.['application/json']?.schema
  return schema ? [schema] : []
}

/** Combines schemas as alternatives, flattened and without duplicates. */
function either(schemas: readonly JsonSchema[]): JsonSchema {
  const flat = schemas.flatMap((schema) =>
    schema.anyOf && Object.keys(schema).length === 1 ? schema.anyOf : [schema],
  )
  const anyOf = [...new Map(flat.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [only] = anyOf
  return anyOf.length === 1 && typeof only === 'object' ? only : { anyOf }
}
