import { dirname, join } from 'node:path'
import { writeContentFile, type ContentShape } from '../files/content-file.ts'
import { inTurn } from '../files/queue.ts'
import { assetProblem, writeAssets } from './assets.ts'
import type { PublishHandler, PublishResult } from './handler.ts'

/** How a JSON file is published to. */
export interface JsonFilePublishOptions {
  /** `array`, the default, holds pages only, so site settings are dropped with a note; `wrapper` keeps them. */
  readonly shape?: ContentShape
  /** Where published files are written; by default `generated-images` beside the content file. */
  readonly assetsDir?: string
}

/**
 * Makes a publish handler that stores pages in a JSON file, which it replaces atomically.
 *
 * Publishes to one file run one after another. Files are written before the pages that refer to them; when one has a name
 * that the service does not generate, the publish is refused and nothing is written.
 */
export function jsonFilePublishHandler(path: string, options: JsonFilePublishOptions = {}): PublishHandler {
  const { shape = 'array', assetsDir = join(dirname(path), 'generated-images') } = options
  return ({ pages, siteConfig, assets = {} }) => inTurn(path, async () => {
    const problem = assetProblem(assets)
    if (problem !== undefined) return failed('asset_refused', problem)
    try {
      await writeAssets(assetsDir, assets)
      const notes = await writeContentFile(path, { content: { pages, siteConfig }, shape })
      return { ok: true, slugs: pages.map(({ slug }) => slug), ...(notes.length > 0 && { notes }) }
    } catch (error) {
      return failed('write_failed', error instanceof Error ? error.message : String(error))
    }
  })
}

const failed = (error: string, reason: string): PublishResult => ({ ok: false, slugs: [], error, reason })
