import type { Socket } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Writes the same bytes repeatedly, as fast as the other side reads, at most `times`. */
function repeat(socket: Socket, bytes: Uint8Array, times = Infinity): void {
  let left = times
  const write = (): void => {
    while (left-- > 0 && !socket.destroyed) if (!socket.write(bytes)) return void socket.once('drain', write)
    socket.end()
  }
  write()
}

/** Writes a byte every 50 ms, without end. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 50)
  socket.on('close', () => clearInterval(timer))
}

const head = (...lines: readonly string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')
const json = 'content-type: application/json'
const mebibyte = 1024 * 1024

// Sent a thousand times, these few kilobytes are 10 GiB of zeros: gzip members can be concatenated.
const gzippedZeros = gzipSync(new Uint8Array(10 * mebibyte))
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const brotliZeros = brotliCompressSync(new Uint8Array(64 * mebibyte), fast)
const gzipStart = gzipSync('').subarray(0, 10)
const emptyDeflateBlocks = Buffer.from('000000ffff'.repeat(4096), 'hex')
const crumbs = Buffer.from('1\r\nx\r\n'.repeat(8192))
const filler = Buffer.alloc(64 * 1024, 'x')

/** Writes a JSON response head with these header lines. */
const begin = (socket: Socket, ...lines: readonly string[]): boolean => socket.write(head(json, ...lines))

/** Hostile or broken servers, by the path that they answer at. */
export const hostile = {
  endless(socket) {
    begin(socket)
    repeat(socket, filler)
  },
  declared(socket) {
    begin(socket, 'content-length: 10737418240')
    repeat(socket, filler)
  },
  gzipBomb(socket) {
    begin(socket, 'content-encoding: gzip')
    repeat(socket, gzippedZeros, 1024)
  },
  brotliBomb(socket) {
    begin(socket, 'content-encoding: br')
    socket.end(brotliZeros)
  },
  hollowGzip(socket) {
    begin(socket, 'content-encoding: gzip')
    socket.write(gzipStart)
    repeat(socket, emptyDeflateBlocks)
  },
  crumbs(socket) {
    begin(socket, 'transfer-encoding: chunked')
    repeat(socket, crumbs)
  },
  manyEncodings(socket) {
    begin(socket, `content-encoding: ${Array<string>(5000).fill('br').join(',')}`)
    repeat(socket, filler)
  },
  twoEncodings(socket) {
    begin(socket, 'content-encoding: gzip', 'content-encoding: gzip')
    repeat(socket, gzippedZeros, 1024)
  },
  encodingLines: (socket) => begin(socket, ...Array<string>(5000).fill('content-encoding: gzip')),
  unknownEncoding(socket) {
    begin(socket, 'content-encoding: zstd')
    socket.end('{}')
  },
  hugeHeader: (socket) => begin(socket, `x-filler: ${'x'.repeat(64 * 1024)}`),
  endlessHeaders(socket) {
    socket.write('HTTP/1.1 200 OK\r\n')
    repeat(socket, Buffer.from('a: b\r\n'.repeat(1024)))
  },
  endlessInterim: (socket) => repeat(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(256))),
  dripBody(socket) {
    begin(socket, 'content-length: 1000')
    drip(socket)
  },
  dripHead(socket) {
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
    drip(socket)
  },
  silent: () => undefined,
  silentBody: (socket) => begin(socket, 'content-length: 2'),
  reset: (socket) => socket.resetAndDestroy(),
  cutShort(socket) {
    begin(socket, 'content-length: 100')
    socket.end('{}')
  },
  notGzip(socket) {
    begin(socket, 'content-encoding: gzip')
    socket.end('{}')
  },
  cutGzip(socket) {
    begin(socket, 'content-encoding: gzip')
    socket.end(gzipSync('{"a":1}').subarray(0, 15))
  },
  notHttp: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  html: (socket) => socket.end(`${head('content-type: text/html; charset=utf-8')}<html>`),
  noType: (socket) => socket.end(`${head()}{}`),
} as const satisfies Readonly<Record<string, (socket: Socket) => unknown>>
