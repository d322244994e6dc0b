import * as v from 'valibot'
import { defineTool, type Tool } from '../tools/port.ts'
import type { Gallery } from './gallery.ts'

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
