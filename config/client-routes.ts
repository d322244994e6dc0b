import type { routes as agent } from '../plugins/agent/routes.ts'
import type { routes as audio } from '../plugins/audio/routes.ts'
import type { routes as auth } from '../plugins/auth/routes.ts'
import type { routes as chat } from '../plugins/chat/routes.ts'
import type { routes as chatStreams } from '../plugins/chat-streams/routes.ts'
import type { routes as checks } from '../plugins/checks/routes.ts'
import type { routes as cmsMedia } from '../plugins/cms-media/routes.ts'
import type { routes as docs } from '../plugins/docs/routes.ts'
import type { routes as draft } from '../plugins/draft/routes.ts'
import type { routes as events } from '../plugins/events/routes.ts'
import type { routes as gdrive } from '../plugins/gdrive/routes.ts'
import type { routes as health } from '../plugins/health/routes.ts'
import type { routes as history } from '../plugins/history/routes.ts'
import type { routes as imageGeneration } from '../plugins/image-generation/routes.ts'
import type { routes as imageInterpretation } from '../plugins/image-interpretation/routes.ts'
import type { routes as jira } from '../plugins/jira/routes.ts'
import type { routes as mcp } from '../plugins/mcp/routes.ts'
import type { routes as media } from '../plugins/media/routes.ts'
import type { routes as metrics } from '../plugins/metrics/routes.ts'
import type { routes as ops } from '../plugins/ops/routes.ts'
import type { routes as preview } from '../plugins/preview/routes.ts'
import type { routes as publish } from '../plugins/publish/routes.ts'
import type { routes as published } from '../plugins/published/routes.ts'
import type { routes as restore } from '../plugins/restore/routes.ts'
import type { routes as sessions } from '../plugins/sessions/routes.ts'
import type { routes as sitesAgent } from '../plugins/sites-agent/routes.ts'
import type { routes as sites } from '../plugins/sites/routes.ts'
import type { routes as status } from '../plugins/status/routes.ts'
import type { routes as telemetry } from '../plugins/telemetry/routes.ts'
import type { routes as tools } from '../plugins/tools/routes.ts'
import type { routes as unsplash } from '../plugins/unsplash/routes.ts'
import type { routes as usage } from '../plugins/usage/routes.ts'
import type { routes as webhooks } from '../plugins/webhooks/routes.ts'
import type { EmptyReply, EventsReply, FileReply, JsonOrEventsReply, StoredReply, TextReply } from '../kernel/reply.ts'
import type { PathNames, PathParams, RouteSpec } from '../kernel/route.ts'
import type { InputOf, OutputOf, Schema } from '../kernel/schema.ts'

type Tables =
  | typeof agent | typeof audio | typeof auth | typeof chat | typeof chatStreams | typeof checks | typeof cmsMedia
  | typeof docs | typeof draft | typeof events | typeof gdrive | typeof health | typeof history | typeof imageGeneration
  | typeof imageInterpretation | typeof jira | typeof mcp | typeof media | typeof metrics | typeof ops | typeof preview | typeof publish | typeof published
  | typeof restore | typeof sessions | typeof sites | typeof sitesAgent | typeof status | typeof telemetry | typeof tools | typeof unsplash | typeof usage | typeof webhooks

/** A route table by route names, such as `GET /draft/pages`. */
type Named<T> = { readonly [K in keyof T as T[K] extends RouteSpec ? `${T[K]['method']} ${T[K]['path']}` : never]: T[K] }

type Together<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never

/** All routes of the built-in plugins by method and path. */
export type ServiceRoutes = Together<Tables extends infer T ? (T extends unknown ? Named<T> : never) : never>

export type RouteName = keyof ServiceRoutes

type Part<K extends string, T> = [T] extends [never] ? unknown : object extends T ? { readonly [P in K]?: T } : { readonly [P in K]: T }
type Params<P extends string> = [PathNames<P>] extends [never] ? never : PathParams<P>
/** The type of a body: from its description, if its schema accepts it unparsed. */
type Sent<B> = B extends { readonly pipe: readonly (infer Step)[] }
  ? [Extract<Step, { readonly metadata: { readonly describedBy: Schema } }>] extends [never]
    ? InputOf<B, never>
    : InputOf<Extract<Step, { readonly metadata: { readonly describedBy: Schema } }>['metadata']['describedBy'], never>
  : InputOf<B, never>
type BodyOf<S extends RouteSpec> = S extends { readonly raw: true } ? Uint8Array : Sent<S['body']>

/** The options of a request to a route. */
export type RequestTo<S extends RouteSpec> = Part<'params', Params<S['path']>> &
  Part<'query', InputOf<S['query'], never>> &
  (S extends { readonly upload: object } ? { readonly form: FormData } | ([InputOf<S['body'], never>] extends [never] ? never : Part<'body', BodyOf<S>>) : Part<'body', BodyOf<S>>)

type AnswerIn<R> = R extends EventsReply
  ? never
  : R extends JsonOrEventsReply<infer J>
    ? OutputOf<J, never>
    : R extends StoredReply<infer J>
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
export type StreamName = { readonly [N in RouteName]: [EventOf<ServiceRoutes[N]>] extends [never] ? never : N }[RouteName]
