import * as v from 'valibot'
import { boundedCount } from '../../../kernel/index.ts'
import { Shortfall } from '../port.ts'
import { AddressVariable, KeyVariable } from '../../models/port.ts'

export const SearchQuery = v.object({
  q: v.pipe(
    v.optional(v.pipe(v.string(), v.examples(['lake'])), ''),
    v.transform((text) => text.toWellFormed().trim().slice(0, 200)),
    v.description('The search text; only the first 200 characters are used.'),
  ),
  limit: boundedCount({ most: 20, otherwise: 8 }, 'The number of photos per page'),
  page: boundedCount({ most: 200, otherwise: 1 }, 'The page'),
})
export type SearchQuery = v.InferOutput<typeof SearchQuery>

/** The photo id at Unsplash. */
export const PhotoId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{6,32}$/))

export const Used = v.object({
  id: v.pipe(v.string(), v.examples(['LBI7cgq3pbM']), v.description('The `id` of a photo from the search.')),
})

export const Photo = v.object({
  id: v.string(),
  /** An Unsplash address, because Unsplash requires that photos are embedded from its servers. */
  imageUrl: v.string(),
  thumbUrl: v.string(),
  alt: v.string(),
  author: v.string(),
  /** To be linked wherever the photo is shown, like `sourceUrl`. */
  authorUrl: v.string(),
  sourceUrl: v.string(),
})
export type Photo = v.InferOutput<typeof Photo>

export const Photos = v.object({ items: v.array(Photo), totalPages: v.number() })
export type Photos = v.InferOutput<typeof Photos>

export const FoundPhotos = v.object({ ...Photos.entries, ...Shortfall.entries })

export const UnsplashVariables = v.object({
  UNSPLASH_ACCESS_KEY: v.pipe(
    v.optional(KeyVariable),
    v.description(
      'The access key of an application at Unsplash, whose photos are then available to editors and chat.',
    ),
  ),
  UNSPLASH_BASE_URL: v.pipe(
    v.optional(AddressVariable, 'https://api.unsplash.com'),
    v.description('The address of the Unsplash API, for a proxy.'),
  ),
})
