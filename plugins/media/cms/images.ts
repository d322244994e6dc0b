import * as v from 'valibot'
import { type Logger, Refusal, runWithTimeout } from '../../../kernel/index.ts'
import type { ContentAdapter, MediaPage, MediaQuery } from '../../content/adapter.ts'
import type { ArrivedImage } from '../port.ts'
import type { SiteLibrary } from './libraries.ts'
import { listOf, text } from './provider.ts'
import { refusals } from './refusals.ts'
import type { CmsImage, CmsImages } from './schemas.ts'

const failed = 'The images of the CMS could not be read. The log of the service has the details.'

/**
 * Lists a page of a library, or an empty page with a reason, so that editors keep working without images.
 *
 * Throws refusals with a 4xx status, such as `fetch_refused`, which concern the request.
 */
export async function browse(
  library: SiteLibrary,
  query: MediaQuery,
  { timeoutMs, log }: { readonly timeoutMs: number; readonly log: Logger },
): Promise<CmsImages> {
  const { provider, origin, paths = false } = library
  const emptyPage = (reason: string): CmsImages => ({
    items: [],
    totalPages: 0,
    provider,
    degraded: true,
    reason,
  })
  let page: MediaPage
  try {
    page = await runWithTimeout(timeoutMs, (signal) => library.list({ ...query, signal }), {
      canceled: query.signal,
      overdue: refusals.overdue,
    })
  } catch (err) {
    if (query.signal.aborted || (err instanceof Refusal && err.status < 500)) throw err
    log.warn({ err, provider }, 'cms images could not be read')
    return emptyPage(err instanceof Refusal ? err.reason : failed)
  }
  const shown = toShown(page, { origin, paths })
  if (shown) return { ...shown, items: shown.items.slice(0, query.limit), provider }
  log.warn({ provider }, 'cms returned an invalid page of images')
  return emptyPage(failed)
}

/** Stores an image in the site's CMS. Refuses every failure with 502 `cms_upload_failed`, and logs it. */
export async function upload(
  store: NonNullable<ContentAdapter['uploadMedia']>,
  image: ArrivedImage,
  {
    timeoutMs,
    signal: canceled,
    log,
  }: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly log: Logger },
) {
  try {
    const answer = await runWithTimeout(timeoutMs, (signal) => store({ ...image, signal }), {
      canceled,
      overdue: refusals.overdue,
    })
    const stored = toImage(answer, { origin: '', paths: true })
    if (stored) return { ...stored, bytes: image.size, mimeType: image.type }
    log.warn('content adapter returned an invalid image after an upload')
  } catch (err) {
    log.warn({ err }, 'content adapter failed to store an image')
  }
  throw refusals.uploadFailed()
}

const maxLength = { address: 2_048, id: 200, text: 300 }
const line = v.pipe(
  text,
  v.transform((value) =>
    value
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, maxLength.text),
  ),
)
const Item = v.object({
  id: v.pipe(v.string(), v.maxLength(maxLength.id)),
  name: line,
  imageUrl: v.string(),
  thumbUrl: v.nullish(v.string()),
  alt: line,
})
const Page = v.object({
  items: listOf(Item),
  totalPages: v.pipe(
    v.number(),
    v.finite(),
    v.transform((count) => Math.max(0, Math.ceil(count))),
  ),
})

/** The image addresses that may be shown besides https. */
interface Origins {
  /** The origin of the CMS. */
  readonly origin: string
  /** True if paths of the site are allowed. */
  readonly paths: boolean
}

/** Returns the images of a page that may be shown; `undefined` for an invalid page. */
function toShown(
  page: MediaPage,
  origins: Origins,
): { readonly items: CmsImage[]; readonly totalPages: number } | undefined {
  const { success, output } = v.safeParse(Page, page)
  return success
    ? { items: output.items.flatMap((item) => toImage(item, origins) ?? []), totalPages: output.totalPages }
    : undefined
}

/** Returns one image; `undefined` if it is invalid or its address must not be shown. */
function toImage(given: unknown, origins: Origins): CmsImage | undefined {
  const { success, output: item } = v.safeParse(Item, given)
  if (!success || !mayShow(item.imageUrl, origins)) return undefined
  const { thumbUrl } = item
  return { ...item, thumbUrl: thumbUrl && mayShow(thumbUrl, origins) ? thumbUrl : item.imageUrl }
}

function mayShow(address: string, { origin, paths }: Origins): boolean {
  if (address.length > maxLength.address || /[\s\p{Cc}"'<>\\`]/u.test(address)) return false
  if (paths && /^\/[^/]/.test(address)) return true
  const url = URL.parse(address)
  return (
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && url.origin === origin))
  )
}
