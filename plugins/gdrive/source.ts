import * as v from 'valibot'
import type { ImageSource } from '../chat/port.ts'
import type { Media } from '../media/port.ts'
import { defineTool, type Tool } from '../tools/port.ts'
import { mostImages } from './folders.ts'
import type { Gallery } from './gallery.ts'

export interface DriveSourceParts {
  /** `undefined` without a key. */
  readonly gallery: Gallery | undefined
  readonly media: Media
  /** The folder of a site. */
  readonly folderOf: (siteId: string) => string | undefined
  readonly available: boolean
}

const mostWords = 8
/** Words of more letters say what an image shows. */
const shortWord = 3
/** Letters by which a word in a name may be longer: `harbours` for a harbour. */
const longestEnding = 2

/** Makes the source from which chat gets images of the site: those in its folder whose names have most of the words. */
export function createDriveSource({ gallery, media, folderOf, available }: DriveSourceParts): ImageSource {
  return {
    kind: 'brand',
    available,
    async find({ query, avoid, siteId, folder, signal }) {
      const [words, usual] = [wordsIn(query), folderOf(siteId)]
      if (!gallery || words.length === 0 || (folder ?? usual) === undefined) return undefined
      const { items } = await gallery.list({ words: telling(words), limit: mostImages, folderId: folder, usual })
      for (const { id, alt } of fitting(items, words)) {
        const isShown = [...avoid].some((address) => address.includes(`/gdrive_${id}.`) || address.endsWith(`/gdrive/images/${id}`))
        const copy = isShown || signal.aborted ? undefined : await gallery.storedName(id)
        if (copy !== undefined) return { address: media.addressOf(`/generated-images/${copy}`), alt }
      }
      return undefined
    },
  }
}

const tokensOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** The words of a query, in the singular as far as an s makes the plural. */
const wordsIn = (query: string): readonly string[] => tokensOf(query).slice(0, mostWords).map((word) => (word.length > shortWord ? word.replace(/s$/, '') : word))

/** The words that an image has to have the most of: short ones count only where there are no others. */
function telling(words: readonly string[]): readonly string[] {
  const long = words.filter((word) => word.length > shortWord)
  return long.length > 0 ? long : words
}

/** Images whose names have more than half of the words that tell something, those with the most words first. */
function fitting<T extends { readonly alt: string }>(images: readonly T[], words: readonly string[]): readonly T[] {
  const needed = telling(words)
  const rated = images.map((image) => {
    const tokens = tokensOf(image.alt)
    const hits = words.filter((word) => tokens.some((token) => token.startsWith(word) && token.length <= word.length + longestEnding))
    return { image, hits: hits.length, isFit: needed.filter((word) => hits.includes(word)).length > needed.length / 2 }
  })
  return rated.filter(({ isFit }) => isFit).toSorted((a, b) => b.hits - a.hits).map(({ image }) => image)
}

const Item = v.object({ id: v.string(), imageUrl: v.string(), thumbUrl: v.string(), alt: v.string(), author: v.string(), sourceUrl: v.string() })

/** The tool with which agents look through the folder of a site. */
export function createDriveTool({ gallery, folderOf }: { readonly gallery: Gallery; folderOf(siteId: string): string | undefined }): Tool {
  return defineTool({
    name: 'gdrive.browse',
    description: 'Finds images of the site in Google Drive by a part of their names; without a query the newest ones.',
    input: v.object({
      query: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200)), ''),
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10)), 5),
    }),
    output: v.object({ items: v.array(Item) }),
    timeoutMs: 8_000,
    retryPolicy: { maxAttempts: 2, backoffMs: 200 },
    idempotent: true,
  }, async ({ query, limit }, { siteId, gdriveFolderId }) => {
    const { items } = await gallery.list({ words: [query], limit, usual: gdriveFolderId ?? folderOf(siteId) })
    return { items: items.map(({ id, thumbUrl, alt }) => ({ id, imageUrl: thumbUrl, thumbUrl, alt, author: 'Google Drive', sourceUrl: `https://drive.google.com/file/d/${id}/view` })) }
  })
}
