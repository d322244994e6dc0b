import * as v from 'valibot'
import type { Logger } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import { checkDestructivePublish } from '../content/destructive.ts'
import { Page } from '../content/page.ts'
import { repeatedSlug, slugTwice } from '../content/slugs.ts'
import { createPublishContext } from './context.ts'
import { inTurn } from './files/queue.ts'
import { readContentOf } from './files/read-content.ts'
import type { Publication, PublishHandler } from './port.ts'
import { HandlerResult, type Published, type PublishFailed } from './schemas.ts'

export interface SitePublishOptions {
  readonly adapter: ContentAdapter
  readonly publish: PublishHandler | undefined
  readonly maxPagesRemoved: number | undefined
  readonly log: Logger
}

/** A publication as it arrives, before its pages are known to be pages. */
export type Received = Omit<Publication, 'pages' | 'allowDelete'> & {
  readonly pages?: unknown
  readonly allowDelete?: unknown
}

export type SiteAnswer =
  | { readonly status: 200; readonly body: Published }
  | { readonly status: 400 | 409 | 500; readonly body: PublishFailed }

/**
 * Publishes what was received, unless it is malformed or would remove too much. What is published now and
 * cannot be read in time keeps the rules for removed pages closed.
 */
export async function publishToSite(received: Received, options: SitePublishOptions): Promise<SiteAnswer> {
  const parsed = v.safeParse(v.array(Page), received.pages, { abortEarly: true })
  if (!parsed.success) return refusal(400, 'invalid_request', wrongPages(v.getDotPath(parsed.issues[0])))
  const pages = parsed.output
  const twice = repeatedSlug(pages)
  if (twice !== undefined) return refusal(400, 'invalid_request', slugTwice(twice))
  return inTurn(options.adapter, () => judgeAndPublish({ ...received, pages }, options))
}

/** Publishes of one source take turns, so that none is judged by content that another one is replacing. */
async function judgeAndPublish(
  received: Received & Pick<Publication, 'pages'>,
  { adapter, publish, maxPagesRemoved, log }: SitePublishOptions,
): Promise<SiteAnswer> {
  const { pages } = received
  const content = await readContentOf(adapter).catch((err: unknown) => {
    log.warn({ err }, 'published content could not be read')
    return undefined
  })
  const baseline = content?.pages
  const verdict = checkDestructivePublish({
    pages,
    baseline,
    allowDelete: received.allowDelete,
    maxPagesRemoved,
  })
  if (!verdict.ok) return refusal(409, verdict.error, verdict.reason)
  if (!publish) return refusal(500, 'no_publish_handler', noHandler)
  const publication: Publication = { ...received, allowDelete: received.allowDelete === true }
  const context = createPublishContext({
    baseline,
    siteConfig: content?.siteConfig,
    session: received.session,
  })
  try {
    return toAnswer(v.parse(HandlerResult, await publish(publication, context)), pages)
  } catch (err) {
    log.error({ err }, 'publish handler failed')
    return refusal(500, 'publish_failed', handlerFailed)
  }
}

function toAnswer(
  { ok, slugs, error, reason, notes, unsupported }: HandlerResult,
  pages: readonly Page[],
): SiteAnswer {
  const remarks = { notes, unsupported }
  if (ok) return { status: 200, body: { ok, slugs: slugs ?? pages.map(({ slug }) => slug), ...remarks } }
  const shown = slugs && slugs.length > 0 ? slugs : undefined
  return { status: 500, body: { ok, error: error ?? 'publish_failed', reason, slugs: shown, ...remarks } }
}

function refusal(status: 400 | 409 | 500, error: string, reason: string): SiteAnswer {
  return { status, body: { ok: false, error, reason } }
}

const noHandler = 'This site has no publish handler. Pass `publish` to createSiteEditor.'
const handlerFailed = 'The site could not store the pages. Its log says why; publish again when it is mended.'

function wrongPages(place: string | null): string {
  if (place === null) return 'pages must be an array of page documents.'
  const wanted = 'Send page documents, each with id, slug, title, updatedAt and blocks.'
  return `pages.${place} is missing or of the wrong type. ${wanted}`
}
