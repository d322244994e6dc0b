import * as v from 'valibot'
import type { Answer, Logger } from '../../../kernel/index.ts'
import { checkDestructivePublish } from '../../content/destructive.ts'
import { slugIsTaken, toStored, unreadableSlugs, withCarried, withoutEntries } from '../../content/carry.ts'
import { foreignIn, isLocked, lockedSentence } from '../../content/locked.ts'
import { Page } from '../../content/page.ts'
import { sameJson } from '../../content/plain-object.ts'
import type { SiteContent } from '../../content/adapter.ts'
import { inDraftForm, withLocks } from '../../content/read-pages.ts'
import { settingsOf } from '../../content/redirects.ts'
import { slugTwice } from '../../content/slugs.ts'
import { inTurn, readContentOf, tagOf } from '../content.ts'
import type { SiteOptions } from '../port.ts'
import type { routes } from '../routes.ts'
import { HandlerResult, type PublicationBody } from '../schemas.ts'

type SiteAnswer = Answer<typeof routes.publish>

/**
 * Publishes a publication, unless it is malformed or would remove too much. If the published content cannot
 * be read, a publish that might remove pages is refused. Entries of the content that cannot be used stay at
 * their places, whether the publication has them or not.
 */
export async function publishToSite(
  {
    ifMatch,
    remove,
    ...received
  }: Omit<v.InferOutput<typeof PublicationBody>, 'siteId'> & {
    /** The entity tag of the content that the publication was made for. */
    readonly ifMatch?: string | undefined
  },
  { adapter, publish, maxPagesRemoved }: SiteOptions,
  log: Logger,
): Promise<SiteAnswer> {
  // Serialised: no publish is checked against content that another publish is replacing.
  return inTurn(adapter, async () => {
    const { allowDelete, session } = received
    const whole = await readContentOf(adapter).catch((err: unknown) => {
      log.warn({ err }, 'published content could not be read')
      return undefined
    })
    if (whole && ifMatch !== undefined && withoutWeakness(ifMatch) !== tagOf(whole))
      return refusal(412, 'site_changed', changedSince)
    const { site: content, removed } = whole ? withoutEntries(whole, remove) : { site: whole, removed: [] }
    const { pages: baseline, siteConfig: settings } = content ?? {}
    const blocked = unreadableSlugs(content)
    const read = pagesIn(received.pages, content ?? { pages: [] }, blocked)
    if (!('pages' in read)) return refusal(400, 'invalid_request', read.reason)
    const { pages } = read
    const [taken] = pages.flatMap(({ slug }) => blocked.get(slug) ?? [])
    if (taken) return refusal(400, 'slug_unreadable', slugIsTaken(taken))
    const before = baseline && [...baseline, ...removed]
    const verdict = checkDestructivePublish({ pages, baseline: before, allowDelete, maxPagesRemoved })
    if (!verdict.ok) return refusal(409, verdict.error, verdict.reason)
    if (!publish) {
      const reason = 'This site has no publish handler. Pass `publish` to createSiteEditor.'
      return refusal(500, 'no_publish_handler', reason)
    }
    const siteConfig = settings && settingsOf(settings)
    const context = { baseline, published: baseline, siteConfig, session, ...(remove && { remove }) }
    const stored = toStored((await withCarried(pages, content)).entries)
    try {
      const result = await publish({ ...received, pages: stored, allowDelete: allowDelete === true }, context)
      return toAnswer(v.parse(HandlerResult, result), pages, blocked)
    } catch (err) {
      log.error({ err }, 'publish handler failed')
      const remedy = 'See its log, and publish again when the cause is fixed.'
      return refusal(500, 'publish_failed', `The site could not store the pages. ${remedy}`)
    }
  })
}

/**
 * Reads what is to be published, without the entries that the site has and cannot use, and with its blocks
 * that cannot be used locked; `null` counts as absent.
 */
function pagesIn(
  received: unknown,
  { pages: published, unreadable = [] }: SiteContent,
  blocked: ReadonlyMap<string, unknown>,
): { readonly pages: readonly Page[] } | { readonly reason: string } {
  if (!Array.isArray(received)) return { reason: wrongPages() }
  const isCarried = (entry: unknown): boolean => unreadable.some(({ raw }) => sameJson(raw, entry))
  const locked = published.flatMap(({ blocks }) => blocks.filter(isLocked))
  const isStored = (block: unknown): boolean => locked.some(({ unreadable: { raw } }) => sameJson(raw, block))
  const pages = new Map<string, Page>()
  for (const [at, entry] of received.entries()) {
    const own = inDraftForm(entry)
    const given = locked.length > 0 ? withLocks(own, entry, isStored) : own
    const page = v.safeParse(Page, given, { abortEarly: true })
    const isOther = page.success && !pages.has(page.output.slug)
    if (!(isOther && !blocked.has(page.output.slug)) && isCarried(entry)) continue
    if (!page.success) return { reason: wrongPages(at, v.getDotPath(page.issues[0])) }
    if (!isOther) return { reason: slugTwice(page.output.slug) }
    const foreign = foreignIn(page.output, locked)
    if (foreign) return { reason: `${lockedSentence(page.output.slug, foreign)} ${notHere}` }
    pages.set(page.output.slug, page.output)
  }
  return { pages: [...pages.values()] }
}

function toAnswer(
  result: HandlerResult,
  pages: readonly Page[],
  blocked: ReadonlyMap<string, unknown>,
): SiteAnswer {
  const { ok, slugs: given, error, reason, ...remarks } = result
  const named = given?.filter((slug) => typeof slug === 'string')
  const slugs = named && [...new Set(named.filter((slug) => !blocked.has(slug)))]
  if (ok) return { status: 200, body: { ok, slugs: slugs ?? pages.map(({ slug }) => slug), ...remarks } }
  const shown = slugs && slugs.length > 0 ? slugs : undefined
  return { status: 500, body: { ok, error: error ?? 'publish_failed', reason, slugs: shown, ...remarks } }
}

/** Proxies that compress an answer mark its tag as weak. */
const withoutWeakness = (tag: string): string => tag.trim().replace(/^W\//, '')
const notHere = 'This site has no such block, so it is not stored. Remove it from the page.'
const changedSince =
  'The content of this site has changed since it was read. Read it again, and publish on top of that.'

const refusal = (status: 400 | 409 | 412 | 500, error: string, reason: string): SiteAnswer => ({
  status,
  body: { ok: false, error, reason },
})

function wrongPages(at?: number, place: string | null = null): string {
  if (at === undefined) return 'pages must be an array of page documents.'
  const path = place === null ? at : `${at}.${place}`
  return `pages.${path} is missing or of the wrong type. Send page documents, each with id, slug, title, updatedAt and blocks.`
}
