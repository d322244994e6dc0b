import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createProxyServer } from 'http-proxy-3'
import { type Framed, passOn, refuse } from './answer.ts'
import { createPatientAgent, pauseMs } from './connect.ts'
import { entryPath, isLetIn, letIn } from './entry.ts'
import { toServer } from './headers.ts'

export interface PreviewOptions extends Framed {
  /** The origin of the development server; `undefined` while it does not run. */
  readonly origin: () => string | undefined
  /** A sentence about why it does not run, where it does not start. */
  readonly problem?: () => string | undefined
  /** Whether a `Host` header, such as `k3j2.localhost:4200`, is that of this preview. */
  readonly isHost: (host: string) => boolean
  /** The secret of the entry address, `/~enter?key=…&to=/path`, which lets a browser in. */
  readonly key: string
  /** Answers paths of the service itself, before a browser needs to be let in. Returns whether it does. */
  readonly own: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>
  /** Milliseconds for which a request waits for a server that starts or refuses it; default: 15 seconds. */
  readonly patienceMs?: number
}

/** Passes requests to the development server of a checkout. */
export interface PreviewProxy {
  request(request: IncomingMessage, response: ServerResponse): Promise<void>
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

const sentences = {
  403: 'Open this preview from the studio, which lets your browser in.',
  421: 'This address has no preview.',
  503: 'The development server of this website does not answer yet.',
} as const

/**
 * Creates the proxy through which the studio shows a development server in a frame. It answers only on its host,
 * only to browsers that were let in, and lets only the studio frame it; each page has the script. The service's
 * cookies and tokens are never passed on.
 */
export function createPreviewProxy(options: PreviewOptions): PreviewProxy {
  const { origin, problem, isHost, key, frameAncestors, own, patienceMs = 15_000 } = options
  const agent = createPatientAgent(origin, patienceMs)
  const proxy = createProxyServer({ agent, changeOrigin: true, selfHandleResponse: true, toProxy: true })

  const isOwnHost = ({ headers: { host } }: IncomingMessage): boolean => host !== undefined && isHost(host)
  const answer = (status: keyof typeof sentences, request: IncomingMessage, response: ServerResponse): void =>
    refuse(
      status,
      (status === 503 ? problem?.() : undefined) ?? sentences[status],
      request,
      response,
      frameAncestors,
    )

  /** Returns the server, for which the request waits while it starts; `undefined` if none runs then. */
  async function serverFor(response: ServerResponse): Promise<string | undefined> {
    const until = performance.now() + patienceMs
    const isAwaited = (): boolean =>
      origin() === undefined && problem?.() === undefined && !response.destroyed && performance.now() < until
    while (isAwaited()) await pause(pauseMs)
    return origin()
  }

  /** What has no body, and changes nothing, is sent once more if the server ends before it answers. */
  async function pass(request: IncomingMessage, response: ServerResponse, isRepeated = false): Promise<void> {
    const target = await serverFor(response)
    if (response.destroyed) return undefined
    if (target === undefined) return answer(503, request, response)
    toServer(request, target)
    proxy.web(request, response, { target }, () => {
      const isRepeatable = ['GET', 'HEAD'].includes(request.method ?? '') && !response.headersSent
      if (isRepeatable && !isRepeated) void pass(request, response, true)
      else answer(503, request, response)
    })
  }

  // Those of requests are answered where they are passed on.
  proxy.on('error', (_error, _request, socket) => void socket.destroy())
  proxy.on('proxyRes', (found, request, response) => {
    const target = origin() ?? ''
    void passOn(found, request, response, { ...options, target }).catch(() => response.destroy())
  })

  return {
    async request(request, response) {
      if (!isOwnHost(request)) return answer(421, request, response)
      const address = URL.parse(request.url ?? '', 'http://preview')
      if (address?.pathname === entryPath && letIn(address, response, key)) return undefined
      if (await own(request, response)) return undefined
      if (!isLetIn(request, key)) return answer(403, request, response)
      return pass(request, response)
    },
    upgrade(request, socket, head) {
      const target = origin()
      const { host, origin: from } = request.headers
      const isForeign = from !== undefined && URL.parse(from)?.host !== host
      if (target === undefined || isForeign || !isOwnHost(request) || !isLetIn(request, key)) {
        const status = target === undefined ? '503 Service Unavailable' : '403 Forbidden'
        return void socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
      }
      toServer(request, target)
      proxy.ws(request, socket, head, { target })
    },
    close() {
      agent.destroy()
      proxy.close()
    },
  }
}
