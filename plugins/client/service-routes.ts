import type {
  EmptyReply,
  EventsReply,
  FileReply,
  InputOf,
  JsonOrEventsReply,
  OutputOf,
  PathNames,
  PathParams,
  RouteSpec,
  Schema,
  StoredReply,
  TextReply,
} from '../../kernel/index.ts'

type Tables =
  | typeof import('../agents/loop/routes.ts').routes
  | typeof import('../media/audio/routes.ts').routes
  | typeof import('../auth/routes.ts').routes
  | typeof import('../chat/streams/routes.ts').routes
  | typeof import('../chat/routes.ts').routes
  | typeof import('../checks/routes.ts').routes
  | typeof import('../media/cms/routes.ts').routes
  | typeof import('../docs/routes.ts').routes
  | typeof import('../draft/routes.ts').routes
  | typeof import('../events/routes.ts').routes
  | typeof import('../media/gdrive/routes.ts').routes
  | typeof import('../health/routes.ts').routes
  | typeof import('../draft/history/routes.ts').routes
  | typeof import('../media/generation/routes.ts').routes
  | typeof import('../media/interpretation/routes.ts').routes
  | typeof import('../agents/jira/routes.ts').routes
  | typeof import('../mcp/routes.ts').routes
  | typeof import('../media/usage/routes.ts').routes
  | typeof import('../media/routes.ts').routes
  | typeof import('../metrics/routes.ts').routes
  | typeof import('../draft/ops/routes.ts').routes
  | typeof import('../presence/routes.ts').routes
  | typeof import('../preview/routes.ts').routes
  | typeof import('../publish/routes.ts').routes
  | typeof import('../publish/published/routes.ts').routes
  | typeof import('../publish/restore/routes.ts').routes
  | typeof import('../sessions/routes.ts').routes
  | typeof import('../agents/onboarding/routes.ts').routes
  | typeof import('../sites/routes.ts').routes
  | typeof import('../health/status/routes.ts').routes
  | typeof import('../telemetry/routes.ts').routes
  | typeof import('../tools/routes.ts').routes
  | typeof import('../media/unsplash/routes.ts').routes
  | typeof import('../models/usage/routes.ts').routes
  | typeof import('../webhooks/routes.ts').routes

/** A route table by route names, such as `GET /draft/pages`. */
export type Named<T> = {
  readonly [K in keyof T as T[K] extends RouteSpec ? `${T[K]['method']} ${T[K]['path']}` : never]: T[K]
}

/** Routes by method and path. */
export type Routes = Readonly<Record<string, RouteSpec>>

type Together<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never

/** The routes of the built-in plugins by method and path, without those of the studio, which serve its page. */
export type ServiceRoutes = Together<Tables extends infer T ? (T extends unknown ? Named<T> : never) : never>

export type RouteName = keyof ServiceRoutes

type RequestPart<K extends string, T> = [T] extends [never]
  ? unknown
  : object extends T
    ? { readonly [P in K]?: T }
    : { readonly [P in K]: T }
type Params<P extends string> = [PathNames<P>] extends [never] ? never : PathParams<P>
/** The description of a schema that accepts its input unparsed; `never` for others. */
type Described<B> = B extends { readonly pipe: readonly (infer Step)[] }
  ? Extract<Step, { readonly metadata: { readonly describedBy: Schema } }>['metadata']['describedBy']
  : never
type RequestBody<B> = InputOf<[Described<B>] extends [never] ? B : Described<B>, never>
type BodyOf<S extends RouteSpec> = S extends { readonly raw: true } ? Uint8Array : RequestBody<S['body']>

/** The options of a request to a route. */
export type RequestTo<S extends RouteSpec> = RequestPart<'params', Params<S['path']>> &
  RequestPart<'query', InputOf<S['query'], never>> &
  (S extends { readonly upload: object }
    ? | { readonly form: FormData }
      | ([InputOf<S['body'], never>] extends [never] ? never : RequestPart<'body', BodyOf<S>>)
    : RequestPart<'body', BodyOf<S>>)

type AnswerIn<R> = R extends EventsReply
  ? never
  : R extends JsonOrEventsReply<infer J> | StoredReply<infer J>
    ? OutputOf<J, never>
    : R extends FileReply
      ? Blob
      : R extends TextReply
        ? string
        : R extends EmptyReply
          ? undefined
          : R extends Schema
            ? OutputOf<R, never>
            : never

type Succeeded = 200 | 201 | 202 | 204 | 206

/** The successful answers of a route. */
export type AnswerOf<S extends RouteSpec> = AnswerIn<S['replies'][keyof S['replies'] & Succeeded]>

/** The data of the events that a route streams; `never` for other routes. */
export type EventOf<S extends RouteSpec> = S['replies'][keyof S['replies'] & Succeeded] extends infer R
  ? R extends EventsReply<infer E> | JsonOrEventsReply<Schema, infer E>
    ? OutputOf<E, never>
    : never
  : never

/** The names of the routes that stream events. */
export type StreamName<R extends Routes = ServiceRoutes> = {
  readonly [N in keyof R]: [EventOf<R[N]>] extends [never] ? never : N
}[keyof R]
