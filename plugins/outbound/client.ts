import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { Agent, buildConnector, FormData as ClientForm } from 'undici'
import { untilAborted } from '../../kernel/index.ts'
import { Blocked } from './hop.ts'
import type { OutboundStream } from './port.ts'

/** Resolves a name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

interface ClientOptions {
  readonly resolve: Resolve
  /** True if connections to this address are allowed. */
  readonly permits: (address: string) => boolean
  /** The maximum number of connections to one origin. */
  readonly connections: number
}

/** The head of an answer, with a body that must be read or destroyed. */
export interface OutboundAnswer extends OutboundStream {
  readonly body: Readable
}

/**
 * Sends HTTP/1.1 requests to permitted addresses, without redirects, cookies or proxies.
 *
 * Limits connections, the time to connect (three seconds), and headers; the caller limits the time and size
 * of bodies.
 */
interface Client {
  send(
    request: {
      readonly url: URL
      readonly method: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | Uint8Array | FormData | null
    },
    signal: AbortSignal,
  ): Promise<OutboundAnswer>
  /** Aborts running requests. */
  close(): Promise<void>
}

const limits = {
  pipelining: 1,
  maxOrigins: 1000,
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: 4000,
  keepAliveMaxTimeout: 4000,
  headersTimeout: 0,
  bodyTimeout: 0,
} as const
const connectTimeoutMs = 3000
// A body may arrive in chunks of one byte, each an object, so only a few bytes may wait to be read.
const highWaterMark = 4096

/** Creates a client with its own pool, so that a connection is used only under the rule that allowed it. */
export function createClient(options: ClientOptions): Client {
  const agent = new Agent({
    ...limits,
    connections: options.connections,
    allowH2: false,
    connect: createConnector(options),
  })
  return {
    async send({ url, method, headers, body }, signal) {
      const target = { origin: url.origin, path: url.pathname + url.search }
      const sent = agent.request({
        ...target,
        method,
        headers,
        body: body instanceof FormData ? toClientForm(body) : body,
        signal,
        highWaterMark,
      })
      // undici notices an abort only after connecting; a silent name server would delay the caller.
      const answer = await untilAborted(sent, signal)
      return { status: answer.statusCode, headers: joined(answer.headers), body: answer.body }
    },
    close: () => agent.destroy(),
  }
}

/** Converts a form, because the client supports only its own class. */
function toClientForm(form: FormData): ClientForm {
  const own = new ClientForm()
  for (const [name, value] of form) own.append(name, value)
  return own
}

/**
 * Connects to permitted addresses, with three checks: of a literal address beforehand, because it is never
 * looked up; of every address of a name, during the connection's only lookup; and of the peer afterwards.
 * `Host` and certificate use the name.
 */
function createConnector({ resolve, permits }: Omit<ClientOptions, 'connections'>): buildConnector.connector {
  const lookup: LookupFunction = (hostname, _options, done) => {
    permittedAddresses(hostname, { resolve, permits }).then(
      (addresses) =>
        done(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error: Error) => done(error, []),
    )
  }
  // Only with autoSelectFamily does Node always use the list of addresses that `lookup` passes.
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    autoSelectFamily: true,
    lookup,
  })

  return (target, done) => {
    const host = target.host ?? target.hostname
    if (isIP(target.hostname) !== 0 && !permits(target.hostname)) {
      queueMicrotask(() => done(new Blocked('address', host), null))
      return
    }
    connect(target, (...[error, socket]) => {
      if (error) return done(error, null)
      if (permits(socket.remoteAddress ?? '')) return done(null, socket)
      socket.destroy()
      done(new Blocked('peer', host), null)
    })
  }
}

async function permittedAddresses(
  hostname: string,
  { resolve, permits }: Omit<ClientOptions, 'connections'>,
) {
  const addresses = await resolve(hostname)
  if (addresses.length === 0) throw new Error('the name has no address')
  if (!addresses.every(permits)) throw new Blocked('address', hostname)
  return addresses
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): OutboundAnswer['headers'] {
  const join = (value: string | string[] = ''): string => (Array.isArray(value) ? value.join(', ') : value)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, join(value)]))
}
