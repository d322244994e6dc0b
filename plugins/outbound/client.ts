import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { Agent, buildConnector, FormData as ClientForm } from 'undici'
import { Blocked } from './guard.ts'

/** Gives all addresses of a name, as text. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export interface ClientOptions {
  readonly resolve: Resolve
  /** Says whether a connection to this address may be made. */
  readonly permits: (address: string) => boolean
  /** To one origin at the same time. */
  readonly connections: number
}

/** The head of an answer, with a body that must be read or destroyed. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

/**
 * Speaks HTTP/1.1 to permitted addresses, without redirects, cookies or proxies.
 *
 * It limits connections, their three seconds to be made, and headers; how long and how large a body may be is
 * for the caller to say.
 */
export interface Client {
  send(request: {
    readonly url: URL
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | Uint8Array | FormData | null
  }, signal: AbortSignal): Promise<Answer>
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
const connectTimeout = 3000
// A body may come in chunks of one byte, each an object of its own: few bytes may wait to be read.
const highWaterMark = 4096

/** Makes a client with a pool of its own, so that a connection is used only under the rule it was made by. */
export function createClient(options: ClientOptions): Client {
  const agent = new Agent({ ...limits, connections: options.connections, allowH2: false, connect: createConnector(options) })
  return {
    async send({ url, method, headers, body }, signal) {
      const target = { origin: url.origin, path: url.pathname + url.search }
      const sent = agent.request({ ...target, method, headers, body: body instanceof FormData ? toClientForm(body) : body, signal, highWaterMark })
      const answer = await untilAborted(sent, signal)
      return { status: answer.statusCode, headers: joined(answer.headers), body: answer.body }
    },
    close: () => agent.destroy(),
  }
}

/** The client knows only forms of its own. */
function toClientForm(form: FormData): ClientForm {
  const own = new ClientForm()
  for (const [name, value] of form) own.append(name, value)
  return own
}

/**
 * Makes connections to permitted addresses, and asks three times: about a literal address beforehand, because
 * it is never looked up; about every address of a name, which the connection itself looks up, once; and about
 * the peer afterwards. `Host` and the certificate stay those of the name.
 */
function createConnector({ resolve, permits }: Omit<ClientOptions, 'connections'>): buildConnector.connector {
  const lookup: LookupFunction = (hostname, _options, done) => {
    permittedAddresses(hostname, { resolve, permits }).then(
      (addresses) => done(null, addresses.map((address) => ({ address, family: isIP(address) }))),
      (error: Error) => done(error, []),
    )
  }
  // Only with autoSelectFamily does Node always take the list of addresses that `lookup` hands over.
  const connect = buildConnector({ allowH2: false, timeout: connectTimeout, autoSelectFamily: true, lookup })

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

async function permittedAddresses(hostname: string, { resolve, permits }: Omit<ClientOptions, 'connections'>) {
  const addresses = await resolve(hostname)
  if (addresses.length === 0) throw new Error('the name has no address')
  if (!addresses.every(permits)) throw new Blocked('address', hostname)
  return addresses
}

/** undici notices an abort only once there is a connection; a silent name server would hold the caller up. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', stop))
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  const join = (value: string | string[] = ''): string => (Array.isArray(value) ? value.join(', ') : value)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, join(value)]))
}
