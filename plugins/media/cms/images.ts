import * as v from 'valibot'
import { type Logger, Refusal, runWithTimeout } from '../../../kernel/index.ts'
import type { ContentAdapter, MediaPage, MediaQuery, MediaUse } from '../../content/adapter.ts'
import { type ArrivedImage, listOf, mayShow, oneLine, orDegraded } from '../port.ts'
import type { SiteLibrary } from './libraries.ts'
import { refusals } from './refusals.ts'
import type { CmsImage, CmsImages } from './schemas.ts'

/** Lists a page of a library, or an empty page with a reason. Refuses a wrong request with a 4xx status. */
export function browse(
  library: SiteLibrary,
  query: MediaQuery,
  { timeoutMs, log }: { readonly timeoutMs: number; readonly log: Logger },
): Promise<CmsImages> {
  const { provider } = library
  const list = async (): Promise<CmsImages> => {
    const page = await runWithTimeout(timeoutMs, (signal) => library.list({ ...query, signal }), {
      canceled: query.signal,
      overdue: refusals.overdue,
    }).catch((error: unknown) => {
      throw error instanceof Refusal || query.signal.aborted ? error : refusals.unreadable(error)
    })
    const { items, totalPages } = toShown(page, library)
    return { items: items.slice(0, query.limit), totalPages, provider }
  }
  return orDegraded(list(), { items: [], totalPages: 0, provider }, { log, library: provider })
}

/**
 * Stores an image in the site's CMS. Refuses with 400 `cms_upload_refused` what the adapter refuses, and every
 * failure with 502 `cms_upload_failed`, which is logged.
 */
export async function upload(
  store: NonNullable<ContentAdapter['uploadMedia']>,
  image: ArrivedImage,
  {
    use,
    timeoutMs,
    signal: canceled,
    log,
  }: {
    readonly use: MediaUse | undefined
    readonly timeoutMs: number
    readonly signal: AbortSignal
    readonly log: Logger
  },
) {
  try {
    const answer = await runWithTimeout(timeoutMs, (signal) => store({ ...image, use, signal }), {
      canceled,
      overdue: refusals.overdue,
    })
    const stored = toImage(answer, { paths: true })
    if (stored) return { ...stored, bytes: image.size, mimeType: image.type }
    log.warn('content adapter returned an invalid image after an upload')
  } catch (err) {
    if (err instanceof Refusal && err.status < 500) throw refusals.uploadRefused(err.reason)
    log.warn({ err }, 'content adapter failed to store an image')
  }
  throw refusals.uploadFailed()
}

const Item = v.object({
  id: v.pipe(v.string(), v.maxLength(200)),
  name: oneLine,
  imageUrl: v.string(),
  thumbUrl: v.nullish(v.string()),
  alt: oneLine,
  value: v.optional(v.pipe(v.string(), v.regex(/^(?![a-z][\w+.-]*:)[^\s\p{Cc}"'<>\\`]{1,2048}$/iu))),
})
const Page = v.object({
  items: listOf(Item),
  totalPages: v.pipe(
    v.number(),
    v.finite(),
    v.transform((count) => Math.max(0, Math.ceil(count))),
  ),
})

/** Returns the images of a page that may be shown. Refuses an invalid page with 502 `cms_unreadable`. */
function toShown(page: MediaPage, library: SiteLibrary) {
  const { success, output } = v.safeParse(Page, page)
  if (!success) throw refusals.unreadable(new Error('the CMS gave an invalid page of images'))
  return { ...output, items: output.items.flatMap((item) => toImage(item, library) ?? []) }
}

/** Returns one image; `undefined` if it is invalid or its address must not be shown. */
function toImage(given: unknown, origins: Parameters<typeof mayShow>[1]): CmsImage | undefined {
  const { success, output: item } = v.safeParse(Item, given)
  if (!success || !mayShow(item.imageUrl, origins)) return undefined
  const { thumbUrl } = item
  return { ...item, thumbUrl: thumbUrl && mayShow(thumbUrl, origins) ? thumbUrl : item.imageUrl }
}
