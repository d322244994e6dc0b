import { readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { contentTypeOf } from '../content/content-type.ts'
import { decoded } from '../content/slugs.ts'

/** Files of the server that shows the site, and hidden ones. */
const notShown =
  /(?:^|\/)(?:\.|node_modules\/)|^(?:package(?:-lock)?\.json|(?:server|editor-routes|manifest)\.m?js|content\/pages\.json)$/

/**
 * Reads the file of a static website for the path of a request: the file itself, or its page as `.html` or
 * `index.html`. Returns `undefined` for what a browser needs not, and for links out of the folder.
 */
export async function readSiteFile(
  folder: string,
  path: string,
): Promise<{ readonly type: string; readonly body: Uint8Array<ArrayBuffer> } | undefined> {
  const root = await realpath(folder)
  const wanted = decoded(path) ?? path
  for (const name of [wanted, `${wanted}.html`, `${wanted}/index.html`]) {
    const file = await realpath(join(root, name)).catch(() => '')
    const own = relative(root, file).replaceAll(sep, '/')
    const type = contentTypeOf(file)
    if (
      file.startsWith(root + sep) &&
      type !== undefined &&
      !notShown.test(own) &&
      (await stat(file)).isFile()
    )
      return { type, body: await readFile(file) }
  }
  return undefined
}
