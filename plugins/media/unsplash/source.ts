import * as v from 'valibot'
import type { ImageSource } from '../port.ts'
import { defineTool, type Tool } from '../../tools/port.ts'
import type { Unsplash } from './client.ts'
import { refusals } from './refusals.ts'
import { Photo, PhotoId } from './schemas.ts'

/** The maximum number of search results to choose from. */
const maxResults = 20

interface PhotoParts {
  readonly unsplash: Unsplash
  /** Reports a photo as used. */
  chosen(id: string): void
}

/** Creates the image source for chat: the first photo that the page does not show yet, reported to Unsplash. */
export const createSource = (parts: PhotoParts | undefined): ImageSource => ({
  kind: 'stock',
  available: parts !== undefined,
  async find({ query, avoid, signal }) {
    const found = await parts?.unsplash.search({ q: query, limit: maxResults, page: 1 }, signal)
    const shown = new Set([...avoid].map(withoutQuery))
    const photo = found?.items.find(({ imageUrl }) => !shown.has(withoutQuery(imageUrl)))
    if (!photo) return undefined
    parts?.chosen(photo.id)
    const { imageUrl: address, alt, author: name, authorUrl } = photo
    return { address, alt, credit: { name, address: authorUrl } }
  },
})

/** Returns an address without its query, which differs between searches. */
const withoutQuery = (address: string): string => address.replace(/[?#].*/s, '')

const Item = v.omit(Photo, ['authorUrl'])
const One = v.object({ ...v.omit(Item, ['id', 'thumbUrl']).entries, photoId: v.string() })

/** The rendering parameters of a photo in a page. */
const shown = { auto: 'format', fit: 'crop', w: '1600', q: '80' }

/** Creates the agent tools that find photos. */
export function createUnsplashTools({ unsplash, chosen }: PhotoParts): readonly Tool[] {
  const search = defineTool(
    {
      name: 'unsplash.search',
      description: 'Searches Unsplash for photos. Use their addresses unchanged, and their alt texts.',
      input: v.object({
        query: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200)),
        limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)), 3),
      }),
      output: v.object({ items: v.array(Item) }),
      timeoutMs: 6_000,
      retryPolicy: { maxAttempts: 2, backoffMs: 150 },
      idempotent: true,
    },
    async ({ query, limit }, { signal }) => ({
      items: [...(await unsplash.search({ q: query, limit, page: 1 }, signal)).items],
    }),
  )
  const getById = defineTool(
    {
      name: 'unsplash.get_by_id',
      description: 'Gets one photo of Unsplash by its id, or by the address of its page.',
      input: v.object({
        url: v.optional(v.pipe(v.string(), v.maxLength(2_048))),
        photoId: v.optional(v.pipe(v.string(), v.maxLength(200))),
      }),
      output: One,
      timeoutMs: 6_000,
      retryPolicy: { maxAttempts: 2, backoffMs: 200 },
      idempotent: true,
    },
    async ({ url, photoId }, { signal }) => {
      const id = photoId ?? (url === undefined ? undefined : photoIdIn(url))
      if (!v.is(PhotoId, id)) throw refusals.invalidId()
      const photo = await unsplash.photo(id, signal)
      chosen(id)
      return toOne(photo)
    },
  )
  return [search, getById]
}

function toOne({ id, imageUrl, alt, author, sourceUrl }: Photo): v.InferOutput<typeof One> {
  const address = new URL(imageUrl)
  for (const [name, value] of Object.entries(shown)) address.searchParams.set(name, value)
  return { imageUrl: address.href, alt, author, sourceUrl, photoId: id }
}

/** Returns the id at the end of a photo page's address; an id has eleven characters, including hyphens. */
export function photoIdIn(address: string): string | undefined {
  const url = URL.parse(address)
  if (!url || !/(?:^|\.)unsplash\.com$/.test(url.hostname)) return undefined
  const segments = url.pathname.split('/')
  const slug = segments[segments.indexOf('photos') + 1]
  if (!segments.includes('photos') || !slug) return undefined
  const last = slug.slice(-11)
  if (/^[A-Za-z0-9_-]{11}$/.test(last) && (slug.length === 11 || slug.at(-12) === '-')) return last
  const behind = slug.slice(slug.lastIndexOf('-') + 1)
  return behind.length >= 6 ? behind : undefined
}
