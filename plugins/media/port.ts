import { service, type Upload } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import type { MediaFile } from '../content/adapter.ts'
import type { Picture } from '../llm/port.ts'
import type { UploadCall } from './intake.ts'
import type { UploadedImage } from './schemas.ts'
import type { Excerpt } from './text.ts'

export { AddressVariables, publicBase } from './address.ts'
export { contentTypeOf } from './identify.ts'
export { refusals as fileRefusals } from './refusals.ts'
export { imageUpload } from './routes.ts'
export { loadSharp, readUpTo } from './serve.ts'

/** The path under which a website mounts the service, provided by the host; empty at the root. */
export const mountPath = service<string>('host.mount-path')

/** The image store, for plugins that generate, describe or import images. */
export interface Media {
  /**
   * Verifies an image by the rules for uploads and returns its type.
   *
   * Refuses with 415 `content_mismatch`, 422 `image_dimensions` or `file_damaged`.
   */
  check(bytes: Uint8Array): Promise<Picture>
  /** Verifies an image and stores it under a new name; nothing is stored once `signal` has aborted. Refuses like `check`, and with 507 `storage_full`. */
  keep(bytes: Uint8Array, about: { readonly prefix: string; readonly signal: AbortSignal }): Promise<UploadedImage>
  /**
   * Verifies an image and stores it under a name chosen by the plugin. With the package sharp it is stored as WebP, scaled down to
   * fit the box of pixels, upright and without metadata; otherwise unchanged. Refuses like `keep`, and with 503 `file_types_missing`.
   */
  keepNamed(bytes: Uint8Array, as: { readonly name: string; readonly width: number; readonly height: number }): Promise<void>
  /** The stored image of such a name, given without its extension. */
  openNamed(name: string): Promise<OpenBlob | undefined>
  /** The size of a stored image in pixels, as it is displayed. */
  sizeOf(picture: OpenBlob): Promise<{ readonly width: number; readonly height: number } | undefined>
  /** Reads the image and the text fields of a form as the upload routes do, and stores nothing. */
  receive(form: Upload): Promise<{ readonly picture: Picture; readonly fields: Readonly<Record<string, string>> }>
  /**
   * Passes the image in the field `image` to `take` once it is verified completely, and deletes it afterwards in any case.
   *
   * Refuses like `POST /image/upload`. An error of `take` is rethrown.
   */
  passOn<T>(call: UploadCall, take: (image: ArrivedImage) => Promise<T>): Promise<T>
  /** The public address of a path of this service, derived from the configuration; the path itself if no address is configured. */
  addressOf(path: `/${string}`): string
  /** Whether an address, with or without its origin, is that of a file of this service. */
  owns(address: string): boolean
  /** The stored file of such an address; `undefined` for any other address or a deleted file. */
  open(address: string): Promise<OpenBlob | undefined>
  /** The first 50,000 characters of a PDF; `undefined` if it cannot be read. It needs the optional package unpdf. */
  textOf(pdf: Uint8Array): Promise<Excerpt | undefined>
}

/** Verifies, stores and serves images. */
export const media = service<Media>('media')

/** A completely received and verified image that is passed on. */
export type ArrivedImage = Omit<MediaFile, 'signal'>
