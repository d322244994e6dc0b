import * as v from 'valibot'
import { KeyVariable } from '../llm/port.ts'
import { askProvider } from '../outbound/port.ts'
import { defineCmsProvider, listOf, text, type ProviderParts } from './provider.ts'
import { Id } from './schemas.ts'

const Asset = v.object({
  sys: v.object({ id: v.string() }),
  fields: v.object({ title: text, description: text, file: v.object({ url: v.string() }) }),
})
const Assets = v.object({ total: v.number(), items: listOf(Asset) })
const provider = { name: 'Contentful', settings: 'CONTENTFUL_SPACE_ID and CONTENTFUL_DELIVERY_TOKEN, or the cmsMedia of the site' }
// The delivery API has a media type of its own.
const types = ['application/vnd.contentful.delivery.v1+json', 'application/json']

/** Images of a space, by the Content Delivery API. */
export function contentful({ outbound, env, limits }: ProviderParts) {
  const { CONTENTFUL_SPACE_ID: spaceId, CONTENTFUL_DELIVERY_TOKEN: deliveryToken, CONTENTFUL_ENVIRONMENT: environment, CONTENTFUL_BASE_URL: base } = env
  const { origin } = new URL(base)
  return defineCmsProvider({
    name: 'contentful',
    usual: spaceId !== undefined && deliveryToken !== undefined ? { spaceId, deliveryToken, environment } : undefined,
    settings: v.object({ spaceId: Id, deliveryToken: KeyVariable, environment: v.optional(Id, 'master') }),
    open: ({ spaceId, deliveryToken, environment }) => ({
      origin,
      async list({ query, page, limit, signal }) {
        const asked = { mimetype_group: 'image', limit: String(limit), skip: String((page - 1) * limit), order: '-sys.createdAt', ...(query !== '' && { query }) }
        const address = new URL(`${base}/spaces/${spaceId}/environments/${environment}/assets?${new URLSearchParams(asked)}`)
        const headers = { authorization: `Bearer ${deliveryToken}` }
        const { value } = await askProvider(outbound, address, { ...limits, provider, shape: Assets, types, headers, allowOrigins: [origin], signal })
        const items = value.items.map(({ sys, fields: { title, description, file } }) => {
          const url = file.url.replace(/^\/\//, 'https://')
          return { id: sys.id, name: title, alt: description || title, imageUrl: `${url}?w=1600&q=80`, thumbUrl: `${url}?w=300&h=200&fit=thumb` }
        })
        return { items, totalPages: Math.ceil(value.total / limit) }
      },
    }),
  })
}
