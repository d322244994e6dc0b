import { toOrigin, type Outbound } from '../outbound/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'

/**
 * The origin that the site of a draft registered, where it may be called.
 *
 * In production a registration opens no address by itself, or anyone who can register a site could have the
 * service call any address.
 */
export async function registeredOrigin(
  id: DraftId,
  { sites, outbound, production }: {
    readonly sites: { previewUrl(id: DraftId): Promise<string | undefined> }
    readonly outbound: Pick<Outbound, 'isAllowedOrigin'>
    readonly production: boolean
  },
): Promise<string | undefined> {
  const origin = toOrigin((await sites.previewUrl(id)) ?? '')
  return origin !== undefined && (!production || outbound.isAllowedOrigin(origin)) ? origin : undefined
}

const longestId = 64

/** The id by which the content of a site names another site than the one it was asked for; `undefined` where it names none. */
export function otherSiteIn(content: unknown, { siteId }: DraftId, scope: Pick<Scope, 'siteId'>): string | undefined {
  const named = typeof content === 'object' && content !== null && 'siteId' in content ? content.siteId : undefined
  if (typeof named !== 'string' || named.trim() === '') return undefined
  return normalised(named, scope) === siteId ? undefined : named.slice(0, longestId)
}

function normalised(named: string, scope: Pick<Scope, 'siteId'>): string | undefined {
  try {
    return scope.siteId(named)
  } catch {
    return undefined
  }
}
