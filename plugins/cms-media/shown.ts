import * as v from 'valibot'
import type { MediaPage } from '../content/adapter.ts'
import { listOf, text } from './providers/parts.ts'
import type { CmsImage } from './schemas.ts'

const longest = { address: 2_048, id: 200, text: 300 }
const line = v.pipe(text, v.transform((value) => value.replace(/[\s\p{Cc}]+/gu, ' ').trim().slice(0, longest.text)))
const Item = v.object({
  id: v.pipe(v.string(), v.maxLength(longest.id)),
  name: line,
  imageUrl: v.string(),
  thumbUrl: v.nullish(v.string()),
  alt: line,
})
const Page = v.object({ items: listOf(Item), totalPages: v.pipe(v.number(), v.finite(), v.transform((count) => Math.max(0, Math.ceil(count)))) })

/** Which addresses of images may be shown, beside those with https. */
export interface Origins {
  /** Of the CMS itself. */
  readonly origin: string
  /** Paths of the site, of which the host knows. */
  readonly paths: boolean
}

/** What of a page of images can be shown; `undefined` where it is not a page of images. */
export function toShown(page: MediaPage, origins: Origins): { readonly items: CmsImage[]; readonly totalPages: number } | undefined {
  const { success, output } = v.safeParse(Page, page)
  return success ? { items: output.items.flatMap((item) => toImage(item, origins) ?? []), totalPages: output.totalPages } : undefined
}

/** One image; `undefined` for one whose address must not be shown. */
export function toImage(given: unknown, origins: Origins): CmsImage | undefined {
  const { success, output: item } = v.safeParse(Item, given)
  if (!success || !mayShow(item.imageUrl, origins)) return undefined
  const { thumbUrl } = item
  return { ...item, thumbUrl: thumbUrl && mayShow(thumbUrl, origins) ? thumbUrl : item.imageUrl }
}

function mayShow(address: string, { origin, paths }: Origins): boolean {
  if (address.length > longest.address || /[\s\p{Cc}"'<>\\`]/u.test(address)) return false
  if (paths && /^\/[^/]/.test(address)) return true
  const url = URL.parse(address)
  return url !== null && url.username === '' && url.password === '' && (url.protocol === 'https:' || (url.protocol === 'http:' && url.origin === origin))
}
