import type { Call, Upload } from '../../kernel/index.ts'

/** A request with a form. */
export type UploadCall = Pick<Call, 'caller' | 'remote' | 'header'> & { readonly body: Upload }

/** An image that has arrived whole and is what it was sent as. */
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

/** Takes images in for plugins that pass them on. */
export interface ImageIntake {
  /**
   * Hands the image in the field `image` to `take` once all of it was judged; it is deleted afterwards, whatever `take` did.
   *
   * Refuses as `POST /image/upload` does. What `take` rejects with is thrown.
   */
  receive<T>(call: UploadCall, take: (image: ArrivedImage) => Promise<T>): Promise<T>
}
