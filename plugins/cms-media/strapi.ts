import * as v from 'valibot'
import { AddressVariable, KeyVariable } from '../llm/port.ts'
import { askProvider } from '../outbound/port.ts'
import { defineCmsProvider, listOf, text, type ProviderParts } from './provider.ts'

const File = v.object({
  id: v.union([v.number(), v.string()]),
  name: text,
  alternativeText: text,
  url: v.string(),
  formats: v.nullish(v.object({ thumbnail: v.nullish(v.object({ url: v.string() })) })),
})
const Files = listOf(File)
const Page = v.array(v.unknown())
const provider = { name: 'Strapi', settings: 'STRAPI_URL and STRAPI_TOKEN, or the cmsMedia of the site' }

/** Images of a Strapi installation. Its address is subject to the guard of outgoing requests. */
export function strapi({ outbound, env, limits }: ProviderParts) {
  const { STRAPI_URL: url, STRAPI_TOKEN: token } = env
  return defineCmsProvider({
    name: 'strapi',
    usual: url === undefined ? undefined : { url, token },
    settings: v.object({ url: AddressVariable, token: v.optional(KeyVariable) }),
    open: ({ url, token }) => ({
      origin: new URL(url).origin,
      async list({ query, page, limit, signal }) {
        const asked = {
          'filters[mime][$startsWith]': 'image',
          'pagination[page]': String(page),
          'pagination[pageSize]': String(limit),
          sort: 'createdAt:desc',
          ...(query !== '' && { 'filters[name][$containsi]': query }),
        }
        const address = new URL(`${url}/api/upload/files?${new URLSearchParams(asked)}`)
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
        const { value, headers: { 'x-total-count': total } } = await askProvider(outbound, address, { ...limits, provider, shape: Page, headers, signal })
        const whole = (path: string): string => (/^\/(?!\/)/.test(path) ? `${url}${path}` : path)
        // Some versions do not paginate and always return everything.
        const isWhole = value.length > limit
        const files = v.parse(Files, isWhole ? value.slice((page - 1) * limit, page * limit) : value)
        const items = files.map(({ id, name, alternativeText, url: path, formats }) => ({
          id: String(id),
          name,
          alt: alternativeText,
          imageUrl: whole(path),
          thumbUrl: whole(formats?.thumbnail?.url ?? path),
        }))
        if (isWhole || /^\d{1,12}$/.test(total ?? '')) return { items, totalPages: Math.ceil((isWhole ? value.length : Number(total)) / limit) }
        // Without a total, a full page may be followed by another one.
        return { items, totalPages: page + (value.length === limit ? 1 : 0) }
      },
    }),
  })
}
