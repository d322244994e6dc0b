import type { Manifest, Registry } from '../../../content/model.ts'
import type { SiteConfig } from '../../../content/page.ts'
import { fenced } from '../../../llm/port.ts'
import type { SiteContext } from '../../types/planner.ts'
import { contractsOf } from './contracts.ts'

/** What a prompt says about a site. */
export interface SiteFacts {
  readonly registry: Registry
  readonly manifest?: Manifest | undefined
  readonly config: SiteConfig
  readonly siteContext?: SiteContext | undefined
}

/** The part of the prompt that is the same for every request to a site: its block types, and what it is for. */
export function sitePart({ registry, manifest, config, siteContext }: SiteFacts): string {
  return [
    'The block types of this site and their props. Props marked readOnly are managed elsewhere and left alone; those marked notTranslated stay as they are in a translation; pinned blocks are never added, moved, copied or removed.',
    fenced('block types', contractsOf(registry, manifest)),
    aboutSite({ config, siteContext }),
  ].join('\n\n')
}

/** What a site says about itself. */
export function aboutSite({ config, siteContext = {} }: Pick<SiteFacts, 'config' | 'siteContext'>): string {
  const site = {
    name: siteContext.siteName ?? config.name,
    purpose: siteContext.purpose ?? config.purpose,
    tone: siteContext.tone ?? config.tone,
    constraints: siteContext.constraints ?? config.constraints,
    pageTemplates: siteContext.pageTemplates,
  }
  return `What the site says about itself. Let it guide wording and tone.\n\n${fenced('site', site)}`
}
