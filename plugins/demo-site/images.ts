import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentTypeOf } from '../content/content-type.ts'

/** The file names of a publish: one dot and no separator, so no name leads out of the folder. */
const name = /^\/((?:generated-images\/)?[A-Za-z0-9_-]{1,160}\.(?:png|jpe?g|webp|gif|pdf|svg))$/i

/** A file to send. */
interface Image {
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
}

/**
 * Reads an image by its path from a folder of public files, or from its subfolder `generated-images`, where a
 * publish writes images. Returns `undefined` for other names, and for anything but a plain file.
 */
export async function readImage(folder: string, path: string): Promise<Image | undefined> {
  const [, file = ''] = name.exec(path) ?? []
  const type = contentTypeOf(file)
  if (type === undefined) return undefined
  const place = join(folder, file)
  const isFile = await lstat(place).then(
    (found) => found.isFile(),
    () => false,
  )
  return isFile ? { type, body: await readFile(place) } : undefined
}
