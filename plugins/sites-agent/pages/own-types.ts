import { parseManifest } from '../../content/manifest.ts'
import type { Manifest } from '../../content/model.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { SiteParts, SiteRun } from '../site-run.ts'

const limits = { maxBytes: 2 * 1024 * 1024, timeoutMs: 30_000, followsRedirects: false } as const

/** The block types that a site declares, as its development server answers them; `undefined` where it does not run, or answers none. */
export async function ownTypes(run: Pick<SiteRun, 'signal'>, { servers, outbound }: Pick<SiteParts, 'servers' | 'outbound'>, siteId: string): Promise<Manifest | undefined> {
  const url = servers.running().find((server) => server.siteId === siteId)?.url
  if (url === undefined) return undefined
  try {
    const answer = await outbound.fetch(`${url}/api/editor/blocks`, { ...limits, allowOrigins: [url], signal: run.signal })
    const verdict = answer.status === 200 ? parseManifest(answer.json(), builtinRegistry) : undefined
    return verdict?.ok ? verdict.manifest : undefined
  } catch {
    run.signal.throwIfAborted()
    return undefined
  }
}
