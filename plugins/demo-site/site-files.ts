import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
  webmanifest: 'application/manifest+json',
  pdf: 'application/pdf',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

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
  const wanted = decoded(path)
  for (const name of [wanted, `${wanted}.html`, `${wanted}/index.html`]) {
    const file = await realpath(join(root, name)).catch(() => '')
    const own = relative(root, file).replaceAll(sep, '/')
    const type = types[extname(file).slice(1).toLowerCase()]
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

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
