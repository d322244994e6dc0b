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
/** As a publish names files: one dot, no further separator, so that none leads out of the folder. */
const name = /^\/((?:generated-images\/)?[A-Za-z0-9_-]{1,160}\.(png|jpe?g|webp|gif|pdf|svg))$/i

/**
 * Reads an image by its path from a folder of public files, or from `generated-images` in it, where a publish puts images;
 * `undefined` for other names, and for what is no plain file.
 */
export async function readImage(
  folder: string,
  path: string,
): Promise<{ readonly type: string; readonly body: Uint8Array<ArrayBuffer> } | undefined> {
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
