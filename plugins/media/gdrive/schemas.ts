import * as v from 'valibot'
import { SiteId } from '../../scope/port.ts'

export const ImagesQuery = v.object({
  q: v.pipe(v.optional(v.pipe(v.string(), v.trim()), ''), v.description('A part of the image names.')),
  limit: v.pipe(
    v.optional(v.string(), '20'),
    v.transform(toLimit),
    v.description('The number of images, from 1 to 50.'),
  ),
  folderId: v.pipe(
    v.optional(v.string()),
    v.description('The id or address of a folder; by default the folder of the site.'),
  ),
  siteId: SiteId,
  refresh: v.pipe(v.optional(v.string()), v.description('`1` bypasses the cache.')),
})

function toLimit(text: string): number {
  const number = Number(text.trim() || 'none')
  return Number.isNaN(number) ? 20 : Math.trunc(Math.min(50, Math.max(1, number)))
}

const Image = v.object({
  id: v.string(),
  name: v.string(),
  thumbUrl: v.string(),
  mimeType: v.string(),
  /** A suggested alt text, derived from the name. */
  alt: v.string(),
  /** The size in pixels, as reported by Drive. */
  width: v.optional(v.number()),
  height: v.optional(v.number()),
})

export const Images = v.object({
  items: v.array(Image),
  /** True if the list may be incomplete, for the given `reason`. */
  degraded: v.optional(v.boolean()),
  reason: v.optional(v.string()),
})

export const FileParams = v.object({ fileId: v.string() })

export const ImportBody = v.object({
  fileId: v.string(),
  folderId: v.pipe(
    v.optional(v.string()),
    v.description('The id or address of a folder that the image must be in or below.'),
  ),
})

export const Imported = v.object({
  url: v.string(),
  fileName: v.string(),
  bytes: v.number(),
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  alt: v.string(),
})
