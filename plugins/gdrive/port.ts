import { service } from '../../kernel/index.ts'

/** An image as Drive lists it. */
export interface DriveImage {
  readonly id: string
  readonly name: string
  /** A draft of a description, made of the name. */
  readonly alt: string
  /** In pixels. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** Images of Google Drive, for plugins that bring some into a site. */
export interface DriveImages {
  /**
   * Lists images by a part of their names, of the folder of the site where none is named. `reason` says why there may be more.
   * Refuses with 400 `invalid_folder`, 403 `folder_not_allowed` and 404 `gdrive_not_configured`.
   */
  list(siteId: string, request: { readonly query: string; readonly limit: number; readonly folderId?: string | undefined }): Promise<{ readonly items: readonly DriveImage[]; readonly reason?: string | undefined }>
  /** The copy of an image, which is kept. Refuses as `GET /gdrive/images/:fileId` does. */
  read(fileId: string): Promise<{ readonly type: string; readonly bytes: Uint8Array }>
}

/** Images of Google Drive; `undefined` without a key for it. */
export const driveImages = service<DriveImages | undefined>('gdrive.images')
