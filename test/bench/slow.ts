import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { inTurn, report, startServer } from './harness.ts'
import type { Bench } from './run.ts'

const requests = 4_000
const path = '/health'

/** Clients that never complete their headers. */
async function crawl(port: number, count: number): Promise<() => void> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async (): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `)
      return socket
    }),
  )
  const drip = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('a')), 100)
  return () => {
    clearInterval(drip)
    sockets.forEach((socket) => socket.destroy())
  }
}

/** The 99th percentile of the latency of one client, in milliseconds. */
async function latencyP99(port: number): Promise<number> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  const times: number[] = []
  for (let at = 0; at < requests; at++) {
    const started = performance.now()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await once(socket, 'data')
    times.push(performance.now() - started)
  }
  socket.destroy()
  return times.toSorted((a, b) => a - b)[Math.floor(requests * 0.99)] ?? Number.NaN
}

const slow: Bench = async (folder) => {
  const ours = await startServer('standalone', { dataDir: await folder() })
  const port = Number(new URL(ours.url).port)
  const among = async (): Promise<number> => {
    const leave = await crawl(port, 500)
    await wait(50)
    const time = await latencyP99(port)
    leave()
    await wait(50)
    return time
  }
  const times = await inTurn(9, among, () => latencyP99(port))
  await ours.stop()
  return report('latency p99 with 500 slow sockets, times without them', times, { atMost: 1.5 })
}

export const benches = { slow }
