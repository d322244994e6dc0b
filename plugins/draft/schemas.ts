import * as v from 'valibot'
import { Page, SiteConfig } from '../content/page.ts'
import { RequiredSession, RequiredSlug, Session, SiteId } from '../scope/port.ts'

export const PageQuery = v.object({ session: RequiredSession, slug: RequiredSlug, siteId: SiteId })
export const SlugsQuery = v.object({ session: Session, siteId: SiteId })
export const ConfigQuery = v.object({ session: RequiredSession, siteId: SiteId })

export const SlugList = v.object({
  /** `/` first when present, the rest in draft order. */
  slugs: v.array(v.string()),
  pages: v.array(v.object({ slug: v.string(), title: v.string(), updatedAt: v.string(), blockCount: v.number() })),
})

/** Anything but a string counts as left out where a default exists. */
const lenientText = v.optional(v.fallback(v.optional(v.string()), undefined))

export const BootstrapBody = v.object({
  session: lenientText,
  siteId: lenientText,
  /** Page documents; those that are none are named in `refused`. Absent, empty or no array: nothing to do. */
  pages: v.optional(v.unknown()),
  /** Only the literal `true` counts. */
  overwrite: v.optional(v.unknown()),
  /** Where the pages come from; refused when it contradicts the address that the site registered. */
  siteOrigin: lenientText,
  origin: lenientText,
})

const Slugs = v.array(v.string())
export const Skipped = v.object({ status: v.literal('skipped'), reason: v.picklist(['recently_restored', 'already_initialized', 'no_pages']), slugs: Slugs })
export type Skipped = v.InferOutput<typeof Skipped>
export const Bootstrapped = v.object({
  status: v.literal('bootstrapped'),
  count: v.number(),
  slugs: Slugs,
  previewVersion: v.number(),
  refused: v.array(v.object({ slug: v.string(), reason: v.string() })),
})
export type Bootstrapped = v.InferOutput<typeof Bootstrapped>

export const ConfigBody = v.object({
  session: RequiredSession,
  siteId: SiteId,
  config: SiteConfig,
  baseVersion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})

/** The complete stored config, with what registration put beside the eight keys. */
export const StoredSiteConfig = v.looseObject(SiteConfig.entries)
export const ConfigSaved = v.object({ status: v.literal('ok'), config: StoredSiteConfig })

export { Page }
