import type { Logger } from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import type { ImageSource } from '../chat/port.ts'
import { draftChanged, type ChangeEvent, type Drafts } from '../draft/port.ts'
import type { Unsplash } from './client.ts'
import type { Photo } from './schemas.ts'

export interface SourceParts {
  /** `undefined` without a key. */
  readonly unsplash: Unsplash | undefined
  /** `undefined` where nothing is known of drafts: a photo that is shown counts as chosen there. */
  readonly offered: Offered | undefined
  /** Reports a photo as chosen, without a wait. */
  chosen(id: string): void
}

/** Photos of one search, of which the first that the page does not show is taken. */
const mostLookedAt = 20

/** Makes the source from which chat gets photos of Unsplash. Each one that is taken is reported to Unsplash; of those that are offered, each one that is chosen. */
export function createSource({ unsplash, offered, chosen }: SourceParts): ImageSource {
  return {
    kind: 'stock',
    available: unsplash !== undefined,
    async find({ query, avoid, isOffered, siteId, signal }) {
      const found = await unsplash?.search({ q: query, limit: mostLookedAt, page: 1 }, signal)
      const shown = new Set([...avoid].map(placeOf))
      const photo = found?.items.find(({ imageUrl }) => !shown.has(placeOf(imageUrl)))
      if (!photo) return undefined
      if (isOffered && offered) offered.add(photo, siteId)
      else chosen(photo.id)
      return { address: photo.imageUrl, alt: photo.alt, credit: { name: photo.author, address: photo.authorUrl } }
    },
  }
}

export interface OfferedParts {
  readonly bus: Pick<Bus, 'subscribe'>
  readonly drafts: Pick<Drafts, 'page'>
  readonly log: Logger
  /** Aborts when the service stops. */
  readonly signal: AbortSignal
  /** Called with the id of a photo once it is chosen. */
  chosen(id: string): void
}

/** Photos that people were shown and have not chosen. */
export interface Offered {
  add(photo: Photo, siteId: string): void
}

const mostPhotos = 500

/** Looks for photos that were shown in the pages that change: there they were chosen. It remembers the newest 500, in this process alone. */
export function createOffered({ bus, drafts, log, signal, chosen }: OfferedParts): Offered {
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
  bus.subscribe(draftChanged, (event) => void look(event).catch((err: unknown) => log.warn({ err }, 'a changed page was not searched for photos of unsplash')), { signal })

  return {
    add({ id, imageUrl }, siteId) {
      const address = placeOf(imageUrl)
      offered.delete(address)
      const [oldest] = offered.keys()
      if (offered.size >= mostPhotos && oldest !== undefined) offered.delete(oldest)
      offered.set(address, { id, siteId })
    },
  }
}

/** An address without its query, which is another one in every search. */
export const placeOf = (address: string): string => address.replace(/[?#].*/s, '')
