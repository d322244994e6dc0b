import * as v from 'valibot'
import { gates, type RouteSpec } from '../../kernel/index.ts'

/** The one envelope of every refusal. */
export const Envelope = v.pipe(
  v.looseObject({
    error: v.pipe(v.string(), v.description('The sentence once more, for clients that show this field; `unauthorized` and `refused` are words to compare with.')),
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

/** What a gate answers to those it does not let in. */
export const GateEnvelope = v.pipe(
  v.looseObject({ error: v.string(), reason: v.optional(v.string()) }),
  v.title('Gate refusal'),
  v.description('Why the gate of a route did not let a request in. On a 401 `error` is `unauthorized`.'),
)

/** A status that the kernel itself may answer. */
export interface Fault {
  /** Of the response that routes refer to. */
  readonly name: string
  /** A status, or `default` for those of no route in particular. */
  readonly status: string
  readonly description: string
  /** On which routes. */
  readonly on: (spec: RouteSpec) => boolean
  /** Who speaks, and so in which envelope. */
  readonly by: 'kernel' | 'gate' | 'both'
  /** Says when to come back. */
  readonly retry?: true
}

const everywhere = (): boolean => true
const readsBody = ({ body, upload, raw }: RouteSpec): boolean => [body, upload, raw].some((kind) => kind !== undefined)
const isGated = ({ gate }: RouteSpec): boolean => gate.id !== gates.public.id

/** What the kernel and the gates refuse, in the order of the statuses. */
export const faults: readonly Fault[] = [
  {
    name: 'BadRequest',
    status: '400',
    on: everywhere,
    by: 'kernel',
    description: 'The request cannot be read or does not fit: `bad_request`, `invalid_json`, `invalid_request`, `too_many_parts`.',
  },
  {
    name: 'Unauthorized',
    status: '401',
    on: isGated,
    by: 'gate',
    description: 'The gate of this route asks for a credential that the request does not carry.',
  },
  {
    name: 'Forbidden',
    status: '403',
    on: everywhere,
    by: 'both',
    description: 'Not by this host name or not from this web page: `host_not_allowed`, `origin_not_allowed`; or not with this scoped token: `token_not_allowed`; or the gate says so.',
  },
  {
    name: 'NotFound',
    status: '404',
    on: ({ path }) => path.includes(':'),
    by: 'kernel',
    description: 'A parameter of the path is too long: `not_found`.',
  },
  {
    name: 'BodyTooLarge',
    status: '413',
    on: readsBody,
    by: 'kernel',
    description: 'The body is larger than this route accepts: `body_too_large`.',
  },
  {
    name: 'UnsupportedMediaType',
    status: '415',
    on: ({ body, upload }) => body !== undefined || upload !== undefined,
    by: 'kernel',
    description: 'The body is encoded, or of another type than this route reads: `unsupported_media_type`.',
  },
  {
    name: 'InternalError',
    status: '500',
    on: everywhere,
    by: 'kernel',
    description: 'Something went wrong inside the service: `internal_error`, with a `requestId`. `body_already_read` on a mount behind a body parser.',
  },
  {
    name: 'Unavailable',
    status: '503',
    on: everywhere,
    by: 'both',
    retry: true,
    description: 'The service is stopping, holds too many bodies or took too long: `closing`, `too_many_bodies`, `timed_out`.',
  },
  {
    name: 'Refused',
    status: 'default',
    on: everywhere,
    by: 'kernel',
    description: 'Refused before a route was looked for: 408 `request_timeout`, 414 `url_too_long`, 429 `too_many_requests`, 431 `headers_too_large`.',
  },
]
