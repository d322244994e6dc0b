import { open } from 'node:fs/promises'
import type { Part } from '../../../../kernel/http/range.ts'
import type { FoundFile } from './lookup.ts'

/**
 * Reads a part of a file. It is opened with the first byte that is wanted, because an answer to HEAD or to somebody
 * who has left is never read.
 *
 * Fails when the file is no longer the one that was found: its length and its tag have been told.
 */
export async function* readPart({ path, size, changed }: FoundFile, { start, end }: Part): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  try {
    const now = await file.stat()
    if (now.size !== size || now.mtimeMs !== changed) throw new Error('the file was changed before it was sent')
    let left = end + 1 - start
    const chunks: AsyncIterable<Uint8Array> = file.createReadStream({ start, end, autoClose: false })
    for await (const chunk of chunks) {
      left -= chunk.byteLength
      yield chunk
    }
    if (left > 0) throw new Error('the file was cut while it was sent')
  } finally {
    await file.close()
  }
}
