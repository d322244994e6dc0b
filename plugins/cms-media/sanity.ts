import * as v from 'valibot'
import { askProvider } from '../outbound/port.ts'
import { defineCmsProvider, listOf, text, type ProviderParts } from './provider.ts'
import { Id } from './schemas.ts'

const Asset = v.object({ _id: v.string(), originalFilename: text, url: v.string(), altText: text, title: text, description: text })
const Assets = v.object({ result: listOf(Asset) })
const Count = v.object({ result: v.number() })
const provider = { name: 'Sanity', settings: 'SANITY_PROJECT_ID and SANITY_DATASET, or the cmsMedia of the site' }

/** Images of a public dataset, by GROQ. The search text is a parameter of the query, never a part of it. */
export function sanity({ outbound, env, limits }: ProviderParts) {
  const { SANITY_PROJECT_ID: projectId, SANITY_DATASET: dataset, SANITY_BASE_URL: proxy } = env
  return defineCmsProvider({
    name: 'sanity',
    usual: projectId === undefined ? undefined : { projectId, dataset },
    settings: v.object({ projectId: Id, dataset: v.optional(Id, 'production') }),
    open({ projectId, dataset }) {
      const base = proxy ?? `https://${projectId}.api.sanity.io`
      const { origin } = new URL(base)
      const ask = async <const S extends v.GenericSchema>(groq: string, query: string, shape: S, signal: AbortSignal) => {
        const asked = { query: groq, ...(query !== '' && { $q: JSON.stringify(`*${query}*`) }) }
        const address = new URL(`${base}/v2024-01-01/data/query/${dataset}?${new URLSearchParams(asked)}`)
        return (await askProvider(outbound, address, { ...limits, provider, shape, allowOrigins: proxy === undefined ? [] : [origin], signal })).value
      }
      return {
        origin,
        async list({ query, page, limit, signal }) {
          const images = `*[_type == "sanity.imageAsset"${query === '' ? '' : ' && originalFilename match $q'}]`
          const first = (page - 1) * limit
          const fields = '{_id, originalFilename, url, altText, title, description}'
          const [{ result }, { result: total }] = await Promise.all([
            ask(`${images} | order(_createdAt desc) [${first}..${first + limit - 1}]${fields}`, query, Assets, signal),
            ask(`count(${images})`, query, Count, signal),
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
