import * as v from 'valibot'
import { Refusal, type Logger } from '../../kernel/index.ts'
import type { ContentAdapter, MediaPage, MediaQuery } from '../content/adapter.ts'
import type { ArrivedImage } from '../media/port.ts'
import type { SiteLibrary } from './libraries.ts'
import { listOf, text } from './provider.ts'
import { refusals } from './refusals.ts'
import type { CmsImage, CmsImages } from './schemas.ts'

const failed = 'The images of the CMS could not be read. The log of the service says why.'

/**
 * Gives a page of a library, or an empty one and a sentence why: an editor goes on without images.
 *
 * A refusal with a 4xx status, such as `fetch_refused`, is about the request and thrown.
 */
export async function browse(library: SiteLibrary, query: MediaQuery, { timeoutMs, log }: { readonly timeoutMs: number; readonly log: Logger }): Promise<CmsImages> {
  const { provider, origin, paths = false } = library
  const nothing = (reason: string): CmsImages => ({ items: [], totalPages: 0, provider, degraded: true, reason })
  let page: MediaPage
  try {
    page = await within({ signal: query.signal, timeoutMs }, (signal) => library.list({ ...query, signal }))
  } catch (err) {
    if (query.signal.aborted || (err instanceof Refusal && err.status < 500)) throw err
    log.warn({ err, provider }, 'the images of a cms could not be read')
    return nothing(err instanceof Refusal ? err.reason : failed)
  }
  const shown = toShown(page, { origin, paths })
  if (shown) return { ...shown, items: shown.items.slice(0, query.limit), provider }
  log.warn({ provider }, 'a cms gave something that is not a page of images')
  return nothing(failed)
}

/** What goes with an upload. */
export interface UploadOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly log: Logger
}

/** Stores an image in the CMS of the site. Refuses every failure there with 502 `cms_upload_failed`; its cause goes to the log only. */
export async function toCms(store: NonNullable<ContentAdapter['uploadMedia']>, image: ArrivedImage, { log, ...limits }: UploadOptions) {
  try {
    const stored = toImage(await within(limits, (signal) => store({ ...image, signal })), { origin: '', paths: true })
    if (stored) return { ...stored, bytes: image.size, mimeType: image.type }
    log.warn('the content adapter stored an image and gave none that can be shown')
  } catch (err) {
    log.warn({ err }, 'the content adapter did not store an image')
  }
  throw refusals.uploadFailed()
}

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

/** Gives a job so many milliseconds, and rejects as soon as they are over or the signal aborts, whatever the job does then. */
export async function within<T>({ signal: gone, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number }, job: (signal: AbortSignal) => Promise<T>): Promise<T> {
  gone.throwIfAborted()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const signal = AbortSignal.any([gone, late.signal])
  const { promise: over, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  try {
    return await Promise.race([job(signal), over])
  } catch (error) {
    throw late.signal.aborted ? refusals.overdue() : error
  } finally {
    clearTimeout(timer)
  }
}
