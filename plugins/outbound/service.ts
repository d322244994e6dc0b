import { lookup } from 'node:dns/promises'
import { atMost, errorCode, findJsonExcess, type Logger, LRUCache, Refusal } from '../../kernel/index.ts'
import type { OutgoingSpan, Tracer } from '../tracing/port.ts'
import { isBlockedAddress, toOrigin, toOriginSet } from './addresses.ts'
import { acceptedEncodings, bodyPieces, readBody } from './body.ts'
import type { OutboundAnswer, Resolve } from './client.ts'
import { Blocked, checkUrl, firstHop, type Hop, nextHop, otherSpelling } from './hop.ts'
import { type Outbound, type OutboundRequest, type OutboundResponse, UpstreamFailure } from './port.ts'
import { fetchRefused } from './refusals.ts'
import { withRepeats } from './repeats.ts'

export interface OutboundOptions {
  /**
   * Private origins that are allowed, each with its port. Defaults of their variables are included only
   * outside production.
   */
  readonly allowedOrigins: readonly string[]
  /** Looks up a name; default: like the operating system. */
  readonly resolve?: Resolve
  /** Receives the rule and host of a refused address, which callers do not get. */
  readonly log?: Pick<Logger, 'warn'>
  readonly tracer?: Tracer | undefined
}

interface OutboundService extends Outbound {
  /** Aborts running requests; later requests fail as if every server were unreachable. */
  close(): Promise<void>
}

const maxRedirects = 3
const notFound = 404
const mostSlashed = 1000
/** The maximum number of connections to one origin; streams last much longer. */
const connections = { complete: 8, streamed: 64 } as const
type ConnectionKind = keyof typeof connections

/**
 * Creates the guarded client.
 *
 * Checks the address of each request and redirect. Connects only to public addresses, unless the origin is
 * listed or allowed by the caller. Ignores proxy variables and cookies.
 */
export function createOutbound(options: OutboundOptions): OutboundService {
  const { allowedOrigins, resolve = resolveBySystem, log, tracer } = options
  const listed = toOriginSet(allowedOrigins)
  const opened = new Map<ConnectionKind, Promise<Clients>>()
  /** The origins of websites whose editor routes have a slash at the end. */
  const slashed = new LRUCache<string, true>(atMost(mostSlashed))

  function clientsFor(way: ConnectionKind): Promise<Clients> {
    const clients = opened.get(way) ?? openClients(resolve, connections[way])
    opened.set(way, clients)
    return clients
  }

  /**
   * Asks an editor route that is not found once more in its other spelling, which is remembered for the
   * website.
   */
  async function follow(start: Hop, request: OutboundRequest, deadline: Deadline, way: ConnectionKind) {
    const { origin, pathname } = start.url
    const other = otherSpelling(start.url)
    const isSlashed = slashed.has(origin) && !pathname.endsWith('/')
    const [url, again] = other && isSlashed ? [other, start.url] : [start.url, other]
    const found = await redirected({ ...start, url }, request, deadline, way)
    if (!again || found.answer.status !== notFound) return found
    discard(found.answer)
    const next = await redirected({ ...start, url: again }, request, deadline, way)
    if (next.answer.status === notFound) return next
    if (again.pathname.endsWith('/')) slashed.set(origin, true)
    else slashed.delete(origin)
    return next
  }

  const redirected = async (start: Hop, request: OutboundRequest, deadline: Deadline, way: ConnectionKind) =>
    lastAnswer(start, request, { deadline, way, clients: await clientsFor(way), listed })

  const refusalOf = ({ rule, host }: Blocked): Refusal => {
    log?.warn({ rule, host }, 'outbound fetch refused')
    return fetchRefused()
  }

  const first = (address: string | URL, request: OutboundRequest): Hop => {
    try {
      return firstHop(address, request)
    } catch (error) {
      throw error instanceof Blocked ? refusalOf(error) : error
    }
  }

  const begin = (hop: Hop, request: OutboundRequest): Deadline =>
    createDeadline(request, { span: tracer?.outgoing({ method: hop.method, host: hop.url.host }), refusalOf })

  return {
    async fetch(address, request) {
      const hop = first(address, request)
      const deadline = begin(hop, request)
      try {
        const ask = async (): Promise<OutboundResponse> => {
          const { url, answer } = await follow(hop, request, deadline, 'complete')
          return toResponse(url, answer, request).finally(() => discard(answer))
        }
        const response = request.repeats ? await repeated(ask, hop, request, deadline) : await ask()
        deadline.end(response)
        return response
      } catch (error) {
        throw deadline.failure(error)
      }
    },
    async stream(address, request) {
      const hop = first(address, request)
      const deadline = begin(hop, request)
      try {
        const { answer } = await follow(hop, request, deadline, 'streamed')
        const { status, headers } = answer
        return { status, headers, body: streamed(answer, request, deadline) }
      } catch (error) {
        throw deadline.failure(error)
      }
    },
    isAllowedOrigin(url) {
      const origin = toOrigin(url)
      return origin !== undefined && listed.has(origin)
    },
    hasTrailingSlash: (origin) => slashed.has(origin),
    async close() {
      const clients = await Promise.all(opened.values())
      await Promise.all(clients.flatMap(({ trusting, guarded }) => [trusting.close(), guarded.close()]))
    },
  }
}

/** Follows redirects to the last answer, without reading its body. */
async function lastAnswer(
  start: Hop,
  request: OutboundRequest,
  {
    deadline: { signal, span },
    way,
    clients: { trusting, guarded },
    listed,
  }: {
    readonly deadline: Deadline
    readonly way: ConnectionKind
    readonly clients: Clients
    readonly listed: ReadonlySet<string>
  },
) {
  const vouched = toOriginSet(request.allowOrigins ?? [])
  let hop = start
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const isListed = listed.has(hop.url.origin)
    const trusted = isListed || vouched.has(hop.url.origin)
    checkUrl(hop.url, trusted)
    const client = trusted ? trusting : guarded
    const encodings = way === 'complete' ? acceptedEncodings : 'identity'
    const headers = {
      ...(isListed && span?.headers),
      ...toHeaders(hop, request),
      'accept-encoding': encodings,
    }
    const answer = await client.send({ ...hop, headers }, signal)
    try {
      const next =
        request.followsRedirects === false
          ? undefined
          : nextHop(hop, answer.status, answer.headers['location'])
      if (!next) return { url: hop.url, answer }
      hop = next
      discard(answer)
    } catch (error) {
      discard(answer)
      throw error
    }
  }
  throw new Blocked('redirects', hop.url.host)
}

/** Begins the time of a request, and returns its deadline, its span, and the conversion of its failures. */
function createDeadline(
  { timeoutMs, signal: canceled }: OutboundRequest,
  {
    span,
    refusalOf,
  }: { readonly span: OutgoingSpan | undefined; readonly refusalOf: (blocked: Blocked) => Refusal },
): Deadline {
  const deadline = new AbortController()
  // A stream that is never read must not keep the process alive.
  const timer = setTimeout(() => deadline.abort(), timeoutMs).unref()
  const reasonOf = (error: unknown): unknown => {
    if (error instanceof Blocked) return refusalOf(error)
    if (error instanceof UpstreamFailure) return error
    return canceled?.aborted ? canceled.reason : toFailure(error, deadline.signal.aborted)
  }
  return {
    signal: canceled ? AbortSignal.any([deadline.signal, canceled]) : deadline.signal,
    span,
    end(outcome) {
      clearTimeout(timer)
      span?.end(outcome)
    },
    failure(error, answered) {
      const reason = reasonOf(error)
      this.end(reason instanceof Refusal ? { failure: reason.code } : (answered ?? { failure: 'canceled' }))
      return reason
    },
  }
}

/** The longest wait before a repeat, and the share of the time of the request that each may take. */
const longestWait = { ms: 2_000, share: 1 / 4 } as const

const repeated = (
  ask: () => Promise<OutboundResponse>,
  { method }: Hop,
  { timeoutMs }: OutboundRequest,
  { signal }: Deadline,
): Promise<OutboundResponse> =>
  withRepeats(ask, ({ status, headers }) => ({ status, header: (name) => headers[name] }), {
    isRead: method === 'GET' || method === 'HEAD',
    longestMs: Math.min(longestWait.ms, timeoutMs * longestWait.share),
    signal,
  })

type Clients = Awaited<ReturnType<typeof openClients>>

/** Imports the client on first use: it is a third of the code that a start would load. */
async function openClients(resolve: Resolve, connections: number) {
  const { createClient } = await import('./client.ts')
  return {
    trusting: createClient({ resolve, connections, permits: () => true }),
    guarded: createClient({ resolve, connections, permits: (address) => !isBlockedAddress(address) }),
  }
}

async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}

type HeaderRecord = Readonly<Record<string, string>>

function toHeaders({ headers, type }: Hop, { accept, types }: OutboundRequest): HeaderRecord {
  return {
    ...headers,
    accept: accept ?? types?.join(', ') ?? '*/*',
    'user-agent': 'content-orchestrator',
    ...(type !== undefined && { 'content-type': type }),
  }
}

interface Deadline {
  readonly signal: AbortSignal
  readonly span: OutgoingSpan | undefined
  end(outcome: Parameters<OutgoingSpan['end']>[0]): void
  /** Ends the span, and returns the error for the caller. Leaving an `answered` request is not a failure. */
  failure(error: unknown, answered?: Pick<OutboundAnswer, 'status'>): unknown
}

async function* streamed(
  answer: OutboundAnswer,
  { maxBytes }: OutboundRequest,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  let isFailed = false
  try {
    yield* bodyPieces(answer.body, { encoding: answer.headers['content-encoding'], maxBytes })
  } catch (error) {
    isFailed = true
    throw deadline.failure(error, answer)
  } finally {
    if (!isFailed) deadline.end(answer)
    discard(answer)
  }
}

/** Releases a body; an unread body closes its connection. */
function discard({ body }: OutboundAnswer): void {
  body.on('error', () => undefined).destroy()
}

function toFailure(cause: unknown, late: boolean): UpstreamFailure {
  if (late) return new UpstreamFailure('timeout', { cause })
  const overflow = errorCode(cause) === 'UND_ERR_HEADERS_OVERFLOW'
  return new UpstreamFailure(overflow ? 'too_large' : 'unreachable', { cause })
}

/** The limits of the largest site. */
const jsonLimits = { depth: 64, values: 1_000_000 }

/** Reads a complete answer, within the limits of the caller. An error page may have any media type. */
async function toResponse(
  url: URL,
  { status, headers, body }: OutboundAnswer,
  { types, maxBytes }: Pick<OutboundRequest, 'types' | 'maxBytes'>,
): Promise<OutboundResponse> {
  const accepts = types === undefined || types.includes(toMediaType(headers['content-type']))
  if (!accepts && status >= 200 && status < 300) throw new UpstreamFailure('wrong_type')
  const bytes = await readBody(body, { encoding: headers['content-encoding'], maxBytes })
  const text = (): string => new TextDecoder().decode(bytes)
  return { status, url: url.href, headers, bytes, text, json: (depth, parse) => toJson(bytes, depth, parse) }
}

function toMediaType(contentType = ''): string {
  const [type = ''] = contentType.split(';', 1)
  return type.trim().toLowerCase()
}

function toJson(
  bytes: Uint8Array,
  depth = jsonLimits.depth,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  try {
    const excess = findJsonExcess(bytes, { ...jsonLimits, depth })
    if (excess) throw new RangeError(`the JSON has more ${excess} than any site`)
    return parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw new UpstreamFailure('invalid_json', { cause })
  }
}
