/** A website for sequences of publishes: what it lists is not always what it has. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import * as v from 'valibot'
import { Page } from '../../plugins/content/page.ts'
import { sameJson } from '../../plugins/content/plain-object.ts'
import { type Content, start, toSite } from './play-edits.ts'
import { readAfter, type WebsiteRead } from './play-reads.ts'
import { shut, signedAddress } from './tree.ts'

/** What a site does with the blocks that it stores. */
export interface Storing {
  readonly dropped: readonly string[]
  readonly changed: readonly string[]
  readonly added: readonly string[]
}
export const storesAll: Storing = { dropped: [], changed: [], added: [] }

type Block = Page['blocks'][number]
const withProps = (page: Page, change: (block: Block) => Block['props']): Page => ({
  ...page,
  blocks: page.blocks.map((block) => (block.type === 'Hero' ? { ...block, props: change(block) } : block)),
})

/** A page with addresses that are signed anew. */
const signed = (page: Page, signature: string): Page =>
  withProps(page, ({ props }) =>
    String(props['imageUrl']).startsWith(signedAddress)
      ? { ...props, imageUrl: `${signedAddress}${signature}` }
      : props,
  )
/** Content in which the addresses of the heroes of two pages are signed. */
export const withSignatures = ({ pages, settings }: Content): Content => ({
  settings,
  pages: pages.map((page) =>
    withProps(page, ({ id, props }) =>
      ['hero-home', 'hero-a'].includes(id) ? { ...props, imageUrl: signedAddress } : props,
    ),
  ),
})

/** Entries that cannot be read, of which the first is listed before the pages. */
export const odds: readonly unknown[] = [
  { slug: '/odd', title: 5, own: [null] },
  { id: 'second', slug: '/', title: 'Second', blocks: [] },
  { title: 'Nowhere', meta: null },
  7,
  { slug: '/none', title: 'None', blocks: 'none' },
]
const isOdd = (entry: unknown): boolean => odds.some((each) => sameJson(each, entry))

/** A page as the site lists it: the block without a type, and a key without a value. */
const asListed = ({ blocks, ...page }: Page, hasNulls: boolean): object => ({
  ...page,
  ...(hasNulls && !page.meta && { meta: null }),
  blocks: blocks.map((block) => (block.type === shut ? { ...block, type: null } : block)),
})
const Listed = v.looseObject({
  meta: v.nullish(v.record(v.string(), v.unknown())),
  blocks: v.array(v.looseObject({ type: v.nullable(v.string()) })),
})
/** The page that was listed as this entry. */
function pageIn(entry: unknown): Page {
  const { meta, blocks, ...page } = v.parse(Listed, entry)
  const typed = blocks.map(({ type, ...block }) => ({ ...block, type: type ?? shut }))
  return v.parse(Page, { ...page, ...(meta && { meta }), blocks: typed })
}

/** The blocks of a page, and what else it has. */
const partsIn = ({ blocks, ...page }: Page): readonly string[] =>
  [...blocks, { ...page, updatedAt: '' }].map((part) => JSON.stringify(part))

const Sent = v.object({
  pages: v.array(v.unknown()),
  siteConfig: v.optional(v.record(v.string(), v.unknown())),
  redirects: v.optional(v.array(v.object({ from: v.string(), to: v.string() })), []),
})

export function createWebsite({ isBehind }: { readonly isBehind: boolean }) {
  const website = {
    content: start,
    /** What it still shows before its content, oldest first. */
    older: [] as readonly Content[],
    /** What it had before the newest publish, which one of its nodes still has. */
    former: undefined as Content | undefined,
    isOldNode: false,
    /** Its entries that cannot be read. */
    odd: [] as readonly unknown[],
    hasNulls: false,
    /** Whether it was read since keys were `null`, or not any more. */
    isRead: true,
    /** Whether it gets an earlier publish again, with the pages as they were then. */
    isRestored: false,
    /** What it leaves out of its home page when it is read. */
    hidden: [] as readonly string[],
    storing: storesAll,
    /** What was sent last. */
    sent: undefined as Content | undefined,
    /** What publishes have replaced, block by block: where it shows that again, it means what was sent. */
    replaced: new Set<string>(),
    /** Whether the address of an image differs behind its `?` at every read. */
    isVolatile: false,
    /** Whether the last two pages change their places at every read. */
    isShuffled: false,
    reads: 0,
    /** The last read before each publish, and the newest one. */
    lastReads: [undefined] as (WebsiteRead | undefined)[],
  }
  /** What it shows. */
  const listed = (): Content => {
    const shown = (website.isOldNode && website.former) || (website.older[0] ?? website.content)
    const pages = shown.pages.map((page) =>
      page.slug === '/' && website.hidden.length > 0
        ? withProps(page, ({ props }) =>
            Object.fromEntries(Object.entries(props).filter(([name]) => !website.hidden.includes(name))),
          )
        : page,
    )
    return { ...shown, pages }
  }
  const signature = (): string => (website.isVolatile ? String(website.reads) : '')
  const ordered = (): readonly Page[] => {
    const { pages } = listed()
    const isTurned = website.isShuffled && website.reads % 2 === 0
    return isTurned ? [...pages.slice(0, -2), ...pages.slice(-2).toReversed()] : pages
  }
  const entries = (): readonly unknown[] => {
    const [first, others] = [website.odd.filter((each) => each === odds[0]), website.odd]
    const pages = ordered().map((page) => asListed(signed(page, signature()), website.hasNulls))
    return [...first, ...pages, ...others.filter((each) => each !== odds[0])]
  }
  const noteRead = (): void => {
    const slugs = ordered().map(({ slug }) => slug)
    const isSigned = JSON.stringify(listed()).includes(signedAddress)
    const shown = { slugs, signature: isSigned ? signature() : undefined }
    website.lastReads.push(readAfter(website.lastReads.pop(), shown))
  }
  const answer = (): object => ({ ...toSite(listed()), pages: entries() })
  const stored = (page: Page): Page => {
    const { dropped, changed, added } = website.storing
    return withProps(page, ({ props }) => ({
      ...Object.fromEntries(added.map((name) => [name, 'added'])),
      ...Object.fromEntries(
        Object.entries(props).flatMap(([name, value]) =>
          dropped.includes(name)
            ? []
            : [[name, changed.includes(name) ? String(value).toUpperCase() : value]],
        ),
      ),
    }))
  }
  const showsReplaced = (page: Page): boolean => {
    const sent = website.sent?.pages.find(({ slug }) => slug === page.slug)
    const parts = new Set(sent && partsIn(sent))
    return partsIn(page).some((part) => website.replaced.has(part) && !parts.has(part))
  }
  /**
   * Stores the pages of a publish and what it carries; pages that are as they were listed come as they were
   * listed.
   */
  function store(body: unknown): void {
    const { pages: sent, siteConfig = {}, redirects } = v.parse(Sent, body)
    const shown = new Map(listed().pages.map((page) => [page.slug, page]))
    website.odd = sent.filter(isOdd)
    const others = sent.filter((entry) => !isOdd(entry))
    const pages = others.map(pageIn)
    for (const [at, page] of pages.entries()) {
      const before = shown.get(page.slug)
      const isEqual = sameJson({ ...before, updatedAt: '' }, { ...page, updatedAt: '' })
      const isExact = website.isRead && !website.isRestored && !website.isOldNode && !isBehind
      if (!isExact || !before || !isEqual || showsReplaced(before)) continue
      const expected = asListed({ ...before, updatedAt: page.updatedAt }, website.hasNulls)
      assert.deepEqual(others[at], expected, 'a page as it was listed')
    }
    const $redirects = Object.fromEntries(redirects.map(({ from, to }) => [from, to]))
    website.sent = { pages, settings: { ...siteConfig, $redirects } }
    website.lastReads.push(website.lastReads.at(-1))
    const before = website.content
    for (const page of before.pages) for (const part of partsIn(page)) website.replaced.add(part)
    website.content = { ...website.sent, pages: pages.map(stored) }
    if (isBehind) website.older = [...website.older, before]
    else website.former = before
  }
  const listener: RequestListener = async (request, response) => {
    const respond = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url?.startsWith('/api/editor/pages')) {
      website.isRead = true
      website.reads += 1
      // What fills a draft names its site, and is not compared with other reads.
      if (!request.url.includes('?')) noteRead()
      return respond(200, answer())
    }
    if (request.url !== '/api/editor/publish') return respond(404, {})
    try {
      store(JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()))
    } catch (error) {
      return respond(500, { error: String(error) })
    }
    return respond(200, { ok: true, slugs: website.content.pages.map(({ slug }) => slug) })
  }
  const reset = (): void =>
    void Object.assign(website, {
      content: start,
      older: [],
      former: undefined,
      isOldNode: false,
      odd: [],
      hasNulls: false,
      isRead: true,
      isRestored: false,
      hidden: [],
      storing: storesAll,
      sent: undefined,
      replaced: new Set(),
      isVolatile: false,
      isShuffled: false,
      reads: 0,
      lastReads: [undefined],
    })
  const sent = () => website.sent
  return { website, store, listener, listed, answer, sent, reset }
}
