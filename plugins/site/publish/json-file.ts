import { dirname, join } from 'node:path'
import { readContentFile, writeContentFile, type ContentShape } from '../content.ts'
import type { PublishHandler } from '../port.ts'
import { storingHandler } from './storing.ts'

/** Options for publishing to a JSON file. */
export interface JsonFilePublishOptions {
  /** `array`, the default, has only pages: site settings are dropped with a note. `wrapper` keeps them. */
  readonly shape?: ContentShape
  /** The folder for published files; by default `generated-images` next to the content file. */
  readonly assetsDir?: string
}

/**
 * Creates a publish handler that stores pages in a JSON file, which it replaces atomically, in the form of
 * the file.
 *
 * Publishes to one file run one at a time. Files are written before the pages that refer to them. If a file
 * has a name that the service does not generate, the publish is refused and nothing is written.
 */
export function jsonFilePublishHandler(path: string, options: JsonFilePublishOptions = {}): PublishHandler {
  const { shape = 'array', assetsDir = join(dirname(path), 'generated-images') } = options
  return storingHandler({
    source: path,
    assetsDir,
    read: async () => (await readContentFile(path)).content,
    store: ({ pages, siteConfig, redirects }) =>
      writeContentFile(path, { content: { pages, siteConfig, redirects }, shape }),
  })
}
