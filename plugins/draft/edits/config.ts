import { sameJson } from '../../content/same-json.ts'
import type { OpenDraft } from '../open-draft.ts'
import { nothing, type Nothing, type Planned } from '../planned.ts'
import type { Edit } from '../port.ts'

/** Plans a patch of the site config, merged at its first level. */
export async function planConfig(
  draft: OpenDraft,
  { patch, siteConfig }: Extract<Edit, { kind: 'config' }>,
): Promise<Planned | Nothing> {
  const before = await draft.config()
  const config = { ...siteConfig, ...before, ...patch }
  if (sameJson(before, config)) return nothing
  return {
    pages: new Map(),
    ranks: new Map(),
    config,
    siteConfig,
    stacks: { push: [] },
    log: { source: 'direct', slug: '/', summary: `Site settings changed: ${Object.keys(patch).join(', ')}` },
  }
}
