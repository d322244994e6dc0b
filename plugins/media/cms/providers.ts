import * as v from 'valibot'
import { AddressVariable, KeyVariable } from '../../models/port.ts'
import { askProvider } from '../../outbound/port.ts'
import { listOf } from '../port.ts'
import { defineCmsProvider, text, type ProviderParts } from './provider.ts'
import { Id } from './schemas.ts'

const ContentfulAsset = v.object({
  sys: v.object({ id: v.string() }),
  fields: v.object({ title: text, description: text, file: v.object({ url: v.string() }) }),
})
const ContentfulPage = v.object({ total: v.number(), items: listOf(ContentfulAsset) })
const contentfulName = {
  name: 'Contentful',
  settings: 'CONTENTFUL_SPACE_ID and CONTENTFUL_DELIVERY_TOKEN, or the cmsMedia of the site',
}
// The delivery API has its own media type.
const contentfulTypes = ['application/vnd.contentful.delivery.v1+json', 'application/json']

/** Lists images of a space through the Content Delivery API. */
export function contentful({ outbound, env, limits }: ProviderParts) {
  const {
    CONTENTFUL_SPACE_ID: spaceId,
    CONTENTFUL_DELIVERY_TOKEN: deliveryToken,
    CONTENTFUL_ENVIRONMENT: environment,
    CONTENTFUL_BASE_URL: base,
  } = env
  const { origin } = new URL(base)
  return defineCmsProvider({
    name: 'contentful',
    usual:
      spaceId !== undefined && deliveryToken !== undefined
        ? { spaceId, deliveryToken, environment }
        : undefined,
    settings: v.object({ spaceId: Id, deliveryToken: KeyVariable, environment: v.optional(Id, 'master') }),
    open: ({ spaceId, deliveryToken, environment }) => ({
      origin,
      imageOrigins: ['https://images.ctfassets.net'],
      async list({ query, page, limit, signal }) {
        const parameters = {
          mimetype_group: 'image',
          limit: String(limit),
          skip: String((page - 1) * limit),
          order: '-sys.createdAt',
          ...(query !== '' && { query }),
        }
        const address = new URL(
          `${base}/spaces/${spaceId}/environments/${environment}/assets?${new URLSearchParams(parameters)}`,
        )
        const headers = { authorization: `Bearer ${deliveryToken}` }
        const { value } = await askProvider(outbound, address, {
          ...limits,
          provider: contentfulName,
          shape: ContentfulPage,
          types: contentfulTypes,
          headers,
          allowOrigins: [origin],
          signal,
        })
        const items = value.items.map(({ sys, fields: { title, description, file } }) => {
          const url = file.url.replace(/^\/\//, 'https://')
          return {
            id: sys.id,
            name: title,
            alt: description || title,
            imageUrl: `${url}?w=1600&q=80`,
            thumbUrl: `${url}?w=300&h=200&fit=thumb`,
          }
        })
        return { items, totalPages: Math.ceil(value.total / limit) }
      },
    }),
  })
}

const SanityAsset = v.object({
  _id: v.string(),
  originalFilename: text,
  url: v.string(),
  altText: text,
  title: text,
  description: text,
})
const SanityPage = v.object({ result: listOf(SanityAsset) })
const SanityCount = v.object({ result: v.number() })
const sanityName = {
  name: 'Sanity',
  settings: 'SANITY_PROJECT_ID and SANITY_DATASET, or the cmsMedia of the site',
}

/** Lists images of a public dataset with GROQ. The search text is a parameter, not part of the query. */
export function sanity({ outbound, env, limits }: ProviderParts) {
  const { SANITY_PROJECT_ID: projectId, SANITY_DATASET: dataset, SANITY_BASE_URL: proxy } = env
  return defineCmsProvider({
    name: 'sanity',
    usual: projectId === undefined ? undefined : { projectId, dataset },
    settings: v.object({ projectId: Id, dataset: v.optional(Id, 'production') }),
    open({ projectId, dataset }) {
      const base = proxy ?? `https://${projectId}.api.sanity.io`
      const { origin } = new URL(base)
      const ask = async <const S extends v.GenericSchema>(
        groq: string,
        query: string,
        shape: S,
        signal: AbortSignal,
      ) => {
        const parameters = { query: groq, ...(query !== '' && { $q: JSON.stringify(`*${query}*`) }) }
        const address = new URL(
          `${base}/v2024-01-01/data/query/${dataset}?${new URLSearchParams(parameters)}`,
        )
        return (
          await askProvider(outbound, address, {
            ...limits,
            provider: sanityName,
            shape,
            allowOrigins: proxy === undefined ? [] : [origin],
            signal,
          })
        ).value
      }
      return {
        origin,
        imageOrigins: ['https://cdn.sanity.io'],
        async list({ query, page, limit, signal }) {
          const images = `*[_type == "sanity.imageAsset"${query === '' ? '' : ' && originalFilename match $q'}]`
          const first = (page - 1) * limit
          const fields = '{_id, originalFilename, url, altText, title, description}'
          const [{ result }, { result: total }] = await Promise.all([
            ask(
              `${images} | order(_createdAt desc) [${first}..${first + limit - 1}]${fields}`,
              query,
              SanityPage,
              signal,
            ),
            ask(`count(${images})`, query, SanityCount, signal),
          ])
          const items = result.map(({ _id, originalFilename, url, altText, title, description }) => ({
            id: _id,
            name: originalFilename,
            alt: altText || title || description,
            imageUrl: url,
            thumbUrl: `${url}?w=200&h=200&fit=crop`,
          }))
          return { items, totalPages: Math.ceil(total / limit) }
        },
      }
    },
  })
}

const StrapiFile = v.object({
  id: v.union([v.number(), v.string()]),
  name: text,
  alternativeText: text,
  url: v.string(),
  formats: v.nullish(v.object({ thumbnail: v.nullish(v.object({ url: v.string() })) })),
})
const StrapiFiles = listOf(StrapiFile)
const StrapiPage = v.array(v.unknown())
const strapiName = { name: 'Strapi', settings: 'STRAPI_URL and STRAPI_TOKEN, or the cmsMedia of the site' }

/** Lists images of a Strapi installation. Its address is subject to the guard of outgoing requests. */
export function strapi({ outbound, env, limits }: ProviderParts) {
  const { STRAPI_URL: url, STRAPI_TOKEN: token } = env
  return defineCmsProvider({
    name: 'strapi',
    usual: url === undefined ? undefined : { url, token },
    settings: v.object({ url: AddressVariable, token: v.optional(KeyVariable) }),
    open: ({ url, token }) => ({
      origin: new URL(url).origin,
      async list({ query, page, limit, signal }) {
        const parameters = {
          'filters[mime][$startsWith]': 'image',
          'pagination[page]': String(page),
          'pagination[pageSize]': String(limit),
          sort: 'createdAt:desc',
          ...(query !== '' && { 'filters[name][$containsi]': query }),
        }
        const address = new URL(`${url}/api/upload/files?${new URLSearchParams(parameters)}`)
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
        const {
          value,
          headers: { 'x-total-count': total },
        } = await askProvider(outbound, address, {
          ...limits,
          provider: strapiName,
          shape: StrapiPage,
          headers,
          signal,
        })
        const absolute = (path: string): string => (/^\/(?!\/)/.test(path) ? `${url}${path}` : path)
        // Some versions do not paginate and always return all files.
        const isWhole = value.length > limit
        const files = v.parse(StrapiFiles, isWhole ? value.slice((page - 1) * limit, page * limit) : value)
        const items = files.map(({ id, name, alternativeText, url: path, formats }) => ({
          id: String(id),
          name,
          alt: alternativeText,
          imageUrl: absolute(path),
          thumbUrl: absolute(formats?.thumbnail?.url ?? path),
        }))
        if (isWhole || /^\d{1,12}$/.test(total ?? ''))
          return { items, totalPages: Math.ceil((isWhole ? value.length : Number(total)) / limit) }
        // Without a total, a full page may not be the last one.
        return { items, totalPages: page + (value.length === limit ? 1 : 0) }
      },
    }),
  })
}
