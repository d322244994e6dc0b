import * as v from 'valibot'
import { wordsIn } from '../../content/words.ts'
import type { Media, ImageSource } from '../port.ts'
import { defineTool, type Tool } from '../../tools/port.ts'
import { maxImages } from './folders.ts'
import type { Gallery } from './gallery.ts'

const maxWords = 8
/** Shorter words rarely describe an image. */
const shortWord = 3
/** The number of extra letters allowed in a name's word, such as `harbours` for `harbour`. */
const maxSuffix = 2

/** Creates the image source for chat: images in the site's folder whose names match most of the words. */
export function createDriveSource({
  gallery,
  media,
  folderOf,
  available,
}: {
  readonly gallery: Gallery | undefined
  readonly media: Media
  readonly folderOf: (siteId: string) => string | undefined
  readonly available: boolean
}): ImageSource {
  return {
    kind: 'brand',
    available,
    async find({ query, avoid, siteId, folder, signal }) {
      const words = singularsIn(query)
      if (!gallery || words.length === 0 || (folder ?? folderOf(siteId)) === undefined) return undefined
      const { items } = await gallery.list({
        words: significant(words),
        limit: maxImages,
        siteId,
        folderId: folder,
      })
      for (const { id, alt } of matching(items, words)) {
        const isShown = [...avoid].some(
          (address) => address.includes(`/gdrive_${id}.`) || address.endsWith(`/gdrive/images/${id}`),
        )
        const copy = isShown || signal.aborted ? undefined : await gallery.storedName(id)
        if (copy !== undefined) return { address: media.addressOf(`/generated-images/${copy}`), alt }
      }
      return undefined
    },
  }
}

/** Returns the words of a query, without a plural s. */
const singularsIn = (query: string): readonly string[] =>
  wordsIn(query)
    .slice(0, maxWords)
    .map((word) => (word.length > shortWord ? word.replace(/s$/, '') : word))

/** Returns the words that must match: short ones only if there are no others. */
function significant(words: readonly string[]): readonly string[] {
  const long = words.filter((word) => word.length > shortWord)
  return long.length > 0 ? long : words
}

/** Returns images whose names match more than half of the significant words, best match first. */
function matching<T extends { readonly alt: string }>(
  images: readonly T[],
  words: readonly string[],
): readonly T[] {
  const needed = significant(words)
  const rated = images.map((image) => {
    const tokens = wordsIn(image.alt)
    const hits = words.filter((word) =>
      tokens.some((token) => token.startsWith(word) && token.length <= word.length + maxSuffix),
    )
    return {
      image,
      hits: hits.length,
      isMatch: needed.filter((word) => hits.includes(word)).length > needed.length / 2,
    }
  })
  return rated
    .filter(({ isMatch }) => isMatch)
    .toSorted((a, b) => b.hits - a.hits)
    .map(({ image }) => image)
}

const Item = v.object({
  id: v.string(),
  imageUrl: v.string(),
  thumbUrl: v.string(),
  alt: v.string(),
  author: v.string(),
  sourceUrl: v.string(),
})

/** Creates the agent tool that lists images in the folder of a site. */
export function createDriveTool(gallery: Gallery): Tool {
  return defineTool(
    {
      name: 'gdrive.browse',
      description:
        'Finds images of the site in Google Drive by a part of their names; without a query, lists the newest ones.',
      input: v.object({
        query: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200)), ''),
        limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10)), 5),
      }),
      output: v.object({ items: v.array(Item) }),
      timeoutMs: 8_000,
      retryPolicy: { maxAttempts: 2, backoffMs: 200 },
      idempotent: true,
    },
    async ({ query, limit }, { siteId, gdriveFolderId: folderId }) => {
      const { items } = await gallery.list({ words: [query], limit, siteId, folderId })
      return {
        items: items.map(({ id, thumbUrl, alt }) => ({
          id,
          imageUrl: thumbUrl,
          thumbUrl,
          alt,
          author: 'Google Drive',
          sourceUrl: `https://drive.google.com/file/d/${id}/view`,
        })),
      }
    },
  )
}
