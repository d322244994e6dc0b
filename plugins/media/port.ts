import { service } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'

export { contentTypeOf } from './content-type.ts'
export { refusals as fileRefusals } from './refusals.ts'

/** The path below which a website answers for the service, handed in by the host; empty at the root. */
export const mountPath = service<string>('host.mount-path')

/** Pictures that other plugins bring, kept under names of theirs beside what is uploaded, and served like that. */
export interface Pictures {
  /** The address of a path of this service, made of the configuration alone; the path where a mount knows none of its addresses. */
  addressOf(path: `/${string}`): string
  /** The stored picture of a name without its extension. */
  open(name: string): Promise<OpenBlob | undefined>
  /** The size of a stored picture in pixels, as it is shown. */
  sizeOf(picture: OpenBlob): Promise<{ readonly width: number; readonly height: number } | undefined>
  /**
   * Stores a PNG, JPEG, WebP or GIF under a name: as WebP that fits into a box of pixels, upright and without metadata, where
   * the package sharp is installed, and as it came otherwise.
   *
   * Refuses with 415 `content_mismatch`, 422 `image_dimensions` or `file_damaged`, 503 `file_types_missing`, 507 `storage_full`.
   */
  keep(bytes: Buffer, as: { readonly name: string; readonly width: number; readonly height: number }): Promise<void>
}

export const pictures = service<Pictures>('media.pictures')
