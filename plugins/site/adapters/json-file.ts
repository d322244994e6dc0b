import type { ContentAdapter } from '../../content/adapter.ts'
import { inTurn, readContentFile, writeContentFile } from '../content.ts'

const remedy =
  'Start the site in its folder, or create the file: with [] for a site without pages, or with ' +
  'npx content-orchestrator init for a first one.'

/**
 * Reads a site's content from a JSON file: an array of pages, or an object with `pages`, `siteConfig` and `redirects`; of
 * an array, the redirects are in `redirects.json` beside it.
 *
 * A missing file is an Error, because an empty site in its place would look like deleted pages; an invalid
 * file is an Error that names the position. With `writeOnPublish`, a publish replaces the file atomically, in
 * its current form: what did not change keeps its bytes.
 */
export function jsonFile(path: string, options: { readonly writeOnPublish?: boolean } = {}): ContentAdapter {
  const reader: ContentAdapter = {
    async readContent() {
      const { content, isMissing } = await readContentFile(path)
      if (isMissing) throw new Error(`The content file ${path} does not exist. ${remedy}`)
      return content
    },
  }
  if (!options.writeOnPublish) return reader
  return {
    ...reader,
    writeContent: (content) =>
      inTurn(path, async () => {
        // A file that cannot be read is not replaced.
        await readContentFile(path)
        return { notes: await writeContentFile(path, { content }) }
      }),
  }
}
