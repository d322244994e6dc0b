import * as v from 'valibot'
import { AddressVariable, KeyVariable } from '../llm/port.ts'
import { toOrigin, toOriginSet } from '../outbound/port.ts'

/** An id of a space, an environment, a project or a dataset. */
export const Id = v.pipe(v.string(), v.trim(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"'))

const origins = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((entry) => entry.trim()).filter(Boolean)),
  v.check((entries) => entries.every((entry) => toOrigin(entry) !== undefined), 'must be origins such as https://cdn.contentful.com, with commas between them'),
  v.transform((entries) => toOriginSet(entries)),
)

export const CmsVariables = v.object({
  CONTENTFUL_SPACE_ID: v.pipe(v.optional(Id), v.description('With a token, the space of Contentful whose images editors are shown.')),
  CONTENTFUL_DELIVERY_TOKEN: v.pipe(v.optional(KeyVariable), v.description('The token of its Content Delivery API.')),
  CONTENTFUL_ENVIRONMENT: v.pipe(v.optional(Id, 'master'), v.description('The environment of that space.')),
  CONTENTFUL_BASE_URL: v.pipe(v.optional(AddressVariable, 'https://cdn.contentful.com'), v.description('Where Contentful is asked, for proxies of your own.')),
  SANITY_PROJECT_ID: v.pipe(v.optional(Id), v.description('The project of Sanity whose images editors are shown.')),
  SANITY_DATASET: v.pipe(v.optional(Id, 'production'), v.description('The dataset of that project, which has to be public.')),
  SANITY_BASE_URL: v.pipe(
    v.optional(AddressVariable),
    v.metadata({ otherwise: '`https://<project>.api.sanity.io`' }),
    v.description('Where Sanity is asked, for proxies of your own.'),
  ),
  STRAPI_URL: v.pipe(
    v.optional(AddressVariable),
    v.description('The address of the Strapi whose images editors are shown; on a private network it has to be one of `FETCH_ALLOWED_ORIGINS`.'),
  ),
  STRAPI_TOKEN: v.pipe(v.optional(KeyVariable), v.description('A token of its API that may read uploads.')),
  CMS_MEDIA_ALLOWED_ORIGINS: v.pipe(
    v.optional(origins, ''),
    v.description('Origins of a CMS that requests may name in production, such as `https://cdn.contentful.com`.'),
  ),
})
export type CmsVariables = v.InferOutput<typeof CmsVariables>
