import type { Logger } from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import type { ImageSource } from '../chat/port.ts'
import { draftChanged, type ChangeEvent, type Drafts } from '../draft/port.ts'
import type { Unsplash } from './client.ts'
import type { Photo } from './schemas.ts'

/** The number of search results to choose from. */
const maxResults = 20

/**
 * Creates the image source for chat: the first photo that the page does not show yet. Photos that are used are reported to Unsplash,
 * offered ones once they appear in a draft; without `offered`, an offered photo counts as used.
 */
export function createSource({ unsplash, offered, chosen }: { readonly unsplash: Unsplash | undefined; readonly offered: Offered | undefined; chosen(id: string): void }): ImageSource {
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
      return { address: photo.imageUrl, alt: photo.alt, credit: { name: photo.author, address: photo.authorUrl } }
    },
  }
}

interface OfferedOptions {
  readonly bus: Pick<Bus, 'subscribe'>
  readonly drafts: Pick<Drafts, 'page'>
  readonly log: Logger
  /** Aborts when the service stops. */
  readonly signal: AbortSignal
  /** Called with the id of a photo that is used. */
  chosen(id: string): void
}

type Offered = ReturnType<typeof createOffered>

const maxPhotos = 500

/** Tracks offered photos and reports those that appear in a changed page as used. It remembers the newest 500, in memory. */
export function createOffered({ bus, drafts, log, signal, chosen }: OfferedOptions) {
  const offered = new Map<string, { readonly id: string; readonly siteId: string }>()

  async function look({ siteId, session, slugs }: ChangeEvent): Promise<void> {
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
  bus.subscribe(draftChanged, (event) => void look(event).catch((err: unknown) => log.warn({ err }, 'changed page could not be searched for unsplash photos')), { signal })

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

/** An address without its query, which differs between searches. */
const placeOf = (address: string): string => address.replace(/[?#].*/s, '')
