import type { Call, Upload } from '../../kernel/index.ts'

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
