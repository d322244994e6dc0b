import { UpstreamFailure, type Outbound } from '../outbound/port.ts'
import { Refusal } from '../../kernel/index.ts'
import type { Found } from './rule.ts'
import type { SiteView } from './site-view.ts'

const atOnce = 5
const timeoutMs = 8_000
const maxBytes = 64 * 1024

/** Finds links to pages of other sites that are gone. It asks at most `most` addresses, five at a time; what does not answer is not gone. */
export async function deadLinks({ pages }: SiteView, { outbound, most, signal }: { readonly outbound: Outbound; readonly most: number; readonly signal: AbortSignal }): Promise<readonly Found[]> {
  const links = pages.flatMap((page) => page.links).filter(({ target }) => /^https?:\/\//i.test(target))
  const addresses = [...new Set(links.map(({ target }) => target.split('#', 1)[0] ?? ''))].slice(0, most)
  const gone = new Set<string>()
  const waiting = addresses.values()
  const work = async (): Promise<void> => {
    for (const address of waiting) if (await isGone(address, outbound, signal)) gone.add(address)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return links
    .filter(({ target }) => gone.has(target.split('#', 1)[0] ?? ''))
    .map(({ at, target, field }) => ({ at, message: 'The page that the link leads to is gone.', value: target, of: field ? '' : target }))
}

async function isGone(address: string, outbound: Outbound, signal: AbortSignal): Promise<boolean> {
  const status = await statusOf(address, 'HEAD', outbound, signal)
  if (status !== 404 && status !== 410 && status !== 405 && status !== 501) return false
  // Some servers answer HEAD as if the page were not there.
  const again = await statusOf(address, 'GET', outbound, signal)
  return again === 404 || again === 410
}

/** `undefined` where the address may not be called, or gives no answer. */
async function statusOf(address: string, method: 'HEAD' | 'GET', outbound: Outbound, signal: AbortSignal): Promise<number | undefined> {
  try {
    return (await outbound.fetch(address, { method, maxBytes, timeoutMs, signal, ...(method === 'GET' && { headers: { range: 'bytes=0-0' } }) })).status
  } catch (error) {
    if (error instanceof UpstreamFailure || error instanceof Refusal) return undefined
    throw error
  }
}
