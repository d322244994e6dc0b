import * as v from 'valibot'
import { Refusal } from '../../../kernel/index.ts'
import { defineLoopTool, type LoopTool } from '../../agent/port.ts'
import type { DriveImage, DriveImages } from '../../gdrive/port.ts'
import { writeImage } from '../pages/images.ts'
import { told, type SiteParts, type SiteRun } from '../site-run.ts'

/** Bringing images of the folder of a site in Google Drive. */
export function driveTool(run: SiteRun, { scope }: Pick<SiteParts, 'scope'>, drive: DriveImages): LoopTool {
  return defineLoopTool(
    {
      name: 'browse_gdrive_images',
      description: 'Finds images of a site in Google Drive by a part of their names, copies them into the site, and lists them with their addresses there.',
      input: v.object({
        siteId: v.string(),
        folderId: v.optional(v.pipe(v.string(), v.maxLength(300))),
        query: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200)), ''),
        limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(15)), 10),
      }),
    },
    async ({ siteId, ...request }, { signal }) => {
      const folder = await run.sites.folder(siteId)
      const { items, reason } = await drive.list(scope.siteId(siteId), request)
      const images = []
      for (const { id, name, alt, width, height } of items) {
        signal.throwIfAborted()
        images.push({ name, alt, width, height, ...(await copy(folder, id)) })
      }
      run.outcome('images', `${images.filter(({ localUrl }) => localUrl !== undefined).length} of ${images.length}`)
      return told({ images, ...(reason !== undefined && { reason }) })
    },
  )

  async function copy(folder: string, id: DriveImage['id']): Promise<{ readonly localUrl?: string; readonly reason?: string }> {
    try {
      return { localUrl: await writeImage(folder, await drive.read(id)) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { reason: error.reason }
    }
  }
}
