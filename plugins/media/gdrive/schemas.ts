import * as v from 'valibot'
import { boundedCount } from '../../../kernel/index.ts'
import { Shortfall } from '../port.ts'
import { SiteId } from '../../scope/port.ts'

export const ImagesQuery = v.object({
  q: v.pipe(v.optional(v.pipe(v.string(), v.trim()), ''), v.description('A part of the image names.')),
  limit: boundedCount({ most: 50, otherwise: 20 }, 'The number of images'),
  folderId: v.pipe(
    v.optional(v.string()),
    v.description('The id or address of a folder; by default the folder of the site.'),
  ),
  siteId: SiteId,
  refresh: v.pipe(v.optional(v.string()), v.description('`1` bypasses the cache.')),
})

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

export const Images = v.object({ items: v.array(Image), ...Shortfall.entries })

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
