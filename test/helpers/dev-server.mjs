// A development server by hand: compresses, streams, sets cookies, redirects, and echoes requests and upgrades.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

const port = Number(process.env['PORT'])
const page = (text) =>
  `<!doctype html>\n<html lang="en"><head><title>Boats</title></head><body>${text}</body></html>`
const encoders = { br: brotliCompressSync, gzip: gzipSync, deflate: deflateSync, zstd: zstdCompressSync }

const routes = {
  '/headers': (request, response) => response.end(JSON.stringify(request.headers)),
  '/variables': (_, response) => response.end(JSON.stringify(process.env)),
  '/away': (_, response) => response.writeHead(302, { location: `http://localhost:${port}/there?a=1` }).end(),
  '/elsewhere': (_, response) => response.writeHead(302, { location: 'https://example.com/there' }).end(),
  '/cookies': (_, response) =>
    response
      .setHeader('set-cookie', [
        'a=1; Domain=localhost; SameSite=Strict',
        '__Host-orchestrator-preview=x',
        'b=2; Path=/b',
      ])
      .end('cookies'),
  '/guarded': (_, response) =>
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'x-frame-options': 'DENY',
        'content-security-policy': "default-src 'self'; script-src 'nonce-abc'; frame-ancestors 'none'",
        etag: '"1"',
      })
      .end(page('guarded')),
  '/empty': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(),
  '/stream': (request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .write('<!doctype html><html><head><title>One</title>')
    request.socket.once('close', () => undefined)
    globalThis.finish = () => response.end('</head><body>two</body></html>')
  },
  '/finish': (_, response) => {
    globalThis.finish()
    response.end('finished')
  },
  '/events': (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  '/end': () => process.exit(3),
}

const server = createServer((request, response) => {
  const [path, encoding] = request.url.split('?')
  if (routes[path]) return routes[path](request, response)
  const text = page(readFileSync('page.txt', 'utf8'))
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (!encoders[encoding]) return response.end(text)
  return response.setHeader('content-encoding', encoding).end(encoders[encoding](text))
})
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  const text = JSON.stringify({ origin: request.headers.origin, host: request.headers.host })
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  )
  socket.write(Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]))
})
if (process.env['FAILS']) throw new Error("Cannot find module 'boats'")
server.listen(port, () => console.log(`Ready at http://localhost:${port}/`))
