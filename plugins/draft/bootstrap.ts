import * as v from 'valibot'
import { defineRefusal, pace, paced, Refusal } from '../../kernel/index.ts'
import { slugIsTaken } from '../content/carry.ts'
import { foreignIn, isLocked } from '../content/locked.ts'
import type { Page } from '../content/page.ts'
import { idsOf, type Origin, readPage, secondAt, type Unreadable } from '../content/read-pages.ts'
import { homeFirst } from '../content/slugs.ts'
import type { DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import type { Limits } from './collections.ts'
import type { DraftsContext } from './context.ts'
import { blockedSlugs, tooLarge } from './edits/skipped.ts'
import type { BootstrapDraft, BootstrapRequest, Committed, Drafts, LeftOut, StoredPage } from './port.ts'
import { slugUnreadable, tooManyPages } from './refusals.ts'
import { declaredTypes } from './request.ts'
import { Bootstrapped, Skipped } from './schemas.ts'

export const contradicted = defineRefusal({
  status: 409,
  code: 'refused',
  error: 'refused',
  reason: (stated: string, registered: string) =>
    `These pages come from ${stated}, but the site is registered at ${registered}. Register the site again if it has moved.`,
})

export const noValidPage = defineRefusal({
  status: 400,
  code: 'invalid_pages',
  reason: (_refused: readonly Unreadable[]) =>
    'None of the pages is a page document: each needs id, slug, title, updatedAt and blocks.',
  extra: (refused) => ({ refused }),
})

/** Changes nothing, so that an answer can be stored under its key. */
export const noPages = { kind: 'pages', pages: new Map(), source: 'push', summary: '' } as const

/**
 * Imports a site's pages into a draft, or returns why there is nothing to do. A draft with a base follows its
 * site first: a copy of the site, also of an earlier state, leaves what the draft has changed. Any other
 * draft gets its base then.
 */
export function createBootstrap(
  drafts: Drafts,
  { sites, limits, site: linked }: Pick<DraftsContext, 'sites' | 'limits' | 'site'>,
): BootstrapDraft {
  return async function bootstrap(request: BootstrapRequest): Promise<Bootstrapped | Skipped> {
    const { id, pages, siteConfig, overwrite, origin, context } = request
    const again = await drafts.answered({ id, idempotency: context.idempotency })
    if (again) return v.parse(v.variant('status', [Bootstrapped, Skipped]), again.answer)
    await refuseOtherOrigin(sites, id, origin)
    if (overwrite && (await drafts.spendRestoredMark(id))) return skipped('recently_restored')
    const { version, pageCount, agreed } = await drafts.head(id)
    if (!overwrite && pageCount > 0) return skipped('already_initialized')
    if (!Array.isArray(pages) || pages.length === 0) return skipped('no_pages')
    if (pages.length > limits.maxPagesPerBootstrap) throw tooManyPages(limits.maxPagesPerBootstrap)
    // A version that the caller states is one before the draft follows.
    const isFollowing = agreed && overwrite && typeof context.expect !== 'number'
    const site = isFollowing ? await linked.follow(id) : undefined
    const { leftOut } = await drafts.head(id)
    const read = await readIncoming(pages, limits)
    const { usable, foreign, blocked } = await divided(read.pages, leftOut, (slug) => drafts.page(id, slug))
    const unusable = [...read.refused, ...foreign]
    if (usable.size === 0) throw blocked[0] ? slugUnreadable(blocked[0]) : noValidPage(unusable)
    const count = read.count - foreign.length - blocked.length
    const refused = [
      ...unusable,
      ...blocked.map((entry) => ({ slug: entry.slug, reason: slugIsTaken(entry) })),
    ]
    const edit = {
      kind: 'pages',
      pages: usable,
      leftOut: unusable,
      ...(siteConfig && { siteConfig: { values: siteConfig, overwrite } }),
      source: 'push',
      summary: `Loaded ${count} pages from the site`,
      site,
      manifest: agreed ? await declaredTypes(undefined, id, sites) : undefined,
    } as const
    const toAnswer = ({ previewVersion, slugs = [], refused: taken = [] }: Committed): Bootstrapped => ({
      status: 'bootstrapped',
      count: count - taken.length,
      slugs: [...homeFirst(slugs)],
      previewVersion,
      refused: [...refused, ...taken],
    })
    // Without `overwrite` the draft must still be empty; callers do not send a version.
    const unseen = !overwrite && context.expect === undefined
    try {
      const request = { id, edit, ...context, ...(unseen && { expect: version }) }
      const answer = await drafts.commit(request, toAnswer)
      // The site is the base of what was pushed, so that a later copy of it is known as one.
      if (!agreed) await linked.follow(id)
      return answer
    } catch (error) {
      if (unseen && error instanceof Refusal && error.code === 'version_mismatch') return bootstrap(request)
      throw error
    }

    async function skipped(reason: Skipped['reason']): Promise<Skipped> {
      const slugs = [...homeFirst((await drafts.rows(id)).map(({ slug }) => slug))]
      const answer: Skipped = { status: 'skipped', reason, slugs }
      // Also stored under the key: a repetition of a skipped request must not be carried out.
      return context.idempotency
        ? drafts.commit({ id, edit: noPages, ...context, expect: undefined }, () => answer)
        : answer
    }
  }
}

/**
 * Divides incoming pages: `foreign` have a block that cannot be read and that the draft lacks, as only a site has
 * such blocks; `blocked` are new ones at the slug of an entry of the site that cannot be read.
 */
async function divided(
  pages: ReadonlyMap<string, Page>,
  leftOut: readonly LeftOut[],
  pageOf: (slug: string) => Promise<Pick<StoredPage, 'page'> | undefined>,
) {
  const usable = new Map(pages)
  const foreign: Unreadable[] = []
  const blocked: LeftOut[] = []
  const entries = blockedSlugs(leftOut)
  for await (const [slug, page] of paced(pages)) {
    const entry = entries.get(slug)
    if (!entry && !page.blocks.some(isLocked)) continue
    const own = await pageOf(slug)
    const block = foreignIn(page, own?.page.blocks ?? [])
    if (block)
      foreign.push({ slug, reason: `blocks.${page.blocks.indexOf(block)}: ${block.unreadable.reason}` })
    else if (entry && !own) blocked.push(entry)
    else continue
    usable.delete(slug)
  }
  return { usable, foreign, blocked }
}

async function refuseOtherOrigin(sites: Sites, id: DraftId, stated: string | undefined): Promise<void> {
  if (stated === undefined || stated.trim() === '') return
  const registered = await sites.previewUrl(id)
  if (registered !== undefined && bareOrigin(stated) !== bareOrigin(registered))
    throw contradicted(bareOrigin(stated), bareOrigin(registered))
}

/** The maximum length of an address in a message. */
const longestEcho = 200

/** Returns the origin of an address, with one spelling of loopback names; for other texts, the beginning. */
function bareOrigin(address: string): string {
  const url = URL.parse(address)
  if (!url) return address.slice(0, longestEcho)
  if (url.hostname === '127.0.0.1') url.hostname = 'localhost'
  return url.origin
}

/**
 * Reads incoming pages by the rules for a site; a page of more than `maxPageBytes` bytes cannot be used
 * either. Of pages with one slug the one that `wins` counts; if that is the first, the others are refused.
 */
export async function readIncoming(
  raw: readonly unknown[],
  { maxPageBytes }: Limits,
  { wins = 'last', from }: { readonly wins?: 'first' | 'last'; readonly from?: Origin } = {},
): Promise<{
  readonly pages: ReadonlyMap<string, Page>
  readonly refused: readonly Unreadable[]
  /** The number of usable pages, duplicates by slug included if the last one wins. */
  readonly count: number
}> {
  const pages = new Map<string, Page>()
  const refused: Unreadable[] = []
  const ids = idsOf(raw)
  let count = 0
  for await (const [at, candidate] of paced(raw.entries())) {
    const read = readPage(candidate, at, { from, ids })
    await pace()
    const fault = 'unreadable' in read ? read.unreadable : faultOf(read.page)
    if (fault) refused.push(fault)
    if (fault || !('page' in read)) continue
    count++
    pages.set(read.page.slug, read.page)
  }
  return { pages, count, refused }

  function faultOf(page: Page): Unreadable | undefined {
    if (Buffer.byteLength(JSON.stringify(page)) > maxPageBytes) return tooLarge(page, maxPageBytes)
    return wins === 'first' && pages.has(page.slug) ? secondAt(page.slug) : undefined
  }
}
