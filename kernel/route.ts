import type { RefusalKind } from './errors.ts'
import type { Logger } from './log.ts'
import type { Caller, GateRef } from './gate.ts'
import type { OwnHeaders } from './http/headers.ts'
import type { Upload, UploadLimits } from './http/multipart.ts'
import type {
  EmptyReply,
  EventsReply,
  FileReply,
  JsonOrEventsReply,
  ServerEvent,
  SpecialReply,
  StoredReply,
  TextReply,
} from './reply.ts'
import type { DeepReadonly, InputOf, OutputOf, Schema } from './schema.ts'
import type { Sites, Permission } from './permission.ts'

/** The methods that a route may have. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]
export const isMethod = (value: unknown): value is Method => methods.some((method) => method === value)

/** A route as data. It must name its gate, so that none can be forgotten. */
export interface RouteSpec {
  readonly method: Method
  /** A segment that starts with `:` is a parameter. */
  readonly path: `/${string}`
  readonly gate: GateRef
  /** The permission that a scoped token needs; default: derived from gate and method. */
  readonly can?: Permission | readonly [Permission, ...Permission[]]
  /** The affected sites, if its input has no `siteId`; default: `all`, which excludes tokens for one site. */
  readonly sites?: Exclude<Sites, 'named'>
  /** One sentence in the third person, for the API description. */
  readonly summary: string
  readonly params?: Schema
  /** Must be a pure function, because a repeated query is not parsed again. */
  readonly query?: Schema
  /** Request headers that the handler reads: lower-case name to a description, for the API description. */
  readonly headers?: Readonly<Record<string, string>>
  /** The answer has an ETag; a request with it in If-None-Match gets 304 until something changes. */
  readonly etag?: true
  /**
   * The schema of a JSON body; a missing body is read as `{}`. Routes that change more than a draft have a
   * strict object: a mistyped field must not turn into a default there, such as another session.
   */
  readonly body?: Schema
  /**
   * A multipart body instead of JSON, which the handler reads as it arrives. If `body` is also set, the
   * content type selects one of them; `maxBytes` then applies to the form, and JSON may have 1 MiB.
   */
  readonly upload?: UploadLimits
  /** Passes the body as unparsed bytes, to check a signature over them. */
  readonly raw?: true
  readonly replies: Readonly<Record<number, Schema | SpecialReply>>
  /** Refusals of this route beyond those of the kernel and its gate. */
  readonly refusals?: readonly RefusalKind[]
  /** The maximum size of the body in bytes; default: 1 MiB. */
  readonly maxBytes?: number
  /** The maximum number of values in a JSON body; default: 100,000. */
  readonly maxValues?: number
  /** Parses the text of a JSON body; default: `JSON.parse`. */
  readonly parse?: (text: string) => unknown
  /** Milliseconds after which the answer is 503 `timed_out`. */
  readonly timeoutMs?: number
  /** Mounted, but not part of the public API. */
  readonly internal?: true
  /** The tag under which it is listed; default: the tag of the plugin. */
  readonly tag?: string
  /** Facts about this route for other plugins, such as a policy; plain data. */
  readonly traits?: Readonly<Record<string, unknown>>
}

export type RouteTable = Readonly<Record<string, RouteSpec>>

type UncheckedRoute = Omit<RouteSpec, 'gate'> & { readonly gate?: GateRef }

/** A table that may lack gates: an inferred one, so that a missing gate does not hide the types of its route. */
export type UncheckedTable = Readonly<Record<string, UncheckedRoute>>

/** What a table must also have, so that the compiler names a missing gate. */
export type Gated<T> = { readonly [K in keyof T]: { readonly gate: GateRef } }

/** The parameter names of a path, after `:`. */
export type PathNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

export type PathParams<P extends string> = { readonly [K in PathNames<P>]: string }

type BodyIn<S extends UncheckedRoute> = S extends { readonly raw: true }
  ? Uint8Array
  : S extends { readonly upload: object }
    ? Upload | OutputOf<S['body'], never>
    : OutputOf<S['body'], undefined>

/** A validated request, as passed to a handler. */
export interface Call<S extends UncheckedRoute = RouteSpec> {
  readonly id: string
  readonly params: OutputOf<S['params'], PathParams<S['path']>>
  readonly query: OutputOf<S['query'], Readonly<Record<string, never>>>
  readonly body: BodyIn<S>
  readonly headers: Headers
  header(name: string): string | undefined
  readonly caller: Caller
  readonly remote: string | undefined
  readonly secure: boolean
  readonly log: Logger
  /** Aborts when the caller disconnects, or at the time limit of the route. */
  readonly signal: AbortSignal
}

type EventsOut<S> = AsyncIterable<ServerEvent<DeepReadonly<InputOf<S, never>>>>

type BodyOut<R> =
  R extends EventsReply<infer S>
    ? EventsOut<S>
    : R extends JsonOrEventsReply<infer J, infer S>
      ? DeepReadonly<InputOf<J, never>> | EventsOut<S>
      : R extends StoredReply
        ? string | Uint8Array | AsyncIterable<Uint8Array>
        : R extends FileReply
          ? Uint8Array | AsyncIterable<Uint8Array>
          : R extends TextReply
            ? string
            : R extends EmptyReply
              ? null
              : DeepReadonly<InputOf<R, never>>

export type Answer<S extends UncheckedRoute = RouteSpec> = {
  [K in keyof S['replies'] & number]: {
    readonly status: K
    readonly body: BodyOut<S['replies'][K]>
    /** Replaces the default headers of the same name. */
    readonly headers?: OwnHeaders
  }
}[keyof S['replies'] & number]

type Handler<S extends UncheckedRoute> = (call: Call<S>) => Answer<S> | Promise<Answer<S>>
export type Handlers<T extends UncheckedTable> = { readonly [K in keyof T]: Handler<T[K]> }

/** Keeps the literal types of a route table. */
export function defineRoutes<const T extends UncheckedTable>(table: T & Gated<T>): T {
  return table
}
