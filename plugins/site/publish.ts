import * as v from 'valibot'
import type { Logger } from '../../kernel/index.ts'
import type { ContentAdapter, SiteContent } from '../content/adapter.ts'
import { checkDestructivePublish } from '../content/destructive.ts'
import { Page } from '../content/page.ts'
import { createPublishContext } from './context.ts'
import type { Publication, PublishHandler, PublishResult } from './port.ts'

export interface SitePublishOptions {
  readonly adapter: ContentAdapter
  readonly publish: PublishHandler | undefined
  readonly maxPagesRemoved: number | undefined
  readonly log: Logger
}

/** A publication as it arrives, before its pages are known to be pages. */
export type Received = Omit<Publication, 'pages' | 'allowDelete'> & { readonly pages?: unknown; readonly allowDelete?: unknown }

export interface SiteAnswer {
  readonly status: 200 | 400 | 409 | 500
  readonly result: PublishResult
}

/** Milliseconds for what is published to be read; later than that it counts as unreadable. */
const baselineWithin = 8_000

/** Publishes what was received, unless it is malformed or would remove too much. */
export async function publishToSite(received: Received, { adapter, publish, maxPagesRemoved, log }: SitePublishOptions): Promise<SiteAnswer> {
  const parsed = v.safeParse(v.array(Page), received.pages)
  if (!parsed.success) {
    const [issue] = parsed.issues
    const at = v.getDotPath(issue)
    return refusal(400, 'invalid_request', at === null ? 'pages must be an array of page documents.' : `pages.${at} is missing or of the wrong type.`)
  }
  const pages = parsed.output
  const content = await readWithin(adapter, log)
  const verdict = checkDestructivePublish({ pages, baseline: content?.pages, allowDelete: received.allowDelete, maxPagesRemoved })
  if (!verdict.ok) return refusal(409, verdict.error, verdict.reason)
  if (!publish) return refusal(500, 'no_publish_handler', 'This site has no publish handler. Pass `publish` to createSiteEditor.')
  const publication: Publication = { ...received, pages, allowDelete: received.allowDelete === true }
  const context = createPublishContext({ baseline: content?.pages, siteConfig: content?.siteConfig, session: received.session })
  try {
    const result = await publish(publication, context)
    return { status: result.ok ? 200 : 500, result }
  } catch (err) {
    log.error({ err }, 'publish handler failed')
    return refusal(500, 'publish_failed', 'The site could not store the pages. Its log says why; publish again when it is mended.')
  }
}

function refusal(status: 400 | 409 | 500, error: string, reason: string): SiteAnswer {
  return { status, result: { ok: false, slugs: [], error, reason } }
}

/** What is published now; `undefined` when it cannot be read in time, which keeps the rules for removed pages closed. */
async function readWithin(adapter: ContentAdapter, log: Logger): Promise<SiteContent | undefined> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('reading took too long')), baselineWithin).unref()
  try {
    return await Promise.race([adapter.readContent(), late])
  } catch (err) {
    log.warn({ err }, 'published content could not be read')
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
