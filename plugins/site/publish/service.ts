import * as v from 'valibot'
import type { Answer, Logger } from '../../../kernel/index.ts'
import { checkDestructivePublish } from '../../content/destructive.ts'
import { Page } from '../../content/page.ts'
import { withoutPageNulls } from '../../content/read-pages.ts'
import { repeatedSlug, slugTwice } from '../../content/slugs.ts'
import { inTurn, readContentOf } from '../content.ts'
import type { SiteOptions } from '../port.ts'
import type { routes } from '../routes.ts'
import { HandlerResult, type PublicationBody } from '../schemas.ts'

/** The pages of a publication; `null` counts as absent. */
const Pages = v.pipe(v.array(v.unknown()), v.mapItems(withoutPageNulls), v.array(Page))

type SiteAnswer = Answer<typeof routes.publish>

/**
 * Publishes a publication, unless it is malformed or would remove too much. If the published content cannot
 * be read, a publish that might remove pages is refused.
 */
export async function publishToSite(
  received: Omit<v.InferOutput<typeof PublicationBody>, 'siteId'>,
  { adapter, publish, maxPagesRemoved }: SiteOptions,
  log: Logger,
): Promise<SiteAnswer> {
  const { success, output: pages, issues } = v.safeParse(Pages, received.pages, { abortEarly: true })
  if (!success) return refusal(400, 'invalid_request', wrongPages(v.getDotPath(issues[0])))
  const twice = repeatedSlug(pages)
  if (twice !== undefined) return refusal(400, 'invalid_request', slugTwice(twice))
  // Serialised: no publish is checked against content that another publish is replacing.
  return inTurn(adapter, async () => {
    const { allowDelete, session } = received
    const content = await readContentOf(adapter).catch((err: unknown) => {
      log.warn({ err }, 'published content could not be read')
      return undefined
    })
    const { pages: baseline, siteConfig, unreadable } = content ?? {}
    const verdict = checkDestructivePublish({ pages, baseline, unreadable, allowDelete, maxPagesRemoved })
    if (!verdict.ok) return refusal(409, verdict.error, verdict.reason)
    if (!publish) {
      const reason = 'This site has no publish handler. Pass `publish` to createSiteEditor.'
      return refusal(500, 'no_publish_handler', reason)
    }
    const context = { baseline, published: baseline, siteConfig, session }
    try {
      const result = await publish({ ...received, pages, allowDelete: allowDelete === true }, context)
      return toAnswer(v.parse(HandlerResult, result), pages)
    } catch (err) {
      log.error({ err }, 'publish handler failed')
      const remedy = 'See its log, and publish again when the cause is fixed.'
      return refusal(500, 'publish_failed', `The site could not store the pages. ${remedy}`)
    }
  })
}

function toAnswer(result: HandlerResult, pages: readonly Page[]): SiteAnswer {
  const { ok, slugs, error, reason, ...remarks } = result
  if (ok) return { status: 200, body: { ok, slugs: slugs ?? pages.map(({ slug }) => slug), ...remarks } }
  const shown = slugs && slugs.length > 0 ? slugs : undefined
  return { status: 500, body: { ok, error: error ?? 'publish_failed', reason, slugs: shown, ...remarks } }
}

const refusal = (status: 400 | 409 | 500, error: string, reason: string): SiteAnswer => ({
  status,
  body: { ok: false, error, reason },
})

function wrongPages(place: string | null): string {
  if (place === null) return 'pages must be an array of page documents.'
  return `pages.${place} is missing or of the wrong type. Send page documents, each with id, slug, title, updatedAt and blocks.`
}
