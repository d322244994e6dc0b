import { Refusal, type Logger } from '../../kernel/index.ts'
import type { MediaPage, MediaQuery } from '../content/adapter.ts'
import type { SiteLibrary } from './libraries.ts'
import type { CmsImages } from './schemas.ts'
import { toShown } from './shown.ts'
import { within } from './within.ts'

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
