import * as v from 'valibot'
import { boundedCount, listVariable } from '../../../kernel/index.ts'
import { AddressVariable, KeyVariable } from '../../models/port.ts'
import { Shortfall } from '../port.ts'
import { toOrigin, toOriginSet } from '../../outbound/port.ts'
import { Session, SiteId } from '../../scope/port.ts'

const count = (most: number, otherwise: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)), otherwise)
const wanted = v.optional(v.pipe(v.string(), v.maxLength(200)))
const settings = v.looseObject({
  provider: v.pipe(
    v.string(),
    v.description('`contentful`, `sanity`, `strapi`, or the name of another provider.'),
  ),
})

/** The CMS settings by site id. */
export const Sites = v.record(v.string(), v.object({ cmsMedia: v.optional(settings) }))
export type Sites = v.InferOutput<typeof Sites>

export const Browse = v.object({
  session: Session,
  siteId: SiteId,
  query: wanted,
  q: v.pipe(wanted, v.description('An alias of `query`.')),
  page: count(10_000, 1),
  limit: count(50, 20),
  config: v.pipe(
    v.optional(settings),
    v.description(
      'A CMS to use instead of that of the site. In production its origin must be listed in `CMS_MEDIA_ALLOWED_ORIGINS`.',
    ),
  ),
})
export type Browse = v.InferOutput<typeof Browse>

export const AssetsQuery = v.object({
  q: v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => text.slice(0, 200)),
  ),
  limit: boundedCount({ most: 20, otherwise: 20 }, 'The number of images per page'),
  page: boundedCount({ most: 10_000, otherwise: 1 }, 'The page'),
})

export const CmsImage = v.object({
  id: v.string(),
  name: v.string(),
  imageUrl: v.string(),
  thumbUrl: v.string(),
  alt: v.string(),
})
export type CmsImage = v.InferOutput<typeof CmsImage>

export const CmsImages = v.object({
  items: v.array(CmsImage),
  totalPages: v.number(),
  provider: v.string(),
  ...Shortfall.entries,
})
export type CmsImages = v.InferOutput<typeof CmsImages>

export const UploadedToCms = v.object({
  ...CmsImage.entries,
  value: v.pipe(
    v.optional(v.string()),
    v.description('The address for the field that the upload names; else it is `imageUrl`.'),
  ),
  bytes: v.number(),
  mimeType: v.string(),
})

const field = v.optional(v.pipe(v.string(), v.maxLength(2_048)))
/** The field that an upload is for. */
export const Use = v.object({
  slug: v.pipe(v.string(), v.maxLength(2_048)),
  field,
  before: field,
  alt: field,
})

/** The id of a space, an environment, a project or a dataset. */
export const Id = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"'),
)

const origins = v.pipe(
  listVariable,
  v.check(
    (entries) => entries.every((entry) => toOrigin(entry) !== undefined),
    'must be origins such as https://cdn.contentful.com, separated by commas',
  ),
  v.transform((entries) => toOriginSet(entries)),
)

export const CmsVariables = v.object({
  CONTENTFUL_SPACE_ID: v.pipe(
    v.optional(Id),
    v.description('The Contentful space whose images are listed; it needs a token.'),
  ),
  CONTENTFUL_DELIVERY_TOKEN: v.pipe(
    v.optional(KeyVariable),
    v.description('The token of its Content Delivery API.'),
  ),
  CONTENTFUL_ENVIRONMENT: v.pipe(v.optional(Id, 'master'), v.description('The environment of that space.')),
  CONTENTFUL_BASE_URL: v.pipe(
    v.optional(AddressVariable, 'https://cdn.contentful.com'),
    v.description('The address of the Contentful API, for a proxy.'),
  ),
  SANITY_PROJECT_ID: v.pipe(v.optional(Id), v.description('The Sanity project whose images are listed.')),
  SANITY_DATASET: v.pipe(
    v.optional(Id, 'production'),
    v.description('The dataset of that project, which must be public.'),
  ),
  SANITY_BASE_URL: v.pipe(
    v.optional(AddressVariable),
    v.metadata({ otherwise: '`https://<project>.api.sanity.io`' }),
    v.description('The address of the Sanity API, for a proxy.'),
  ),
  STRAPI_URL: v.pipe(
    v.optional(AddressVariable),
    v.description(
      'The address of the Strapi installation whose images are listed; on a private network it must be listed in `FETCH_ALLOWED_ORIGINS`.',
    ),
  ),
  STRAPI_TOKEN: v.pipe(
    v.optional(KeyVariable),
    v.description('A token of its API with read access to uploads.'),
  ),
  CMS_MEDIA_ALLOWED_ORIGINS: v.pipe(
    v.optional(origins, ''),
    v.description(
      'Origins of a CMS that requests may name in production, such as `https://cdn.contentful.com`.',
    ),
  ),
})
export type CmsVariables = v.InferOutput<typeof CmsVariables>
