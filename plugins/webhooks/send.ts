import { BootError, missingPackage, Refusal, type Clock } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import type { Attempt, Message } from './outbox.ts'
import type { Endpoint } from './settings.ts'

/** Makes one attempt to deliver a message; returns `undefined` if it is aborted before the answer. */
export type Send = (
  endpoint: Endpoint,
  delivery: { readonly id: string; readonly message: Pick<Message, 'payload'> },
  signal: AbortSignal,
) => Promise<Attempt | undefined>

/** The number of body bytes to read, so that the connection can be reused; only the status matters. */
const maxBytes = 16 * 1024
const maxPauseMs = 24 * 60 * 60 * 1000

/**
 * Creates the sender. Signs messages with every secret per Standard Webhooks, and sends them through
 * `outbound`, only to the endpoint's origin: a redirect fails. Rejects with a BootError if not installed.
 */
export async function createSender({
  outbound,
  clock,
  timeoutMs,
}: {
  readonly outbound: Outbound
  readonly clock: Clock
  readonly timeoutMs: number
}): Promise<Send> {
  const { Webhook } = await importLibrary()
  return async ({ url, secrets }, { id, message: { payload } }, signal) => {
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
      const answer = await outbound.stream(url, {
        method: 'POST',
        json: Buffer.from(payload),
        headers,
        maxBytes,
        timeoutMs,
        followsRedirects: false,
        allowOrigins,
        signal,
      })
      await drain(answer.body)
      const pauseMs = pauseMsOf(answer.headers['retry-after'])
      return { ...facts(), status: answer.status, ...(pauseMs > 0 && { pauseMs }) }
    } catch (error) {
      if (signal.aborted) return undefined
      return { ...facts(), failure: error instanceof Refusal ? error.code : 'unexpected' }
    }
  }
}

/** Ignores an endless, slow or broken body, which does not affect the result. */
async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body);
  } catch {
    return
  }
}

/** Returns the delay that a receiver requests. */
const pauseMsOf = (text = ''): number =>
  /^\d{1,6}$/.test(text) ? Math.min(Number(text) * 1000, maxPauseMs) : 0

async function importLibrary() {
  try {
    return await import('standardwebhooks')
  } catch (cause) {
    throw new BootError([missingPackage('An endpoint of webhooks', 'standardwebhooks')], { cause })
  }
}
