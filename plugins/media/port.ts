import { service, slot, type Upload } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import type { MediaFile } from '../content/adapter.ts'
import type { Picture } from '../models/port.ts'
import type { UploadCall } from './intake.ts'
import type { UploadedImage } from './schemas.ts'
import type { Excerpt } from './text.ts'

export { AddressVariables, publicBase } from './address.ts'
export { orDegraded, Shortfall, unlessFailed } from './failing-library.ts'
export { contentTypeOf } from './identify.ts'
export { declaredKind, undeclared } from './intake.ts'
export { oneLine, listOf, mayShow } from './listed.ts'
export { refusals as fileRefusals } from './refusals.ts'
export { imageUpload } from './routes.ts'
export { readUpTo } from './serve.ts'
export { loadSharp } from './sharp.ts'
export { decodeText } from './text.ts'
export {
  imageSources,
  sourceKinds,
  type FoundImage,
  type ImageCredit,
  type ImageRequest,
  type ImageSource,
  type SourceKind,
} from './sources.ts'

/** Origins of images that editors may show besides those of this service and of the sites. */
export const imageOrigins = slot<readonly string[]>('media.image-origins')

/** The image store, for plugins that generate, describe or import images. */
export interface Media {
  /**
   * Verifies an image by the rules for uploads and returns its type.
   *
   * Refuses with 415 `content_mismatch`, 422 `image_dimensions` or `file_damaged`.
   */
  check(bytes: Uint8Array): Promise<Picture>
  /** Verifies and stores an image unless `signal` aborts. Refuses like `check`, or 507 `storage_full`. */
  keep(
    bytes: Uint8Array,
    details: {
      /** Lower-case letters. */
      readonly prefix: string
      /** What people call the image. */
      readonly name?: string
      readonly signal: AbortSignal
    },
  ): Promise<UploadedImage>
  /**
   * Verifies an image and stores it under a given name: with the package sharp as upright WebP, no metadata,
   * scaled to fit the pixel box, otherwise unchanged. Refuses like `keep`.
   */
  keepNamed(
    bytes: Uint8Array,
    as: { readonly name: string; readonly width: number; readonly height: number },
  ): Promise<void>
  /** Opens the stored image with such a name, without extension. */
  openNamed(name: string): Promise<OpenBlob | undefined>
  /** Returns the displayed size of a stored image in pixels. */
  sizeOf(picture: OpenBlob): Promise<{ readonly width: number; readonly height: number } | undefined>
  /** Reads the image and text fields of a form like the upload routes, without storing them. */
  receive(
    form: Upload,
  ): Promise<{ readonly picture: Picture; readonly fields: Readonly<Record<string, string>> }>
  /**
   * Passes the image in the field `image`, and the text fields, to `take` once it is verified, and always
   * deletes it afterwards.
   *
   * Refuses like `POST /image/upload`. Rethrows an error of `take`.
   */
  passOn<T>(
    call: UploadCall,
    take: (image: ArrivedImage, fields: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T>
  /** Returns the configured public address of a path of this service; the path itself without one. */
  addressOf(path: `/${string}`): string
  /** True for the address of a file of this service, with or without its origin. */
  owns(address: string): boolean
  /** Opens the stored file at such an address; `undefined` for other addresses and deleted files. */
  open(address: string): Promise<OpenBlob | undefined>
  /** Removes a stored file of so many bytes. */
  remove(file: { readonly key: string; readonly size: number }): Promise<void>
  /** Returns the first 50,000 characters of a PDF; `undefined` if unreadable. Needs the package unpdf. */
  textOf(pdf: Uint8Array): Promise<Excerpt | undefined>
}

/** Verifies, stores and serves images. */
export const media = service<Media>('media')

/** A completely received and verified image. */
export type ArrivedImage = Omit<MediaFile, 'signal' | 'use'>
