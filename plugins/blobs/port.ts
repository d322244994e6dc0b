import { service } from '../../kernel/index.ts'

/** What is known of stored bytes. */
export interface BlobInfo {
  /** The generated name, such as `upload_1767225600000_<32 hex digits>.png`. */
  readonly key: string
  /** A media type, such as `image/png`. */
  readonly type: string
  readonly size: number
}

/** Bytes under generated names. Keys are `[A-Za-z0-9_-]{1,160}` and one extension; anything else is not found. */
export interface Blobs {
  /** Stores bytes durably under a new name `<prefix>_<epoch ms>_<32 hex digits>.<extension>`, or under `key` when it is given. */
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>, about: { readonly type: string; readonly extension: string; readonly prefix?: string; readonly key?: string }): Promise<BlobInfo>
  open(key: string): Promise<(BlobInfo & { readonly bytes: AsyncIterable<Uint8Array> }) | undefined>
  remove(key: string): Promise<boolean>
  /** `ok`, or a sentence that says why writing is not possible now. */
  health(): Promise<string>
}

export const blobs = service<Blobs>('blobs')
