import { BootError, Refusal, type Clock } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import type { Attempt, Claimed } from './outbox.ts'
import type { Endpoint } from './settings.ts'

/** Makes one attempt to deliver a message; `undefined` where the service stopped before there was an answer. */
export type Send = (endpoint: Endpoint, delivery: Pick<Claimed, 'id' | 'message'>) => Promise<Attempt | undefined>

/** Of an answer so much is read, so that its connection can be used again; the status is all that counts. */
const mostRead = 16 * 1024
const longestPause = 24 * 60 * 60 * 1000

/**
 * Makes what signs as Standard Webhooks says, once by each secret, and sends by the guarded way out, to the origin of the endpoint
 * alone: redirects are answers that failed. Rejects with a BootError where the library, an optional package, is not installed.
 */
export async function createSender({ outbound, clock, timeoutMs, signal }: {
  readonly outbound: Outbound
  readonly clock: Clock
  readonly timeoutMs: number
  readonly signal: AbortSignal
}): Promise<Send> {
  const { Webhook } = await importLibrary()
  return async ({ url, secrets }, { id, message: { payload } }) => {
    const at = clock.now()
    const began = performance.now()
    const facts = () => ({ at: at.toISOString(), milliseconds: Math.round(performance.now() - began) })
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, payload)).join(' '),
    }
    const allowOrigins = [new URL(url).origin]
    try {
      const answer = await outbound.stream(url, { method: 'POST', json: Buffer.from(payload), headers, maxBytes: mostRead, timeoutMs, followsRedirects: false, allowOrigins, signal })
      await readThrough(answer.body)
      const pause = pauseOf(answer.headers['retry-after'])
      return { ...facts(), status: answer.status, ...(pause > 0 && { pause }) }
    } catch (error) {
      if (signal.aborted) return undefined
      return { ...facts(), failure: error instanceof Refusal ? error.code : 'unexpected' }
    }
  }
}

/** A body that is endless, slow or broken changes nothing of the answer. */
async function readThrough(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body);
  } catch {
    return
  }
}

/** What a receiver asks for in seconds. */
const pauseOf = (text = ''): number => (/^\d{1,6}$/.test(text) ? Math.min(Number(text) * 1000, longestPause) : 0)

async function importLibrary() {
  try {
    return await import('standardwebhooks')
  } catch {
    throw new BootError(['webhooks are set up, and the package standardwebhooks is not installed: run npm install standardwebhooks'])
  }
}
