import type { OpenBlob } from '../blobs/port.ts'

/** Reads a stored file as a whole; `undefined` where it is larger than `maxBytes`. */
export const readUpTo = async ({ size, bytes }: OpenBlob, maxBytes: number): Promise<Uint8Array | undefined> =>
  size <= maxBytes ? Buffer.concat(await Array.fromAsync(bytes)) : undefined
