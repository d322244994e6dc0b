import { request, type Agent, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'

/** A request to the service. */
export interface RequestSpec {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A complete response. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** The connection was refused or closed before the complete response arrived. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'

  /** The connection was refused, so nothing was sent. */
  get isRefused(): boolean {
    return this.cause instanceof Error && 'code' in this.cause && this.cause.code === 'ECONNREFUSED'
  }
}

/** The target of a request, and the connection to use. */
export interface RequestTarget {
  readonly port: number
  /** Default: a new connection. */
  readonly agent?: Agent
  /** The local address, to act as a second caller on this machine. */
  readonly from?: string
  /** Called when the request was written. */
  readonly onSent?: () => void
  /** A 503 counts as no answer: a database that is killed may have stored the change. */
  readonly mayLose?: true
}

/** Sends a request without retries. Rejects with `Unanswered` if no complete response arrives. */
export function ask(
  { port, agent, from, onSent, mayLose }: RequestTarget,
  { method = 'GET', path, body, headers }: RequestSpec,
): Promise<Reply> {
  const sent = body && JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const lost = (cause: unknown): void =>
      reject(new Unanswered(`${method} ${path} got no answer`, { cause }))
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
        text(incoming).then(
          (text) => (mayLose && status === 503 ? lost(text) : resolve({ status, headers, text })),
          lost,
        )
      },
    )
    if (onSent) outgoing.once('finish', onSent)
    outgoing.on('error', lost).end(sent)
  })
}

/** Parses the JSON of a response, and throws unless status and shape match. */
export function read<S extends v.GenericSchema>(reply: Reply, schema: S, status = 200): v.InferOutput<S> {
  if (reply.status !== status)
    throw new Error(`expected status ${status}, received ${reply.status}: ${reply.text}`)
  return v.parse(schema, JSON.parse(reply.text))
}

/** The draft version in the ETag of a response. */
export const versionOf = ({ headers, text }: Reply): number => {
  const version = /^"(\d+)"$/.exec(headers.etag ?? '')?.[1]
  if (version === undefined) throw new Error(`response without a version: ${text}`)
  return Number(version)
}
