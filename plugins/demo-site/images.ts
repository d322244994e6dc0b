import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
  svg: 'image/svg+xml',
}
/** The file names of a publish: one dot and no separator, so no name leads out of the folder. */
const name = /^\/((?:generated-images\/)?[A-Za-z0-9_-]{1,160}\.(png|jpe?g|webp|gif|pdf|svg))$/i

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
  const [, file = '', extension = ''] = name.exec(path) ?? []
  const type = types[extension.toLowerCase()]
  if (type === undefined) return undefined
  const place = join(folder, file)
  const isFile = await lstat(place).then(
    (found) => found.isFile(),
    () => false,
  )
  return isFile ? { type, body: await readFile(place) } : undefined
}
