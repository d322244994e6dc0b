import type { ContentAdapter } from '../../content/adapter.ts'
import { inTurn, readContentFile, writeContentFile } from '../content.ts'

/**
 * Reads a site's content from a JSON file: an array of pages, or an object with `pages` and `siteConfig`.
 *
 * A missing file is an empty site; an invalid file is an Error that names the position. With
 * `writeOnPublish`, a publish replaces the file atomically, in its current shape.
 */
export function jsonFile(path: string, options: { readonly writeOnPublish?: boolean } = {}): ContentAdapter {
  const reader: ContentAdapter = { readContent: async () => (await readContentFile(path)).content }
  if (!options.writeOnPublish) return reader
  return {
    ...reader,
    writeContent: (content) => inTurn(path, async () => {
      const { shape } = await readContentFile(path)
      return { notes: await writeContentFile(path, { content, shape }) }
    }),
  }
}
