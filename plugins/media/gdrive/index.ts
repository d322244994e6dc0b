import { buffer } from 'node:stream/consumers'
import * as v from 'valibot'
import { clock, countOption, definePlugin } from '../../../kernel/index.ts'
import { imageSources, media } from '../port.ts'
import { outbound } from '../../outbound/port.ts'
import { driveCopies } from '../../publish/port.ts'
import { scope } from '../../scope/port.ts'
import { features } from '../../health/status/port.ts'
import { tools } from '../../tools/port.ts'
import { createDrive } from './drive.ts'
import { createGallery } from './gallery.ts'
import { driveImages, type DriveImages } from './port.ts'
import { refusals } from './refusals.ts'
import { routes } from './routes.ts'
import { DriveVariables, Folder } from './settings.ts'
import { createDriveSource, createDriveTool } from './source.ts'

/** Images of Google Drive folders, and their copies. Needs a service account or an API key. */
export default definePlugin({
  name: 'media-gdrive',
  tag: 'Media',
  options: v.object({
    /** Folders by site id. */
    folders: v.optional(v.record(v.string(), Folder), {}),
    listingMs: countOption(20_000),
    copyMs: countOption(20_000),
  }),
  env: DriveVariables,
  needs: { clock, outbound, media, scope },
  gives: { features, source: imageSources, tool: tools, images: driveImages, copies: driveCopies },
  routes,
}).setup(({ needs: { clock, outbound, media, scope }, options, env, log, signal }) => {
  const drive = createDrive({ env, outbound, clock, signal })
  const defaultFolder = env.GOOGLE_DRIVE_FOLDER_ID
  const ofSites = new Map(Object.entries(options.folders).map(([id, folder]) => [scope.siteId(id), folder]))
  const folderOf = (siteId: string): string | undefined => ofSites.get(siteId) ?? defaultFolder
  const configured = [...(defaultFolder === undefined ? [] : [defaultFolder]), ...ofSites.values()]
  const allowed =
    env.GOOGLE_SERVICE_ACCOUNT_KEY_JSON && new Set([...configured, ...env.GOOGLE_DRIVE_ALLOWED_FOLDERS])
  const gallery = drive && createGallery({ drive, media, allowed, folderOf, clock, log, signal, ...options })
  const opened = () => {
    if (!gallery) throw refusals.notConfigured()
    return gallery
  }
  const images: DriveImages | undefined = gallery && {
    list: (siteId, { query, ...request }) => gallery.list({ ...request, words: [query], siteId }),
    async read(fileId) {
      const { type, bytes } = await gallery.open(fileId)
      return { type, bytes: await buffer(bytes) }
    },
  }
  const available = gallery !== undefined && configured.length > 0

  return {
    gives: {
      features: { googleDrive: available },
      source: createDriveSource({ gallery, media, folderOf, available }),
      tool: gallery && available ? createDriveTool(gallery) : undefined,
      images,
      copies: gallery && ((fileId) => gallery.storedName(fileId)),
    },
    handlers: {
      async list({ query: { siteId, q, ...query } }) {
        return {
          status: 200,
          body: await opened().list({ ...query, words: [q], siteId: scope.siteId(siteId) }),
        }
      },
      async image({ params: { fileId } }) {
        const { type, size, changed, bytes } = await opened().open(fileId)
        const headers = {
          'content-type': type,
          'content-length': String(size),
          etag: `"${size.toString(36)}-${Math.floor(changed).toString(36)}"`,
          // Private, because a shared cache would serve it to others.
          'cache-control': 'private, max-age=31536000, immutable',
          'content-security-policy': 'sandbox',
          'cross-origin-resource-policy': 'cross-origin',
        }
        return { status: 200, headers, body: bytes }
      },
      import: async ({ body: { fileId, folderId } }) => ({
        status: 200,
        body: await opened().bring(fileId, folderId),
      }),
    },
  }
})
