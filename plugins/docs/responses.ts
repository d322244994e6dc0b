import { STATUS_CODES } from 'node:http'
import type { RouteSpec, Schema, SpecialReply } from '../../kernel/index.ts'
import { ownValue } from '../content/plain-object.ts'
import type { Components } from './components.ts'
import type { ApiResponse, Operation, Security, SecurityScheme } from './document.ts'
import { mergeResponses, refusalsOf } from './refusal-responses.ts'

/** The responses of a route by status: the declared ones, and its refusals. */
export function responsesOf(spec: RouteSpec, components: Components): Operation['responses'] {
  const refused = refusalsOf(spec, components)
  const replies = Object.entries(spec.replies).map(([status, reply]): [string, ApiResponse] => {
    const own = {
      ...toResponse(Number(status), reply, components),
      ...(spec.etag && status === '200' && { headers: etag }),
    }
    const refusal = refused.get(status)
    return [status, refusal ? mergeResponses(own, refusal.response) : own]
  })
  const others = [...refused].map(
    ([status, { shared, response }]): [string, Operation['responses'][string]] => [
      status,
      shared === undefined ? response : { $ref: `#/components/responses/${shared}` },
    ],
  )
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(replies),
    ...(spec.etag && { 304: unchanged }),
  }
}

const etag = {
  etag: { description: 'The version of what is answered, in quotes.', schema: { type: 'string' } },
} as const
const unchanged: ApiResponse = {
  description: 'What the client has is still the current version.',
  headers: etag,
}

function toResponse(status: number, reply: Schema | SpecialReply, components: Components): ApiResponse {
  const { describe, resolve } = components
  const phrase = `${STATUS_CODES[status] ?? 'Answered'}.`
  if (!('reply' in reply) || reply.reply === 'stored') {
    const schema = describe('reply' in reply ? reply.schema : reply, 'output')
    const text =
      schema.description ?? (schema.$ref === undefined ? undefined : resolve(schema.$ref).description)
    return { description: text ?? phrase, content: { 'application/json': { schema } } }
  }
  switch (reply.reply) {
    case 'file':
      return {
        description: 'The bytes of a file.',
        content: Object.fromEntries(reply.types.map((type) => [type, {}])),
      }
    case 'text':
      return { description: phrase, content: { [toBareType(reply.type)]: { schema: { type: 'string' } } } }
    case 'empty':
      return { description: reply.summary }
    case 'json or events':
      return mergeResponses(
        toResponse(status, reply.json, components),
        toResponse(status, reply.events, components),
      )
    case 'events':
      return {
        description: eventsDescription(reply),
        content: { 'text/event-stream': { schema: describe(reply.schema, 'output') } },
      }
  }
}

const eventsDescription = ({
  retry,
  heartbeat,
}: {
  readonly retry: number
  readonly heartbeat: number
}): string =>
  'A stream of server-sent events; the `data` of each is JSON of this schema. ' +
  `A comment line breaks a silence of ${heartbeat / 1000} s. ` +
  `A client that lost the stream is asked to wait ${retry / 1000} s before it connects again.`

const toBareType = (type: string): string => (type.split(';')[0] ?? type).trim()

const builtinSchemes = {
  accessToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-access-token',
    description: 'The access token in a header of its own.',
  },
  accessTokenBearer: { type: 'http', scheme: 'bearer', description: 'The access token as a bearer.' },
  accessTokenQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'accessToken',
    description: 'The access token in the address, for an EventSource, which cannot send headers.',
  },
  publishToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-publish-token',
    description: 'The publish secret, where PUBLISH_TOKEN is set.',
  },
} as const satisfies Readonly<Record<string, SecurityScheme>>

const access: Security = [{ accessToken: [] }, { accessTokenBearer: [] }, { accessTokenQuery: [] }]

/** Returns the name of a gate without its prefix. */
export const gateName = (id: string): string => id.replace(/^gate\./, '')

/** The security requirements of the built-in gates. */
const securities: Readonly<Record<string, Security>> = {
  public: [],
  access,
  probe: [{}, ...access],
  agent: access,
  publish: access.map((way) => ({ ...way, publishToken: [] })),
}

/** Returns the security requirements of a gate; other plugins' gates are one scheme each, by name. */
export const securityOf = (gate: string): Security =>
  ownValue(securities, gate) ?? [{ [schemeName(gate)]: [] }]

const callers: Readonly<Record<string, string>> = {
  public: 'Needs no credential.',
  access: 'Needs access to the service.',
  probe: 'Answers probes without a credential.',
  agent: 'Needs access to the service, and the agent surface to be on.',
  publish: 'Needs access to the service and, where one is set, the publish token.',
}

/** Returns a sentence about who may call a route of a gate; `can` is the permission that a scoped token needs. */
export function callersOf(gate: string, can: string): string {
  const who = ownValue(callers, gate) ?? `The gate '${gate}' decides who may call it.`
  return gate === 'public' ? who : `${who} A scoped token needs the permission \`${can}\`.`
}

/** Returns the built-in schemes, and one for each other gate. */
export function securitySchemes(gates: readonly string[]): Readonly<Record<string, SecurityScheme>> {
  const others = gates.filter((gate) => !Object.hasOwn(securities, gate))
  return {
    ...builtinSchemes,
    ...Object.fromEntries(
      others.map((gate): [string, SecurityScheme] => [
        schemeName(gate),
        {
          type: 'http',
          scheme: schemeName(gate),
          description: `Decided by the gate '${gate}', which a plugin brings along.`,
        },
      ]),
    ),
  }
}

/** Component names allow few characters, but gate names allow any. */
const schemeName = (gate: string): string => `gate.${gate.replace(/[^\w.-]+/g, '-')}`
