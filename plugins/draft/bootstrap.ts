import * as v from 'valibot'
import { defineRefusal, pace, Refusal } from '../../kernel/index.ts'
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
    const read = await withoutForeign(await readIncoming(pages, limits), (slug) => drafts.page(id, slug))
    if (read.pages.size === 0) throw noValidPage(read.refused)
    const { usable, blocked } = await withoutBlocked(read.pages, (slug) => drafts.page(id, slug), leftOut)
    if (usable.size === 0) for (const entry of blocked) throw slugUnreadable(entry)
    const taken = blocked.map((entry) => ({ slug: entry.slug, reason: slugIsTaken(entry) }))
    const [count, refused] = [read.count - taken.length, [...read.refused, ...taken]]
    const edit = {
      kind: 'pages',
      pages: usable,
      leftOut: read.refused,
      ...(siteConfig && { siteConfig: { values: siteConfig, overwrite } }),
      source: 'push',
      summary: `Loaded ${count} pages from the site`,
      site,
    } as const
    const toAnswer = ({ previewVersion, slugs = [] }: Committed): Bootstrapped => ({
      status: 'bootstrapped',
      count,
      slugs: [...homeFirst(slugs)],
      previewVersion,
      refused: [...refused],
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

/** Refuses pages with a block that cannot be read, unless the draft has it: only a site has such blocks. */
async function withoutForeign(
  read: Awaited<ReturnType<typeof readIncoming>>,
  pageOf: (slug: string) => Promise<Pick<StoredPage, 'page'> | undefined>,
): Promise<typeof read> {
  const pages = new Map(read.pages)
  const refused = [...read.refused]
  for (const [slug, page] of read.pages) {
    await pace()
    if (!page.blocks.some(isLocked)) continue
    const foreign = foreignIn(page, (await pageOf(slug))?.page.blocks ?? [])
    if (!foreign) continue
    pages.delete(slug)
    const { reason } = foreign.unreadable
    refused.push({ slug, reason: `blocks.${page.blocks.indexOf(foreign)}: ${reason}` })
  }
  return { pages, refused, count: read.count - (read.pages.size - pages.size) }
}

/** Returns the pages without new ones at the slug of an entry of the site that cannot be read. */
async function withoutBlocked(
  pages: ReadonlyMap<string, Page>,
  pageOf: (slug: string) => Promise<unknown>,
  skippedPages: readonly LeftOut[],
) {
  const usable = new Map(pages)
  const blocked: LeftOut[] = []
  for (const [slug, entry] of blockedSlugs(skippedPages)) {
    if (!usable.has(slug) || (await pageOf(slug))) continue
    usable.delete(slug)
    blocked.push(entry)
  }
  return { usable, blocked }
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
  for (const [at, candidate] of raw.entries()) {
    await pace()
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
