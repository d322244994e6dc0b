import * as v from 'valibot'
import { type Clock, Lru } from '../../kernel/index.ts'
import { ManifestDocument } from '../content/manifest.ts'
import { type Outbound, toOrigin } from '../outbound/port.ts'
import { draftKey, type DraftId, type Scope } from '../scope/port.ts'
import type { HostSite, Sites } from './port.ts'

const limits = { maxBytes: 8 * 1024 * 1024, timeoutMs: 8_000, types: ['application/json'] } as const

/** The milliseconds for which an answer of a website is used again, and the lack of one. */
const keptMs = 10_000
/** The maximum number of characters of all answers that are kept, and the estimate for one before it is there. */
const keptCharacters = 16 * 1024 * 1024
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
  type Kept = Lru<string, { readonly until: number; readonly declared: Promise<Declared> }>
  let known: Kept = new Lru(keptCharacters)

  async function ask(id: DraftId): Promise<Declared> {
    const origin = toOrigin((await previewUrl(id)) ?? '')
    if (origin === undefined || !outbound) return undefined
    const request = { ...limits, allowOrigins: production ? [] : [origin], signal }
    const answer = await outbound.fetch(`${origin}/api/editor/blocks`, request).catch(() => undefined)
    if (answer?.status !== 200) return undefined
    const { success, output } = v.safeParse(ManifestDocument, answer.json())
    return success ? output : undefined
  }

  return {
    /** Returns the declared block types of a draft's site; `isFresh` asks the website even if it just answered. */
    async read(id: DraftId, isFresh = false): Promise<Declared> {
      if (host?.blocks && id.siteId === scope.defaultSiteId) return host.blocks
      const now = clock.now().getTime()
      const key = draftKey(id)
      const before = known.get(key)
      if (before && !isFresh && now < before.until) return before.declared
      const entry = { until: now + keptMs, declared: ask(id) }
      known.set(key, entry, leastCharacters)
      const declared = await entry.declared
      if (declared && known.get(key) === entry) known.set(key, entry, JSON.stringify(declared).length)
      return declared
    },
    /** Forgets the answers, because a registration has changed. */
    forget(): void {
      known = new Lru(keptCharacters)
    },
  }
}

type Declared = ManifestDocument | undefined
