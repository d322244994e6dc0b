import { service, type Call, type Upload } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import type { Picture } from '../llm/port.ts'
import type { ImageIntake } from './intake.ts'
import type { UploadedImage } from './schemas.ts'

export { publicBase } from './address.ts'
export { contentTypeOf } from './content-type.ts'
export { readUpTo } from './read-up-to.ts'
export { refusals as fileRefusals } from './refusals.ts'
export { imageUpload } from './routes.ts'
export { AddressVariables } from './schemas.ts'
export { loadSharp } from './sharp.ts'
export type { ArrivedImage, ImageIntake } from './intake.ts'

/** The path below which a website answers for the service, handed in by the host; empty at the root. */
export const mountPath = service<string>('host.mount-path')

/** Pictures that other plugins bring, kept under names of theirs beside what is uploaded, and served like that. */
export interface NamedPictures {
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

export const namedPictures = service<NamedPictures>('media.namedPictures')

/** The pictures of this service, for plugins that make or look at some. */
export interface Media {
  /**
   * Tells what a picture is, held to the rules of an upload.
   *
   * Refuses with 415 `content_mismatch`, 422 `image_dimensions` or `file_damaged`.
   */
  check(bytes: Uint8Array): Promise<Picture>
  /** Checks a picture and stores it under a new name; nothing is stored once `signal` has aborted. Refuses as `check`, and with 507 `storage_full`. */
  keep(bytes: Uint8Array, about: { readonly prefix: string; readonly signal: AbortSignal }): Promise<UploadedImage>
  /** Reads the image of a form and its text fields, as the routes for uploads do, and stores nothing. */
  receive(form: Upload): Promise<{ readonly picture: Picture; readonly fields: Readonly<Record<string, string>> }>
  /** Whether an address, with its origin or without, is one that this service gives for a file. */
  owns(address: string): boolean
  /** The stored file of such an address; `undefined` for any other, and where it is gone. */
  open(address: string): Promise<OpenBlob | undefined>
  /** Counts a picture that a model is to make or to look at for its caller. Refuses with 429 `rate_limited` once MEDIA_GENERATIONS_PER_MIN are spent. */
  countGeneration(call: Pick<Call, 'caller' | 'remote' | 'header'>): void
}

/** Checks and keeps pictures, and counts those that cost money. */
export const media = service<Media>('media')

/** Images of forms for other plugins, by the rules and within the limits of `POST /image/upload`. */
export const imageIntake = service<ImageIntake>('media.image-intake')
