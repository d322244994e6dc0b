/** Sends a request again to the process that takes the place of one that has ended. */
import { randomId } from './random-id.ts'

const pausesMs = [250, 500, 1000, 2000]
/** What may arrive twice: under a key a draft is changed once, and a run of chat waits for its first reader. */
const repeatable = /\/(?:ops|history\/[\w-]+|restore\/snapshot|checks\/fix|draft\/site-config|chat\/start)$/

/** Whether a proxy answers that no process does; the service answers in JSON. */
const isLost = ({ status, headers }: Response): boolean =>
  status >= 502 && status <= 504 && headers.get('content-type')?.includes('json') !== true

/** Like `fetch`, but sends a read, a change of the draft or a message again while a proxy answers for the service. */
export async function sendAgain(address: string, request: RequestInit): Promise<Response> {
  const isRead = request.method === 'GET'
  if (!isRead && !repeatable.test(address)) return fetch(address, request)
  const key = isRead ? {} : { 'idempotency-key': randomId() }
  const again = { ...request, headers: { ...request.headers, ...key } }
  for (const pause of pausesMs) {
    const response = await fetch(address, again)
    if (!isLost(response)) return response
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return fetch(address, again)
}
