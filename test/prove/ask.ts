import { request, type Agent, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'

/** A request to the service. */
export interface Wish {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that has come whole. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** The connection was refused or broke off before the answer was there. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'

  /** Nobody listened, so nothing was even sent. */
  get isRefused(): boolean {
    return this.cause instanceof Error && 'code' in this.cause && this.cause.code === 'ECONNREFUSED'
  }
}

/** Where to ask, and over which connections. */
export interface Way {
  readonly port: number
  /** A new connection without it. */
  readonly agent?: Agent
  /** The address to ask from, for a second caller on this machine; the usual one without it. */
  readonly from?: string
  /** Called when the request has left this process. */
  readonly onSent?: () => void
}

/** Asks once and never again by itself. Rejects with `Unanswered` when no whole answer comes. */
export function ask(
  { port, agent, from, onSent }: Way,
  { method = 'GET', path, body, headers }: Wish,
): Promise<Reply> {
  const sent = body && JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const lost = (cause: unknown): void => reject(new Unanswered(`${method} ${path} got no answer`, { cause }))
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        method,
        path,
        agent: agent ?? false,
        ...(from !== undefined && { localAddress: from }),
        headers: {
          ...(sent && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
          ...headers,
        },
      },
      (incoming) => {
        const { statusCode: status = 0, headers } = incoming
        text(incoming).then((text) => resolve({ status, headers, text }), lost)
      },
    )
    if (onSent) outgoing.once('finish', onSent)
    outgoing.on('error', lost).end(sent)
  })
}

/** Reads the JSON of an answer that has to have this status and this shape. */
export function read<S extends v.GenericSchema>(reply: Reply, schema: S, status = 200): v.InferOutput<S> {
  if (reply.status !== status) throw new Error(`${status} was due, and came ${reply.status}: ${reply.text}`)
  return v.parse(schema, JSON.parse(reply.text))
}

/** The version of a draft that a read speaks of. */
export const versionOf = ({ headers, text }: Reply): number => {
  const version = /^"(\d+)"$/.exec(headers.etag ?? '')?.[1]
  if (version === undefined) throw new Error(`this has no version: ${text}`)
  return Number(version)
}
