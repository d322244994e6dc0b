/** Addresses of pictures, which builds and image services change. */
import { pictureKey } from './values.ts'

/** The parameter of an image service that names the picture. */
const named = ['url', 'href', 'src', 'f']

/** The path that an address names, without the folders that lead out of the one of its document. */
function pathIn(address: string): string {
  const url = URL.parse(address, 'http://page')
  const inner = url && named.map((name) => url.searchParams.get(name)).find((each) => each?.includes('.'))
  const path = inner ?? url?.pathname ?? address
  const [own = ''] = decoded(path)
    .replace(/^\w+:\/\/[^/]*/, '')
    .split(/[?#]/, 1)
  return own.replace(/^(?:\.{0,2}\/)+/, '')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * Whether an address of a page shows the picture that a value names: one is the end of the other, or the page has
 * its name with the hash of a build.
 */
export function samePicture(address: string, value: string): boolean {
  const [shown, stored] = [pathIn(address), pathIn(value)]
  if (shown === stored || shown.endsWith(`/${stored}`) || stored.endsWith(`/${shown}`)) return true
  const isBuilt = /(?:^|\/)(?:_\w+|assets|media|@fs)\//.test(shown)
  return isBuilt && pictureKey(shown) === pictureKey(stored)
}

/** The address of the picture itself, of one that an image service shows. */
export const pictureOf = (address: string): string => pathIn(address)
