/** The address of a picture of the website's own files in a document. */
import { isDocument, placeName } from '../stores/documents.ts'
import type { Picked } from '../stores/picking.ts'

/** Where the preview has the files of the website; for visitors they have no address there. */
const fileAddress = '/~editor/files/'

const isRelative = (address: string): boolean => !/^(?:[a-z][\w+.-]*:|[/#~@]|$)/i.test(address)

/**
 * Returns the value for a picture: its address on the website, else its path from the document, if the picture before has
 * such a one. `undefined` if neither is known to be one.
 */
export function addressInDocument(
  { url, id = '' }: Pick<Picked, 'url' | 'id'>,
  slug: string,
  before: string,
): string | undefined {
  if (!url.startsWith(fileAddress)) return url
  if (!isRelative(before)) return undefined
  const folders = placeName(slug).split('/').slice(0, -1)
  const steps = id.split('/')
  const common = folders.findIndex((name, n) => steps[n] !== name)
  const shared = common === -1 ? folders.length : common
  const up = folders.slice(shared).map(() => '..')
  const path = [...up, ...steps.slice(shared)].join('/')
  return up.length > 0 || !before.startsWith('.') ? path : `./${path}`
}

/** Returns where the preview has the picture that an address in a document means: a path is from its file. */
export function shownAddress(address: string, slug: string): string {
  if (!isDocument(slug) || !isRelative(address)) return address
  const path = placeName(slug).split('/').map(encodeURIComponent).join('/')
  const from = URL.parse(address, `http://localhost/${path}`)
  return from ? fileAddress + from.pathname.slice(1) : address
}
