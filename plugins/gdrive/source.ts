import { Refusal } from '../../kernel/index.ts'
import type { ImageSource } from '../chat/port.ts'
import type { Media } from '../media/port.ts'
import type { Gallery } from './gallery.ts'
import { mostImages } from './listing.ts'

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
      const words = wordsIn(query)
      const found = words.length === 0 ? undefined : await gallery?.list({ words, limit: mostImages, folderId: folder, usual: folderOf(siteId) })
      for (const { id, alt } of fitting(found?.items ?? [], words)) {
        const isShown = [...avoid].some((address) => address.includes(`/gdrive_${id}.`) || address.endsWith(`/gdrive/images/${id}`))
        const copy = isShown || signal.aborted ? undefined : await gallery?.open(id).catch(unlessNotFound)
        if (copy) return { address: media.addressOf(`/generated-images/${copy.key}`), alt }
      }
      return undefined
    },
  }
}

/** The words that say what is wanted, in the singular as far as an s makes the plural. */
function wordsIn(query: string): readonly string[] {
  const all = tokensOf(query)
  const long = all.filter((word) => word.length > shortWord).map((word) => word.replace(/s$/, ''))
  return (long.length > 0 ? long : all).slice(0, mostWords)
}

const tokensOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Images whose names have more than half of the words, those with the most first. */
function fitting<T extends { readonly alt: string }>(images: readonly T[], words: readonly string[]): readonly T[] {
  const rated = images.map((image) => {
    const tokens = tokensOf(image.alt)
    return { image, hits: words.filter((word) => tokens.some((token) => token.startsWith(word) && token.length <= word.length + longestEnding)).length }
  })
  return rated.filter(({ hits }) => hits > words.length / 2).toSorted((a, b) => b.hits - a.hits).map(({ image }) => image)
}

/** An image that cannot be shown is left out; any other failure ends the search. */
function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.status !== 404) throw error
  return undefined
}
