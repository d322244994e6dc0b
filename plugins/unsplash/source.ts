import type { ImageSource } from '../chat/port.ts'
import type { Unsplash } from './client.ts'
import { placeOf, type Offered } from './offered.ts'

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
