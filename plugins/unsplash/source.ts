import * as v from 'valibot'
import type { Logger } from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import type { ImageSource } from '../chat/port.ts'
import { draftChanged, type ChangeEvent, type Drafts } from '../draft/port.ts'
import { defineTool, type Tool } from '../tools/port.ts'
import type { Unsplash } from './client.ts'
import { refusals } from './refusals.ts'
import type { Photo } from './schemas.ts'

/** The maximum number of search results to choose from. */
const maxResults = 20

/**
 * Creates the image source for chat: the first photo that the page does not show yet. Used photos are
 * reported to Unsplash; offered ones once they appear in a draft, or at once without `offered`.
 */
export function createSource({
  unsplash,
  offered,
  chosen,
}: {
  readonly unsplash: Unsplash | undefined
  readonly offered: Offered | undefined
  chosen(id: string): void
}): ImageSource {
  return {
    kind: 'stock',
    available: unsplash !== undefined,
    async find({ query, avoid, isOffered, siteId, signal }) {
      const found = await unsplash?.search({ q: query, limit: maxResults, page: 1 }, signal)
      const shown = new Set([...avoid].map(placeOf))
      const photo = found?.items.find(({ imageUrl }) => !shown.has(placeOf(imageUrl)))
      if (!photo) return undefined
      if (isOffered && offered) offered.add(photo, siteId)
      else chosen(photo.id)
      return {
        address: photo.imageUrl,
        alt: photo.alt,
        credit: { name: photo.author, address: photo.authorUrl },
      }
    },
  }
}

type Offered = ReturnType<typeof createOffered>

const maxPhotos = 500

/** Tracks the newest 500 offered photos, and reports those that appear in a changed page as used. */
export function createOffered({
  bus,
  drafts,
  log,
  signal,
  chosen,
}: {
  readonly bus: Pick<Bus, 'subscribe'>
  readonly drafts: Pick<Drafts, 'page'>
  readonly log: Logger
  /** Aborts when the service stops. */
  readonly signal: AbortSignal
  /** Called with the id of a used photo. */
  chosen(id: string): void
}) {
  const offered = new Map<string, { readonly id: string; readonly siteId: string }>()

  async function track({ siteId, session, slugs }: ChangeEvent): Promise<void> {
    if (![...offered.values()].some((photo) => photo.siteId === siteId)) return
    for (const slug of slugs) {
      const stored = await drafts.page({ siteId, session }, slug)
      if (!stored) continue
      const { buffer, byteOffset, byteLength } = stored.bytes
      const page = Buffer.from(buffer, byteOffset, byteLength)
      for (const [address, photo] of offered) {
        if (photo.siteId === siteId && page.includes(address) && offered.delete(address)) chosen(photo.id)
      }
    }
  }
  bus.subscribe(
    draftChanged,
    (event) =>
      void track(event).catch((err: unknown) =>
        log.warn({ err }, 'changed page could not be searched for unsplash photos'),
      ),
    { signal },
  )

  return {
    add({ id, imageUrl }: Photo, siteId: string): void {
      const address = placeOf(imageUrl)
      offered.delete(address)
      const [oldest] = offered.keys()
      if (offered.size >= maxPhotos && oldest !== undefined) offered.delete(oldest)
      offered.set(address, { id, siteId })
    },
  }
}

/** Returns an address without its query, which differs between searches. */
const placeOf = (address: string): string => address.replace(/[?#].*/s, '')

const Item = v.object({
  id: v.string(),
  imageUrl: v.string(),
  thumbUrl: v.string(),
  alt: v.string(),
  author: v.string(),
  sourceUrl: v.string(),
})
const One = v.object({
  imageUrl: v.string(),
  alt: v.string(),
  author: v.string(),
  sourceUrl: v.string(),
  photoId: v.string(),
})

/** The rendering parameters of a photo in a page. */
const shown = { auto: 'format', fit: 'crop', w: '1600', q: '80' }

/** Creates the agent tools that find photos. */
export function createUnsplashTools({
  unsplash,
  chosen,
}: {
  readonly unsplash: Unsplash
  chosen(id: string): void
}): readonly Tool[] {
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
      if (id === undefined || !/^[A-Za-z0-9_-]{6,32}$/.test(id)) throw refusals.invalidId()
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
