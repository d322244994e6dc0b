import { connect, type Socket } from 'node:net'

export interface Load {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** The body of a request; `at` is its number, so that each can be unique. */
  readonly body?: (at: number) => string
  readonly connections?: number
  readonly amount: number
}

/**
 * Sends `amount` requests over some connections, sequentially on each, and returns the requests per second.
 *
 * Uses plain sockets: with a slower client the server would be idle, and the cost of waking up would be measured. Throws
 * if a response is neither 2xx nor 304.
 */
export async function send(
  origin: string,
  { path, method = 'GET', headers = {}, body, connections = 32, amount }: Load,
): Promise<number> {
  const { hostname, port, host } = new URL(origin)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}`
  let sent = 0
  const next = (): Buffer | undefined => {
    if (sent === amount) return undefined
    const text = body?.(sent++) ?? (sent++, '')
    return Buffer.from(
      body ? `${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}` : `${head}\r\n`,
    )
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, () => drive(connect(Number(port), hostname), next)))
  return amount / ((performance.now() - started) / 1000)
}

const lastChunk = '\r\n0\r\n\r\n'

/** Sends requests over one connection until none are left. */
function drive(socket: Socket, next: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = ''
    /** Missing bytes of the body, or the missing end of a chunked one. */
    let missing: number | undefined
    let tail: string | undefined
    const proceed = (): void => {
      const request = next()
      if (request) {
        socket.write(request)
      } else {
        socket.destroy()
        resolve()
      }
    }
    socket.setNoDelay(true).once('connect', proceed).once('error', reject)
    socket.on('data', (chunk) => {
      if (missing === undefined) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end === -1) return
        const status = Number(head.slice(9, 12))
        if ((status < 200 || status > 299) && status !== 304)
          return void reject(new Error(`answered ${head}`))
        const length = status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
        missing = length - (head.length - end - 4)
        tail = /\r\ntransfer-encoding: chunked/i.test(head) ? head.slice(end + 2) : undefined
        head = ''
      } else {
        missing -= chunk.length
        if (tail !== undefined)
          tail = (tail + chunk.subarray(-lastChunk.length).toString('latin1')).slice(-lastChunk.length)
      }
      if (missing > 0 || tail?.endsWith(lastChunk) === false) return
      missing = undefined
      proceed()
    })
  })
}
