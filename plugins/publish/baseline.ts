import { readFile } from 'node:fs/promises'
import type { Logger } from '../../kernel/index.ts'
import type { ContentAdapter, SiteContent } from '../content/adapter.ts'
import { toBaseline } from '../content/baseline.ts'
import type { Outbound } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import type { Baselines, Snapshots } from './port.ts'
import { readSiteOrigin, registeredOrigin, type OriginList } from './site-origin.ts'

export interface BaselineContext {
  readonly origins: OriginList
  readonly sites: Sites
  readonly outbound: Outbound
  readonly snapshots: Snapshots
  readonly adapter: ContentAdapter | undefined
  /** The site that the adapter belongs to. */
  readonly adapterSiteId: string
  /** A file with published content. */
  readonly contentPath: string | undefined
  readonly log: Logger
}

const siteLimits = { timeoutMs: 8_000, maxBytes: 10 * 1024 * 1024, types: ['application/json'] }

/**
 * Makes the reader of what is published.
 *
 * The first source that applies decides, also when it fails: content that cannot be read is unavailable, and another
 * source in its place would make pages look removed that are not.
 */
export function createBaselines({ origins, sites, outbound, snapshots, adapter, adapterSiteId, contentPath, log }: BaselineContext): Baselines {
  const fromSite = async (origin: string): Promise<SiteContent | undefined> => {
    const answer = await outbound.fetch(`${origin}/api/editor/pages`, { ...siteLimits, allowOrigins: [origin] })
    if (answer.status >= 300) throw new Error(`the site answered ${answer.status}`)
    return toBaseline(answer.json())
  }

  const sourceOf = async (id: DraftId, wanted: string | undefined): Promise<() => Promise<SiteContent | undefined>> => {
    const registered = await sites.previewUrl(id)
    const named = readSiteOrigin(wanted, registered, origins)
    if (named !== undefined) return () => fromSite(named)
    if (adapter && id.siteId === adapterSiteId) return () => adapter.readContent()
    if (contentPath !== undefined) return async () => toBaseline(JSON.parse(await readFile(contentPath, 'utf8')))
    const origin = registeredOrigin(registered, origins)
    if (origin !== undefined) return () => fromSite(origin)
    return () => snapshots.newest(id)
  }

  return {
    async read(id, { siteOrigin }) {
      const source = await sourceOf(id, siteOrigin)
      return source().catch((err: unknown) => {
        log.warn({ err, siteId: id.siteId }, 'published content could not be read')
        return undefined
      })
    },
  }
}
