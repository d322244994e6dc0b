import * as v from 'valibot'
import { boundedCount } from '../../kernel/index.ts'
import { Session, SiteId } from '../scope/port.ts'

const count = (most: number, otherwise: number) => v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)), otherwise)
const wanted = v.optional(v.pipe(v.string(), v.maxLength(200)))
const settings = v.looseObject({ provider: v.pipe(v.string(), v.description('`contentful`, `sanity`, `strapi`, or the name of a provider of your own.')) })

/** The settings of a CMS by the id of a site. */
export const Sites = v.record(v.string(), v.object({ cmsMedia: v.optional(settings) }))
export type Sites = v.InferOutput<typeof Sites>

export const Browse = v.object({
  session: Session,
  siteId: SiteId,
  query: wanted,
  q: v.pipe(wanted, v.description('Another name of `query`.')),
  page: count(10_000, 1),
  limit: count(50, 20),
  config: v.pipe(
    v.optional(settings),
    v.description('Another CMS than that of the site. In production it counts only where its origin is one of `CMS_MEDIA_ALLOWED_ORIGINS`.'),
  ),
})
export type Browse = v.InferOutput<typeof Browse>

export const AssetsQuery = v.object({
  q: v.pipe(v.optional(v.string(), ''), v.transform((text) => text.slice(0, 200))),
  limit: boundedCount({ most: 20, otherwise: 20 }, 'How many images a page has'),
  page: boundedCount({ most: 10_000, otherwise: 1 }, 'The page'),
})

export const CmsImage = v.object({ id: v.string(), name: v.string(), imageUrl: v.string(), thumbUrl: v.string(), alt: v.string() })
export type CmsImage = v.InferOutput<typeof CmsImage>

export const CmsImages = v.object({
  items: v.array(CmsImage),
  totalPages: v.number(),
  provider: v.string(),
  degraded: v.pipe(v.optional(v.literal(true)), v.description('The CMS gave no usable answer.')),
  reason: v.pipe(v.optional(v.string()), v.description('Why, as a sentence.')),
})
export type CmsImages = v.InferOutput<typeof CmsImages>

export const UploadedToCms = v.object({ ...CmsImage.entries, bytes: v.number(), mimeType: v.string() })
