/** The addresses of a page: its draft in the frame, and what visitors see. */
import { draftId, site } from '../stores/site.ts'
import { entry } from './entry.ts'

/** The address of the draft; `undefined` until this browser may enter it. */
export function draftAddress(path: string): string | undefined {
  const url = addressOf(path, { ...draftId.value, editorOrigin: location.origin, __editor: '1' })
  const { way, secret } = entry.value ?? {}
  if (!url || way === undefined) return undefined
  if (secret === undefined) return url.href
  if (way === 'address') {
    url.searchParams.set('secret', secret)
    return url.href
  }
  const door = new URL('/api/editor/draft', url)
  const redirect = url.pathname + url.search + url.hash
  door.search = new URLSearchParams({ secret, ...draftId.value, redirect }).toString()
  return door.href
}

/** The address of the live page, which shows this browser no draft. In a frame it says where it is scrolled to. */
export const liveAddress = (path: string, isFramed = false): string | undefined =>
  addressOf(path, { __editor: '0', ...(isFramed && { editorOrigin: location.origin }) })?.href

function addressOf(path: string, parameters: Readonly<Record<string, string>>): URL | undefined {
  const previewUrl = site.value?.previewUrl
  const url = previewUrl === undefined ? null : URL.parse(path, previewUrl)
  if (!url) return undefined
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}
