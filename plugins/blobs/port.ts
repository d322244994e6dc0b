import { service } from '../../kernel/index.ts'
import type { NewBlob } from './names.ts'

/** The facts of stored bytes. */
export interface BlobInfo {
  /** The generated name, such as `upload_1767225600000_<32 hex digits>.png`. */
  readonly key: string
  /** A media type, such as `image/png`. */
  readonly type: string
  readonly size: number
}

export interface StoredBlob extends BlobInfo {
  /** The time of the last write, in epoch milliseconds. */
  readonly changed: number
}

/** A readable blob; each read starts at the beginning. */
export interface OpenBlob extends StoredBlob {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Reads a range of the bytes, both ends inclusive. */
  part(start: number, end: number): AsyncIterable<Uint8Array>
}

/** Bytes under generated names. Keys are `[A-Za-z0-9_-]{1,160}` and one extension; others are not found. */
export interface Blobs {
  /** Stores bytes under a new name `<prefix>_<epoch ms>_<32 hex digits>.<extension>`, or under `key`. */
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>, details: NewBlob): Promise<BlobInfo>
  open(key: string): Promise<OpenBlob | undefined>
  /** Lists all stored blobs, in no particular order. */
  list(): AsyncIterable<StoredBlob>
  remove(key: string): Promise<boolean>
  /** Returns `ok`, or a sentence with the reason why writing is not possible now. */
  health(): Promise<string>
}

export const blobs = service<Blobs>('blobs')

export { typeOf } from './names.ts'
export { blobsUnavailable, invalidFileName } from './refusals.ts'
