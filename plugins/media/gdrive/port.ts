import { service } from '../../../kernel/index.ts'

/** An image in Drive. */
export interface DriveImage {
  readonly id: string
  readonly name: string
  /** A suggested alt text, derived from the name. */
  readonly alt: string
  /** The size in pixels. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** Images of Google Drive, for plugins that import them into a site. */
export interface DriveImages {
  /**
   * Lists images by a part of their names, by default in the folder of the site. `reason`: the list may be
   * incomplete. Refuses with 400 `invalid_folder`, 403 `folder_not_allowed` and 404 `gdrive_not_configured`.
   */
  list(
    siteId: string,
    request: { readonly query: string; readonly limit: number; readonly folderId?: string | undefined },
  ): Promise<{ readonly items: readonly DriveImage[]; readonly reason?: string | undefined }>
  /** Reads the stored copy of an image. Refuses like `GET /gdrive/images/:fileId`. */
  read(fileId: string): Promise<{ readonly type: string; readonly bytes: Uint8Array }>
}

/** Images of Google Drive; `undefined` without credentials. */
export const driveImages = service<DriveImages | undefined>('gdrive.images')
