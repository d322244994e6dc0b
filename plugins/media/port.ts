import { service, type Call, type Upload } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import type { Picture } from '../llm/port.ts'
import type { UploadedImage } from './schemas.ts'
import type { Excerpt } from './text.ts'

export { publicBase } from './address.ts'
export { contentTypeOf } from './identify.ts'
export { readUpTo } from './read-up-to.ts'
export { refusals as fileRefusals } from './refusals.ts'
export { imageUpload } from './routes.ts'
export { AddressVariables } from './address.ts'
export { loadSharp } from './serve.ts'

/** The path below which a website answers for the service, handed in by the host; empty at the root. */
export const mountPath = service<string>('host.mount-path')

/** The pictures of this service, for plugins that make some, look at some or bring some. */
export interface Media {
  /**
   * Tells what a picture is, held to the rules of an upload.
   *
   * Refuses with 415 `content_mismatch`, 422 `image_dimensions` or `file_damaged`.
   */
  check(bytes: Uint8Array): Promise<Picture>
  /** Checks a picture and stores it under a new name; nothing is stored once `signal` has aborted. Refuses as `check`, and with 507 `storage_full`. */
  keep(bytes: Uint8Array, about: { readonly prefix: string; readonly signal: AbortSignal }): Promise<UploadedImage>
  /**
   * Checks a picture and stores it under a name of the plugin: as WebP that fits into a box of pixels, upright and without
   * metadata, where the package sharp is installed, and as it came otherwise. Refuses as `keep`, and with 503 `file_types_missing`.
   */
  keepNamed(bytes: Uint8Array, as: { readonly name: string; readonly width: number; readonly height: number }): Promise<void>
  /** The stored picture of such a name, which has no extension. */
  openNamed(name: string): Promise<OpenBlob | undefined>
  /** The size of a stored picture in pixels, as it is shown. */
  sizeOf(picture: OpenBlob): Promise<{ readonly width: number; readonly height: number } | undefined>
  /** Reads the image of a form and its text fields, as the routes for uploads do, and stores nothing. */
  receive(form: Upload): Promise<{ readonly picture: Picture; readonly fields: Readonly<Record<string, string>> }>
  /**
   * Hands the image in the field `image` to `take` once all of it was judged; it is deleted afterwards, whatever `take` did.
   *
   * Refuses as `POST /image/upload` does. What `take` rejects with is thrown.
   */
  passOn<T>(call: UploadCall, take: (image: ArrivedImage) => Promise<T>): Promise<T>
  /** The address of a path of this service, made of the configuration alone; the path where a mount knows none of its addresses. */
  addressOf(path: `/${string}`): string
  /** Whether an address, with its origin or without, is one that this service gives for a file. */
  owns(address: string): boolean
  /** The stored file of such an address; `undefined` for any other, and where it is gone. */
  open(address: string): Promise<OpenBlob | undefined>
  /** The text of a PDF, its first 50,000 characters; `undefined` where it cannot be read. It takes the optional package unpdf. */
  textOf(pdf: Uint8Array): Promise<Excerpt | undefined>
}

/** Checks, stores and gives pictures. */
export const media = service<Media>('media')

/** A request with a form. */
export type UploadCall = Pick<Call, 'caller' | 'remote' | 'header'> & { readonly body: Upload }

/** An image that has arrived whole, is what it was sent as, and is passed on. */
export interface ArrivedImage {
  /** As the client named it, without control characters; never part of a path. */
  readonly name: string
  /** By its content: `image/png`, `image/jpeg`, `image/webp` or `image/gif`. */
  readonly type: string
  readonly size: number
  /** In pixels, as the image is shown. */
  readonly width?: number
  readonly height?: number
  /** Reads the content from its beginning. */
  bytes(): AsyncIterable<Uint8Array>
}
