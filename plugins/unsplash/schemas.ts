import * as v from 'valibot'
import { boundedCount } from '../../kernel/index.ts'
import { AddressVariable, KeyVariable } from '../llm/port.ts'

export const SearchQuery = v.object({
  q: v.pipe(
    v.optional(v.pipe(v.string(), v.examples(['lake'])), ''),
    v.transform((text) => text.toWellFormed().trim().slice(0, 200)),
    v.description('What the photos should show; the first 200 characters count.'),
  ),
  limit: boundedCount({ most: 20, otherwise: 8 }, 'How many photos a page has'),
  page: boundedCount({ most: 200, otherwise: 1 }, 'The page'),
})
export type SearchQuery = v.InferOutput<typeof SearchQuery>

/** The id that Unsplash gives a photo. */
export const PhotoId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{6,32}$/))

export const Used = v.object({ id: v.pipe(v.string(), v.examples(['LBI7cgq3pbM']), v.description('The `id` of a photo that was found.')) })

export const Photo = v.object({
  id: v.string(),
  /** At Unsplash, whose terms require that photos are shown from there. */
  imageUrl: v.string(),
  thumbUrl: v.string(),
  alt: v.string(),
  author: v.string(),
  /** These two are to be linked where the photo is shown. */
  authorUrl: v.string(),
  sourceUrl: v.string(),
})
export type Photo = v.InferOutput<typeof Photo>

export const Photos = v.object({ items: v.array(Photo), totalPages: v.number() })
export type Photos = v.InferOutput<typeof Photos>

export const FoundPhotos = v.object({
  ...Photos.entries,
  degraded: v.pipe(v.optional(v.literal(true)), v.description('Unsplash gave no usable answer.')),
  reason: v.pipe(v.optional(v.string()), v.description('Why, as a sentence.')),
})

export const UnsplashVariables = v.object({
  UNSPLASH_ACCESS_KEY: v.pipe(
    v.optional(KeyVariable),
    v.description('The access key of an application at Unsplash: photos can be searched, and chat finds them.'),
  ),
  UNSPLASH_BASE_URL: v.pipe(
    v.optional(AddressVariable, 'https://api.unsplash.com'),
    v.description('Where Unsplash is asked, for proxies of your own.'),
  ),
})
