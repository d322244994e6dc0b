import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createRawServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'
import { listen, type TeardownTest } from './raw.ts'

/** A received request. */
export interface SeenRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The name of the TLS handshake; `undefined` without TLS. */
  readonly servername: string | undefined
}

export interface UpstreamSite {
  readonly origin: string
  readonly port: number
  readonly seen: readonly SeenRequest[]
}

/** Starts a well-behaved server on a free port of 127.0.0.1; with TLS it presents {@link testCertificate}. */
export async function startSite(
  t: TeardownTest,
  answer: RequestListener,
  { tls = false } = {},
): Promise<UpstreamSite> {
  const seen: SeenRequest[] = []
  const listener: RequestListener = (request, response) => {
    const { method, url, headers, socket } = request
    const servername = socket instanceof TLSSocket ? String(Reflect.get(socket, 'servername')) : undefined
    text(request).then(
      (body) => {
        seen.push({ method, url, headers, servername, body })
        answer(request, response)
      },
      () => response.destroy(),
    )
  }
  const identity = { key: testKey, cert: testCertificate }
  const server = tls ? createSecureServer(identity, listener) : createServer(listener)
  const port = await listen(t, server)
  return { origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, seen }
}

/** Handlers by path, without the leading slash. */
export type RawAnswers = Readonly<Record<string, (socket: Socket) => unknown>>

export interface RawSite {
  readonly origin: string
  /** How many connections are open. */
  open(): number
}

/** Starts a raw TCP server that chooses a handler by the path in the request line. */
export async function startRawSite(t: TeardownTest, answers: RawAnswers): Promise<RawSite> {
  const sockets = new Set<Socket>()
  const server = createRawServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.once('data', (head) => {
      const [, path = ''] = head.toString('latin1').split(' ', 2)
      answers[path.slice(1)]?.(socket)
    })
  })
  t.teardown(() => sockets.forEach((socket) => socket.destroy()))
  return { origin: `http://127.0.0.1:${await listen(t, server)}`, open: () => sockets.size }
}

/** For `site.test`, `localhost` and 127.0.0.1; self-signed, for tests only. */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBcjCCARigAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlzaXRlLnRl
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CXNpdGUudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABAB8lbvEupuB5WZU
SJ0IAwZ/V1KmDJFo5dmiNX1q9Av4XhShn5dQx5VLj7uFhiyof0COUW3L16HoXJF8
fDA2qySjWTBXMCUGA1UdEQQeMByCCXNpdGUudGVzdIIJbG9jYWxob3N0hwR/AAAB
MA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFN5mxZzBrLI741PmE03PIhJK7EcN
MAoGCCqGSM49BAMCA0gAMEUCIBJ4/SPsvttx/EOwDGcOli7U1Mm8jE62E5zgNIu5
Tq/iAiEAmn+qWqxjwH5GfH43AMQTwdhWJirDwEOmw7r0P30ZbkA=
-----END CERTIFICATE-----`

/** The key of {@link testCertificate}. */
export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoEC5HlCaJ924Ix+t
aNvWNlgx7EYLDJtXKwEEQSSUPTmhRANCAAQAfJW7xLqbgeVmVEidCAMGf1dSpgyR
aOXZojV9avQL+F4UoZ+XUMeVS4+7hYYsqH9AjlFty9eh6FyRfHwwNqsk
-----END PRIVATE KEY-----`
