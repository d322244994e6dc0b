import * as v from 'valibot'
import { SiteId } from '../scope/port.ts'

export const ImagesQuery = v.object({
  q: v.pipe(v.optional(v.pipe(v.string(), v.trim()), ''), v.description('A part of the names of the images.')),
  limit: v.pipe(v.optional(v.string(), '20'), v.transform(toLimit), v.description('How many images, from 1 to 50.')),
  folderId: v.pipe(v.optional(v.string()), v.description('The id of a folder or its address; the folder of the site without it.')),
  siteId: SiteId,
  refresh: v.pipe(v.optional(v.string()), v.description('`1` asks Drive anew.')),
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
  /** A draft of a description, made of the name. */
  alt: v.string(),
  /** In pixels, as Drive tells them. */
  width: v.optional(v.number()),
  height: v.optional(v.number()),
})

export const Images = v.object({
  items: v.array(Image),
  /** There may be more, for the reason given. */
  degraded: v.optional(v.boolean()),
  reason: v.optional(v.string()),
})

export const FileParams = v.object({ fileId: v.string() })

export const ImportBody = v.object({
  fileId: v.string(),
  folderId: v.pipe(v.optional(v.string()), v.description('The id of a folder or its address: the image has to lie in it, or below it.')),
})

export const Imported = v.object({
  /** Where browsers get the copy. */
  url: v.string(),
  fileName: v.string(),
  bytes: v.number(),
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  alt: v.string(),
})
