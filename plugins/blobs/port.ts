import { service } from '../../kernel/index.ts'
import type { NewBlob } from './names.ts'

/** Facts about stored bytes. */
export interface BlobInfo {
  /** The generated name, such as `upload_1767225600000_<32 hex digits>.png`. */
  readonly key: string
  /** A media type, such as `image/png`. */
  readonly type: string
  readonly size: number
}

/** A blob that is stored. */
export interface StoredBlob extends BlobInfo {
  /** When it was stored, in epoch milliseconds. */
  readonly changed: number
}

/** A blob to be read, from its beginning each time. */
export interface OpenBlob extends StoredBlob {
  readonly bytes: AsyncIterable<Uint8Array>
  /** A range of the bytes, both ends inclusive. */
  part(start: number, end: number): AsyncIterable<Uint8Array>
}

/** Bytes under generated names. Keys are `[A-Za-z0-9_-]{1,160}` and one extension; anything else is not found. */
export interface Blobs {
  /** Stores bytes durably under a new name `<prefix>_<epoch ms>_<32 hex digits>.<extension>`, or under `key` if given. */
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>, about: NewBlob): Promise<BlobInfo>
  open(key: string): Promise<OpenBlob | undefined>
  /** Every blob that is stored, in no particular order. */
  list(): AsyncIterable<StoredBlob>
  remove(key: string): Promise<boolean>
  /** `ok`, or a sentence with the reason why writing is not possible now. */
  health(): Promise<string>
}

export const blobs = service<Blobs>('blobs')

export { typeOf } from './names.ts'
export { invalidFileName } from './refusals.ts'
