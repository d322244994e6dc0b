/** The address of a page in the frame. */
import { draftId, site } from '../stores/site.ts'
import { shows } from '../stores/ui.ts'
import { entry } from './entry.ts'

export function addressOf(path: string): string | undefined {
  const previewUrl = site.value?.previewUrl
  const url = previewUrl === undefined ? null : URL.parse(path, previewUrl)
  if (!url) return undefined
  if (shows.value === 'published') {
    url.searchParams.set('__editor', '0')
    return url.href
  }
  const context = { ...draftId.value, editorOrigin: location.origin, __editor: '1' }
  for (const [name, value] of Object.entries(context)) url.searchParams.set(name, value)
  const { way, secret } = entry.value ?? {}
  if (way === undefined) return undefined
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
