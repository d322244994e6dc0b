/** Sends a request again to the process that takes the place of one that has ended. */
import { randomId } from './random-id.ts'

const pausesMs = [250, 500, 1000, 2000]
/** The routes that change the draft: under a key the service makes a change once, however often it is sent. */
const changing = /\/(?:ops|history\/[\w-]+|restore\/snapshot|checks\/fix|draft\/site-config)$/

/** Whether a proxy answers that no process does; the service answers in JSON. */
const isLost = ({ status, headers }: Response): boolean =>
  status >= 502 && status <= 504 && headers.get('content-type')?.includes('json') !== true

/** Like `fetch`, but sends a read, or a change of the draft, again while a proxy answers for the service. */
export async function sendAgain(address: string, request: RequestInit): Promise<Response> {
  const isRead = request.method === 'GET'
  if (!isRead && !changing.test(address)) return fetch(address, request)
  const key = isRead ? {} : { 'idempotency-key': randomId() }
  const again = { ...request, headers: { ...request.headers, ...key } }
  for (const pause of pausesMs) {
    const response = await fetch(address, again)
    if (!isLost(response)) return response
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return fetch(address, again)
}
