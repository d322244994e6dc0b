import { hostsOf } from '../content/site-address.ts'
import { toOrigin, toOriginSet, type Outbound } from '../outbound/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import type { Reader } from '../store/port.ts'

/** Returns the registered preview address of a site, from this session first, else from any other. */
export async function previewUrlIn(
  reader: Reader<{ readonly previewUrl?: string | undefined }, Record<never, never>>,
  { siteId, session }: DraftId,
): Promise<string | undefined> {
  const here = (await reader.get(siteId, session))?.body.previewUrl
  if (here !== undefined) return here
  return (await reader.list(siteId)).find(({ body }) => body.previewUrl !== undefined)?.body.previewUrl
}

/**
 * Returns the registered origin of the site of a draft, if it may be called.
 *
 * In production, a registration does not allow an address: otherwise every client that can register a site
 * could make the service call any address.
 */
export async function registeredOrigin(
  id: DraftId,
  {
    sites,
    outbound,
    production,
  }: {
    readonly sites: { previewUrl(id: DraftId): Promise<string | undefined> }
    readonly outbound: Pick<Outbound, 'isAllowedOrigin'>
    readonly production: boolean
  },
): Promise<string | undefined> {
  const origin = toOrigin((await sites.previewUrl(id)) ?? '')
  return origin !== undefined && (!production || outbound.isAllowedOrigin(origin)) ? origin : undefined
}

/** Returns the hosts of the registered address of a site, at which links lead to its own pages. */
export const ownHosts = async (
  id: DraftId,
  sites: { previewUrl(id: DraftId): Promise<string | undefined> },
): Promise<ReadonlySet<string>> => {
  const address = await sites.previewUrl(id)
  return address === undefined ? new Set() : hostsOf(toOriginSet([address]))
}

const longestId = 64

/** Returns the id of another site named in the content; `undefined` if there is none. */
export function otherSiteIn(
  content: unknown,
  { siteId }: DraftId,
  scope: Pick<Scope, 'siteId'>,
): string | undefined {
  const named =
    typeof content === 'object' && content !== null && 'siteId' in content ? content.siteId : undefined
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
