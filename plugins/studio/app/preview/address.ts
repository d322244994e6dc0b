/** The addresses of a page: its draft in the frame, and what visitors see. */
import { pageAddress } from '../../../content/page-address.ts'
import { draftId, site } from '../stores/site.ts'
import { entered, entry } from './entry.ts'

/**
 * The address of the draft; `undefined` for a slug that is not a path of the site, and until this browser may enter the
 * draft. A secret goes to the address for which the service gave it, and to no other.
 */
export function draftAddress(slug: string): string | undefined {
  const url = addressOf(slug, { ...draftId.value, editorOrigin: location.origin, __editor: '1' })
  const { way, secret, of } = entry.value ?? {}
  if (!url || way === undefined || of !== entered.value) return undefined
  if (secret === undefined) return url.href
  if (way === 'address') {
    url.searchParams.set('secret', secret)
    return url.href
  }
  return doorTo(url, secret)
}

/** The address of the route of the website that lets this browser in, and leads on. */
function doorTo(url: URL, secret: string): string {
  const door = new URL(`/api/editor/draft${ending()}`, url)
  const redirect = url.pathname + url.search + url.hash
  door.search = new URLSearchParams({ secret, ...draftId.value, redirect }).toString()
  return door.href
}

/**
 * The address of the live page, which shows this browser no draft. In a frame it says where it is scrolled to. What is
 * published at an address of its own is entered like a draft.
 */
export function liveAddress(slug: string, isFramed = false): string | undefined {
  const { publishedUrl } = site.value ?? {}
  const url = pageAddress(publishedUrl, slug)
  if (url) return entry.value?.secret === undefined ? undefined : doorTo(url, entry.value.secret)
  return addressOf(slug, { __editor: '0', ...(isFramed && { editorOrigin: location.origin }) })?.href
}

function addressOf(slug: string, parameters: Readonly<Record<string, string>>): URL | undefined {
  const url = pageAddress(site.value?.previewUrl, slug)
  if (url && !url.pathname.endsWith('/')) url.pathname += ending()
  for (const [name, value] of Object.entries(parameters)) url?.searchParams.set(name, value)
  return url
}

/** The end of each address of the website that is entered. */
const ending = (): string =>
  entry.value?.of === entered.value && entry.value.trailingSlash === true ? '/' : ''
