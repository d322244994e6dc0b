import type { Logger } from '../../kernel/index.ts'
import type { ImageSource } from '../chat/port.ts'
import type { Unsplash } from './client.ts'

export interface SourceParts {
  /** `undefined` without a key. */
  readonly unsplash: Unsplash | undefined
  readonly log: Logger
  /** Aborts when the service stops. */
  readonly signal: AbortSignal
}

/** Photos of one search, of which the first that the page does not show is taken. */
const mostLookedAt = 20

/** Makes the source from which chat gets photos of Unsplash. Each one that is taken is reported to Unsplash, without a wait. */
export function createSource({ unsplash, log, signal: stopping }: SourceParts): ImageSource {
  return {
    kind: 'stock',
    available: unsplash !== undefined,
    async find({ query, avoid, signal }) {
      const found = await unsplash?.search({ q: query, limit: mostLookedAt, page: 1 }, signal)
      const shown = new Set([...avoid].map(placeOf))
      const photo = found?.items.find(({ imageUrl }) => !shown.has(placeOf(imageUrl)))
      if (!photo) return undefined
      unsplash?.use(photo.id, stopping).catch((err: unknown) => log.warn({ err }, 'the use of a photo was not reported to unsplash'))
      return { address: photo.imageUrl, alt: photo.alt, credit: { name: photo.author, address: photo.authorUrl } }
    },
  }
}

/** An address without its query, which is another one in every search. */
const placeOf = (address: string): string => address.replace(/[?#].*/s, '')
