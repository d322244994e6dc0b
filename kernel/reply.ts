import type { Schema } from './schema.ts'

/** JSON that was checked when it was stored, sent as bytes at once or as a stream. */
export interface StoredReply<S extends Schema = Schema> {
  readonly reply: 'stored'
  readonly schema: S
}

/** Bytes of one of these media types; the handler sets `content-type`. */
export interface FileReply {
  readonly reply: 'file'
  readonly types: readonly string[]
}

/** Text of one media type, such as a page. */
export interface TextReply {
  readonly reply: 'text'
  readonly type: string
}

/** No body, such as a redirect or a 204. */
export interface EmptyReply {
  readonly reply: 'empty'
  readonly summary: string
}

/** A stream of server-sent events with JSON data; its undeclared fields are dropped. */
export interface EventsReply<S extends Schema = Schema> {
  readonly reply: 'events'
  readonly schema: S
  /** Milliseconds that the client waits before it reconnects. */
  readonly retry: number
  /** Milliseconds of silence after which a comment line is sent, to keep the connection alive. */
  readonly heartbeat: number
}

/** JSON, or a stream of events for callers that request one. */
export interface JsonOrEventsReply<J extends Schema = Schema, S extends Schema = Schema> {
  readonly reply: 'json or events'
  readonly json: J
  readonly events: EventsReply<S>
}

/** A reply that is not JSON of a schema: it alone has a `reply`. */
export type SpecialReply = StoredReply | FileReply | TextReply | EmptyReply | EventsReply | JsonOrEventsReply

export interface ServerEvent<T> {
  readonly id?: string
  readonly event?: string
  readonly data: T
}

/** Declares an answer with JSON text that was checked when it was stored, and is sent unchanged. */
export function stored<S extends Schema>(schema: S): StoredReply<S> {
  return { reply: 'stored', schema }
}

export function file(...types: readonly string[]): FileReply {
  return { reply: 'file', types }
}

export function text(type: string): TextReply {
  return { reply: 'text', type }
}

export function empty(summary: string): EmptyReply {
  return { reply: 'empty', summary }
}

/** Declares a redirect without a body; the handler sets `location`. */
export const redirect = empty

export function events<S extends Schema>(
  schema: S,
  { retry, heartbeat }: { readonly retry: number; readonly heartbeat: number },
): EventsReply<S> {
  return { reply: 'events', schema, retry, heartbeat }
}

/** Declares an answer in JSON, or a stream of server-sent events if the handler returns one. */
export function jsonOrEvents<J extends Schema, S extends Schema>(
  json: J,
  events: EventsReply<S>,
): JsonOrEventsReply<J, S> {
  return { reply: 'json or events', json, events }
}
