import type { SiteConfig } from '../content/page.ts'

/** Guidance for editing a site. It belongs to the registration and is not visible to visitors of the site. */
export type Guidance = Pick<SiteConfig, 'purpose' | 'tone' | 'constraints'>

const isGuidance = (key: string): boolean => ['purpose', 'tone', 'constraints'].includes(key)

export const guidanceOf = (config: SiteConfig): Guidance => only(config, isGuidance)
export const withoutGuidance = (config: SiteConfig): SiteConfig => only(config, (key) => !isGuidance(key))

const only = (config: SiteConfig, isMeant: (key: string) => boolean): SiteConfig =>
  Object.fromEntries(Object.entries(config).filter(([key]) => isMeant(key)))
