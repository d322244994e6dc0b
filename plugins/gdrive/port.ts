import { service } from '../../kernel/index.ts'

/** An image in Drive. */
export interface DriveImage {
  readonly id: string
  readonly name: string
  /** A suggested alt text, derived from the name. */
  readonly alt: string
  /** In pixels. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** Images of Google Drive, for plugins that import them into a site. */
export interface DriveImages {
  /**
   * Lists images by a part of their names, in the folder of the site unless another one is given. `reason` says why the list may be incomplete.
   * Refuses with 400 `invalid_folder`, 403 `folder_not_allowed` and 404 `gdrive_not_configured`.
   */
  list(siteId: string, request: { readonly query: string; readonly limit: number; readonly folderId?: string | undefined }): Promise<{ readonly items: readonly DriveImage[]; readonly reason?: string | undefined }>
  /** The stored copy of an image. Refuses like `GET /gdrive/images/:fileId`. */
  read(fileId: string): Promise<{ readonly type: string; readonly bytes: Uint8Array }>
}

/** Images of Google Drive; `undefined` without credentials for it. */
export const driveImages = service<DriveImages | undefined>('gdrive.images')
