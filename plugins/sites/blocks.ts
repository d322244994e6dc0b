import * as v from 'valibot'
import { type Clock, LRUCache } from '../../kernel/index.ts'
import { ManifestDocument, parseManifest } from '../content/manifest.ts'
import { builtinRegistry } from '../content/registry.ts'
import { type Outbound, toOrigin } from '../outbound/port.ts'
import { draftKey, type DraftId, type Scope } from '../scope/port.ts'
import type { HostSite, Sites } from './port.ts'

const limits = { maxBytes: 8 * 1024 * 1024, timeoutMs: 8_000, types: ['application/json'] } as const

/** The milliseconds for which a website is not asked again. */
const cacheMs = 10_000
/** The maximum number of characters of all cached answers, and the estimate for one before it is there. */
const cacheCharacters = 16 * 1024 * 1024
const leastCharacters = 2_000

/**
 * Creates the reader of declared block types: the ones of the host for its own site, else those that the
 * website at the registered address returns from `/api/editor/blocks`.
 */
export function createDeclaredBlocks({
  previewUrl,
  scope,
  clock,
  host,
  outbound,
  production,
  signal,
}: Pick<Sites, 'previewUrl'> & {
  readonly scope: Scope
  readonly clock: Clock
  readonly host: HostSite | undefined
  readonly outbound: Outbound | undefined
  readonly production: boolean
  readonly signal: AbortSignal
}) {
  const cache = new LRUCache<string, CachedTypes>({ maxSize: cacheCharacters })

  /** Asks the website; one that does not answer declares what it declared before. */
  async function ask(id: DraftId, before: CachedTypes | undefined): Promise<Declared> {
    try {
      const origin = toOrigin((await previewUrl(id)) ?? '')
      if (origin === undefined || !outbound) return undefined
      const request = { ...limits, allowOrigins: production ? [] : [origin], signal }
      const answer = await outbound.fetch(`${origin}/api/editor/blocks`, request)
      if (answer.status >= 500) return await before?.declared
      if (answer.status !== 200) return undefined
      const { success, output } = v.safeParse(ManifestDocument, answer.json())
      return success && parseManifest(output, builtinRegistry).ok ? output : undefined
    } catch {
      return before?.declared
    }
  }

  return {
    /**
     * Returns the declared block types of a draft's site. An earlier answer of the website is used while it is asked
     * again, so that only the first request waits; `isFresh` waits in any case.
     */
    async read(id: DraftId, mustFetch = false): Promise<Declared> {
      if (host?.blocks && id.siteId === scope.defaultSiteId) return host.blocks
      const now = clock.now().getTime()
      const key = draftKey(id)
      const before = cache.get(key)
      if (before && !mustFetch && now < before.until) return before.declared
      const answer = ask(id, before)
      const entry = { until: now + cacheMs, declared: before?.declared ?? answer }
      cache.set(key, entry, { size: leastCharacters })
      void answer.then((declared) => {
        if (cache.get(key) !== entry) return
        const size = declared ? JSON.stringify(declared).length : leastCharacters
        cache.set(key, { ...entry, declared: answer }, { size })
      })
      return mustFetch ? answer : entry.declared
    },
    /** Forgets the answers, because a registration has changed. */
    forget(): void {
      cache.clear()
    },
  }
}

type Declared = ManifestDocument | undefined

interface CachedTypes {
  /** When the website is asked again. */
  readonly until: number
  readonly declared: Promise<Declared>
}
