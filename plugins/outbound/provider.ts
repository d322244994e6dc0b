import * as v from 'valibot'
import { defineRefusal, type Schema } from '../../kernel/index.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from './types.ts'

/** The names of a service with a key, for error messages. */
export interface Provider {
  /** Such as `Unsplash`. */
  readonly name: string
  /** The name of its settings, such as a variable. */
  readonly settings: string
}

const providerFailed = defineRefusal({
  status: 502,
  code: 'provider_failed',
  reason: (sentence: string) => sentence,
})

/**
 * Requests JSON of this shape from a provider. No redirects, because the request may contain a key.
 *
 * Refuses other answers with 502 and a sentence that names the settings to check, without parts of the
 * answer. Refuses with 400 `fetch_refused` an address that is not allowed.
 */
export async function askProvider<const S extends Schema>(
  outbound: Pick<Outbound, 'fetch'>,
  address: URL,
  { provider, shape, ...request }: OutboundRequest & { readonly provider: Provider; readonly shape: S },
): Promise<{ readonly value: v.InferOutput<S>; readonly headers: OutboundResponse['headers'] }> {
  const answer = await outbound.fetch(address, {
    types: ['application/json'],
    ...request,
    followsRedirects: false,
  })
  if (answer.status !== 200) throw providerFailed(sentenceFor(provider, answer))
  const parsed = v.safeParse(shape, answer.json())
  if (!parsed.success)
    throw providerFailed(
      `${provider.name} answered in a form that is not known here. Check ${provider.settings}.`,
    )
  return { value: parsed.output, headers: answer.headers }
}

function sentenceFor({ name, settings }: Provider, { status, headers }: OutboundResponse): string {
  const isSpent = status === 429 || (status === 403 && headers['x-ratelimit-remaining'] === '0')
  if (isSpent) return `${name} has answered as many requests as it does for now. Try again later.`
  if (status === 401 || status === 403) return `${name} did not accept the credential. Check ${settings}.`
  if (status >= 500) return `${name} does not work at the moment. Try again later.`
  if (status >= 300 && status < 400)
    return `${name} leads to another address, which is not followed. Check ${settings}.`
  return `${name} did not accept the request and answered ${status}. Check ${settings}.`
}
