import { request } from 'node:http'
import { serve, type TeardownTest } from './raw.ts'

/** A proxy that sends each request to the next of these servers, without session affinity; returns its origin. */
export async function startBalancer(t: TeardownTest, origins: readonly string[]): Promise<string> {
  let turn = 0
  return serve(t, (incoming, answer) => {
    const { method, url = '/', headers } = incoming
    const target = new URL(url, origins[turn++ % origins.length])
    const outgoing = request(target, { method, headers: { ...headers, host: target.host }, agent: false })
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    outgoing.on('error', () => answer.destroy())
    answer.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
}
