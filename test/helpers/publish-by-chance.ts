/** Sequences of what happens to a site and its drafts, with few places, so that changes meet. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import * as v from 'valibot'
import type { Injected } from '../../kernel/index.ts'
import { mountForTest, stillClock, type Ask } from '../../kernel/testing.ts'
import type { SiteContent } from '../../plugins/content/adapter.ts'
import { sameJson } from '../../plugins/content/plain-object.ts'
import { type Block, Page, SiteConfig } from '../../plugins/content/page.ts'
import { conflictsIn, type PlacedConflict } from './conflicts.ts'
import fc, { pick } from './property.ts'
import {
  comparable,
  config,
  createOracle,
  type Sheet,
  type State,
  storedOf,
  type Storing,
  storesAll,
  withSheet,
  withValue,
} from './publish-oracle.ts'
import { inHouse, noon, publishing, type PublishingOptions } from './publishing.ts'
import { serve } from './raw.ts'
import { editor } from './stack.ts'
import { until } from './until.ts'

const word = pick('one', 'two', 'three', 'four')
const draft = pick('dev', 'dev', 'review', 'review', 'late')
const slug = pick('/', '/', '/a')
/** The slugs of pages that come and go. */
const passing = pick('/a', '/b')
const place = pick(
  'hero heading',
  'hero heading',
  'hero heading',
  'hero subheading',
  'faq title',
  'row r1',
  'row r1',
  'row r2',
  'bare row',
  'extra heading',
)
const removable = pick('row r1', 'extra heading', 'locked block')
/** A place that the site changes by itself. */
const sitePlace = fc.oneof({ weight: 9, arbitrary: place }, { weight: 1, arbitrary: pick('locked block') })
/** The block that is first. */
const first = pick('hero', 'faq')
const orNone = (values: fc.Arbitrary<string>) => fc.option(values, { nil: undefined })

/** Something that happens; it is left out where it is not possible. */
export type PublishStep =
  | {
      readonly kind: 'edit'
      readonly draft: string
      readonly slug: string
      readonly place: string
      readonly value?: string | undefined
    }
  | {
      readonly kind: 'page'
      readonly draft: string
      readonly slug: string
      readonly value?: string | undefined
    }
  | { readonly kind: 'config'; readonly draft: string; readonly value: string }
  | { readonly kind: 'undo'; readonly draft: string; readonly slug: string }
  | { readonly kind: 'publish'; readonly draft: string; readonly overwrite?: boolean; readonly only?: string }
  | { readonly kind: 'diff' | 'follow'; readonly draft: string }
  | {
      readonly kind: 'decide'
      readonly draft: string
      readonly which: number
      readonly take: 'draft' | 'site'
      /** Whether the decision is undone at once. */
      readonly isUndone: boolean
    }
  | {
      readonly kind: 'site'
      readonly slug: string
      readonly place: string
      readonly value?: string | undefined
    }
  | { readonly kind: 'site page'; readonly slug: string; readonly value?: string | undefined }
  | { readonly kind: 'site config'; readonly value: string }
  | { readonly kind: 'hide'; readonly places: readonly string[] }
  | ({ readonly kind: 'store' } & Storing)
  /** Which entries of the site cannot be read, and whether its pages have keys without a value. */
  | { readonly kind: 'odd'; readonly which: readonly number[]; readonly hasNulls: boolean }
  | { readonly kind: 'arrive'; readonly all: boolean }
  /** The site answers what it had before one of the last publishes; what it has itself, without `age`. */
  | { readonly kind: 'node'; readonly age?: number | undefined }
  | { readonly kind: 'roll back'; readonly draft: string; readonly to: number }
  | { readonly kind: 'push'; readonly draft: string; readonly age: number }
  | { readonly kind: 'schedule'; readonly draft: string; readonly overwrite?: boolean }
  | { readonly kind: 'due'; readonly draft: string; readonly which: number }

const single: fc.Arbitrary<PublishStep> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: pick('edit'), draft, slug, place, value: word }) },
  { weight: 1, arbitrary: fc.record({ kind: pick('edit'), draft, slug, place: removable }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: pick('edit'), draft, slug, place: pick('first'), value: first }),
  },
  { weight: 2, arbitrary: fc.record({ kind: pick('site'), slug, place: pick('first'), value: first }) },
  { weight: 3, arbitrary: fc.record({ kind: pick('page'), draft, slug: passing, value: orNone(word) }) },
  { weight: 3, arbitrary: fc.record({ kind: pick('config'), draft, value: word }) },
  { weight: 4, arbitrary: fc.record({ kind: pick('undo'), draft, slug }) },
  { weight: 6, arbitrary: fc.record({ kind: pick('publish'), draft }) },
  { weight: 2, arbitrary: fc.record({ kind: pick('publish'), draft, overwrite: pick(true) }) },
  { weight: 3, arbitrary: fc.record({ kind: pick('publish'), draft, only: pick('/', '/a', '/b') }) },
  { weight: 1, arbitrary: fc.record({ kind: pick('publish'), draft, overwrite: pick(true), only: slug }) },
  { weight: 3, arbitrary: fc.record({ kind: pick('diff', 'follow'), draft }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: pick('decide'),
      draft,
      which: fc.nat({ max: 9 }),
      take: pick('draft', 'site'),
      isUndone: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: pick('site'), slug, place: sitePlace, value: orNone(word) }) },
  { weight: 3, arbitrary: fc.record({ kind: pick('site page'), slug: passing, value: orNone(word) }) },
  { weight: 3, arbitrary: fc.record({ kind: pick('site config'), value: word }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: pick('hide'), places: fc.subarray(['hero heading', 'hero subheading']) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: pick('store'),
      dropped: fc.subarray(['hero subheading', 'row r1']),
      changed: fc.subarray(['hero heading', 'faq title', 'bare row']),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: pick('odd'), which: fc.subarray([0, 1, 2, 3, 4]), hasNulls: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: pick('roll back'), draft, to: fc.nat({ max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: pick('push'), draft, age: fc.nat({ max: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: pick('schedule'), draft }) },
  { weight: 1, arbitrary: fc.record({ kind: pick('schedule'), draft, overwrite: pick(true) }) },
  { weight: 4, arbitrary: fc.record({ kind: pick('due'), draft, which: fc.nat({ max: 2 }) }) },
)

/** What happens between the making and the time of a scheduled publish. */
const afterPin = (draft: string, place: string): readonly fc.Arbitrary<PublishStep>[] => [
  word.map((value) => ({ kind: 'edit', draft, slug: '/', place, value })),
  fc.constant({ kind: 'undo', draft, slug: '/' }),
  fc.constant({ kind: 'publish', draft }),
  word.map((value) => ({ kind: 'site', slug: '/', place, value })),
]

/** A draft and the site change the same. */
const meeting: fc.Arbitrary<readonly PublishStep[]> = fc.oneof(
  fc
    .tuple(draft, slug, place, word, word)
    .map(([draft, slug, place, mine, theirs]): readonly PublishStep[] => [
      { kind: 'edit', draft, slug, place, value: mine },
      { kind: 'site', slug, place, value: theirs },
    ]),
  fc.tuple(draft, place, word, orNone(word)).map(([draft, place, mine, theirs]): readonly PublishStep[] => [
    { kind: 'edit', draft, slug: '/a', place, value: mine },
    { kind: 'site page', slug: '/a', value: theirs },
  ]),
  fc.tuple(draft, place, orNone(word), word).map(([draft, place, mine, theirs]): readonly PublishStep[] => [
    { kind: 'page', draft, slug: '/a', value: mine },
    { kind: 'site', slug: '/a', place, value: theirs },
  ]),
  fc.tuple(draft, draft, word, word).map(([one, other, mine, theirs]): readonly PublishStep[] => [
    { kind: 'edit', draft: one, slug: '/', place: 'hero heading', value: mine },
    { kind: 'edit', draft: other, slug: '/', place: 'hero heading', value: theirs },
    { kind: 'publish', draft: other },
  ]),
  fc.tuple(draft, word, word, word).map(([draft, mine, theirs, then]): readonly PublishStep[] => [
    { kind: 'config', draft, value: mine },
    { kind: 'site config', value: theirs },
    { kind: 'diff', draft },
    { kind: 'config', draft, value: then },
  ]),
  fc
    .tuple(draft, place, word, word, word)
    .map(([draft, place, mine, theirs, then]): readonly PublishStep[] => [
      { kind: 'edit', draft, slug: '/', place, value: mine },
      { kind: 'site', slug: '/', place, value: theirs },
      { kind: 'diff', draft },
      { kind: 'edit', draft, slug: '/', place, value: then },
    ]),
  fc
    .tuple(
      draft,
      place,
      word,
      fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 }),
      fc.nat({ max: 1 }),
    )
    .chain(([draft, place, value, between, which]) =>
      fc
        .tuple(
          ...between.map(
            (kind) => afterPin(draft, place)[kind] ?? fc.constant<PublishStep>({ kind: 'schedule', draft }),
          ),
        )
        .map((list): readonly PublishStep[] => [
          { kind: 'edit', draft, slug: '/', place, value },
          { kind: 'schedule', draft },
          ...list,
          { kind: 'due', draft, which },
        ]),
    ),
)

const listOf = (single: fc.Arbitrary<PublishStep>): fc.Arbitrary<readonly PublishStep[]> =>
  fc
    .array(
      fc.oneof({ weight: 4, arbitrary: single.map((step) => [step]) }, { weight: 1, arbitrary: meeting }),
      { minLength: 3, maxLength: 20, size: 'max' },
    )
    .map((list) => list.flat())

const nodes: fc.Arbitrary<PublishStep> = fc.record({
  kind: pick('node'),
  age: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
})
/** Steps on a website that answers at once, and is behind now and then. */
export const steps = listOf(fc.oneof({ weight: 12, arbitrary: single }, { weight: 1, arbitrary: nodes }))
/** Steps on a website that is behind. */
export const stepsBehind = listOf(
  fc.oneof(
    { weight: 6, arbitrary: single.filter(({ kind }) => kind !== 'hide' && kind !== 'store') },
    { weight: 1, arbitrary: fc.record({ kind: pick('arrive'), all: fc.boolean() }) },
  ),
)

const sheet = (value = 'one'): Sheet => ({
  'hero heading': value,
  'hero subheading': 'one',
  'faq title': 'one',
  'row r1': 'one',
  'bare row': 'one',
  first: 'hero',
})
const start: State = new Map([
  ['/', sheet()],
  ['/a', sheet()],
  [config, { logo: 'one' }],
])

const rowId = (place: string): string => place.slice('row '.length)

/** The type of the block that a site lists without a type, so that it cannot be read. */
const shut = 'Shut'

/** What a new block gets where nothing is given. */
const defaults = { imagePosition: 'right', textAlign: 'left' }
const extraBlock = (slug: string, heading: string) => ({
  id: `extra${slug}`,
  type: 'Hero',
  props: {
    heading,
    subheading: '',
    ctaText: 'Go',
    ctaHref: '/',
    imageUrl: '/e.png',
    imageAlt: 'E',
    ...defaults,
  },
})

/** The page of a sheet; its list has a row `r0` before those of the sheet. */
function pageOf(slug: string, sheet: Sheet): Page {
  const textAt = (place: string, name: string) => (sheet[place] === undefined ? {} : { [name]: sheet[place] })
  const picture = { imageUrl: '/hero.png', imageAlt: 'A hero' }
  const hero = {
    id: `hero${slug}`,
    type: 'Hero',
    props: { ...textAt('hero heading', 'heading'), ...textAt('hero subheading', 'subheading'), ...picture },
  }
  const faq = {
    id: `faq${slug}`,
    type: 'FAQAccordion',
    props: { ...textAt('faq title', 'title'), items: rowsOf(sheet) },
  }
  const bare = { id: `bare${slug}`, type: 'FAQAccordion', props: { title: 'Bare', items: bareRowsOf(sheet) } }
  const own = sheet['locked block']
  const locked = own === undefined ? [] : [{ id: `locked${slug}`, type: shut, props: { own } }]
  const heading = sheet['extra heading']
  const extra = heading === undefined ? [] : [extraBlock(slug, heading)]
  return {
    id: `p${slug}`,
    slug,
    title: slug,
    updatedAt: noon,
    blocks: [...extra, ...(sheet['first'] === 'faq' ? [faq, hero] : [hero, faq]), bare, ...locked],
  }
}

function rowsOf(sheet: Sheet) {
  const places = Object.keys(sheet)
    .filter((place) => place.startsWith('row '))
    .toSorted()
  const row = (id: string, q = '') => ({ id, q, a: 'An answer' })
  return [row('r0', 'First'), ...places.map((place) => row(rowId(place), sheet[place]))]
}

/** The rows of a list without ids, of which there is at most one. */
const bareRowsOf = ({ 'bare row': q }: Sheet) => (q === undefined ? [] : [{ q, a: 'An answer' }])

/** The operations that give one place of a page another value. */
function operationsFor(slug: string, place: string, before: Sheet, after: Sheet): readonly object[] {
  const [block = '', prop = ''] = place.split(' ')
  const value = after[place]
  const extra = `extra${slug}`
  const at = { pageSlug: slug, blockId: extra }
  // The extra block may stand behind the first one.
  if (place === 'first') return [{ op: 'move_block', ...at, blockId: `${value}${slug}` }]
  if (block === 'locked') return [{ op: 'remove_block', ...at, blockId: `locked${slug}` }]
  if (block === 'extra' && value === undefined) return [{ op: 'remove_block', ...at }]
  if (block === 'extra' && before[place] === undefined)
    return [
      { op: 'add_block', pageSlug: slug, block: extraBlock(slug, value ?? '') },
      { op: 'move_block', ...at },
    ]
  if (block === 'bare')
    return [{ op: 'update_props', ...at, blockId: `bare${slug}`, patch: { items: bareRowsOf(after) } }]
  const patch = block === 'row' ? { items: rowsOf(after) } : { [prop]: value }
  return [{ op: 'update_props', ...at, blockId: `${block === 'row' ? 'faq' : block}${slug}`, patch }]
}

const BareRows = v.pipe(v.array(v.object({ q: v.string() })), v.maxLength(1))
const Rows = v.array(v.object({ id: v.string(), q: v.string(), a: v.literal('An answer') }))

/** The sheet of a page; throws if the page has anything else. */
function sheetOf({ slug, blocks }: Page): Sheet {
  const ids = blocks.map(({ id }) => id)
  const known = [`hero${slug}`, `faq${slug}`, `extra${slug}`, `bare${slug}`, `locked${slug}`]
  assert.deepEqual(
    ids.toSorted(),
    known.filter((id) => ids.includes(id) || !/^(?:extra|locked)/.test(id)).toSorted(),
  )
  const [hero, faq, extra, bare] = known.map((id) => blocks.find((block) => block.id === id)?.props)
  const rows = v.parse(Rows, faq?.['items'])
  const rowIds = rows.map(({ id }) => id)
  assert.deepEqual(rowIds, [...new Set(rowIds)], 'each row is there once')
  const values = [
    ['hero heading', hero?.['heading']],
    ['hero subheading', hero?.['subheading']],
    ['faq title', faq?.['title']],
    ['extra heading', extra?.['heading']],
    ['bare row', v.parse(BareRows, bare?.['items'])[0]?.q],
    ['locked block', ownOf(blocks.find(({ id }) => id === `locked${slug}`))],
    ['first', ids.find((id) => !id.startsWith('extra'))?.split('/', 1)[0]],
    ...rows.filter(({ id }) => id !== 'r0').map(({ id, q }) => [`row ${id}`, q] as const),
  ] as const
  return Object.fromEntries(
    values.flatMap(([place, value]) => (value === undefined ? [] : [[place, String(value)] as const])),
  )
}

const Raw = v.object({ raw: v.object({ type: v.null(), props: v.object({ own: v.string() }) }) })
/** What the block that cannot be read has, on the site and in a draft. */
function ownOf(block: Block | undefined): unknown {
  if (!block || block.type === shut) return block?.props['own']
  return v.parse(Raw, block['unreadable']).raw.props.own
}

/** Entries that cannot be read, of which the first is listed before the pages. */
const odds: readonly unknown[] = [
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
  ...(hasNulls && { meta: null }),
  blocks: blocks.map((block) => (block.type === shut ? { ...block, type: null } : block)),
})
const Listed = v.looseObject({
  meta: v.optional(v.null()),
  blocks: v.array(v.looseObject({ type: v.nullable(v.string()) })),
})
/** The page that was listed as this entry. */
function pageIn(entry: unknown): Page {
  const { meta: _, blocks, ...page } = v.parse(Listed, entry)
  const typed = blocks.map(({ type, ...block }) => ({ ...block, type: type ?? shut }))
  return v.parse(Page, { ...page, blocks: typed })
}

const Sent = v.object({ pages: v.array(v.unknown()), siteConfig: v.optional(SiteConfig) })

const contentOf = (state: State): SiteContent => ({
  pages: [...state].flatMap(([slug, sheet]) => (slug === config ? [] : [pageOf(slug, sheet)])),
  siteConfig: { ...state.get(config) },
})

function stateOf({ pages, siteConfig }: SiteContent): State {
  const sheets = pages.map((page) => [page.slug, sheetOf(page)] as const)
  return new Map([...sheets, [config, { logo: String(siteConfig?.logo) }]])
}

/** A website that stores what is published to it; `content` may be replaced. */
function createWebsite() {
  const website = {
    content: contentOf(start),
    /** What it still shows before its content, oldest first. */
    older: [] as readonly SiteContent[],
    /** What it had before the publishes of the last time, oldest first. */
    earlier: [] as readonly object[],
    /** What it answers instead of what it has. */
    node: undefined as object | undefined,
    /** Its entries that cannot be read. */
    odd: [] as readonly unknown[],
    /** Whether its pages have keys without a value. */
    hasNulls: false,
    /** Whether it was read since keys were `null`, or not any more. */
    isRead: true,
    /** Whether it gets an earlier publish again, with the pages as they were then. */
    isRestored: false,
    /** What it leaves out of its home page when it is read. */
    hidden: new Set<string>(),
    storing: storesAll,
  }
  const listed = (): SiteContent => ({
    ...(website.older[0] ?? website.content),
    pages: (website.older[0] ?? website.content).pages.map((page) => {
      if (page.slug !== '/' || website.hidden.size === 0) return page
      return pageOf(
        '/',
        [...website.hidden].reduce((rest, place) => withValue(rest, place, undefined), sheetOf(page)),
      )
    }),
  })
  const entries = (): readonly unknown[] => {
    const [first, others] = [website.odd.filter((each) => each === odds[0]), website.odd]
    const pages = listed().pages.map((page) => asListed(page, website.hasNulls))
    return [...first, ...pages, ...others.filter((each) => each !== odds[0])]
  }
  const listing = (): object => {
    const { pages: _, ...settings } = listed()
    return { ...settings, pages: entries() }
  }
  /** Stores the pages of a publish and what it carries; pages that are as they were listed come as they were listed. */
  const store = (sent: readonly unknown[], siteConfig: SiteContent['siteConfig']): void => {
    const shown = new Map(listed().pages.map((page) => [page.slug, page]))
    website.odd = sent.filter(isOdd)
    const others = sent.filter((entry) => !isOdd(entry))
    const pages = others.map(pageIn)
    for (const [at, page] of pages.entries()) {
      const before = shown.get(page.slug)
      const isSame = sameJson({ ...before, updatedAt: '' }, { ...page, updatedAt: '' })
      if (!website.isRead || website.isRestored || !before || !isSame) continue
      const expected = asListed({ ...before, updatedAt: page.updatedAt }, website.hasNulls)
      assert.deepEqual(others[at], expected, 'a page as it was listed')
    }
    const content = { pages, siteConfig }
    const { dropped, changed } = website.storing
    const isAsSent = dropped.length + changed.length === 0
    website.content = isAsSent ? content : contentOf(storedOf(stateOf(content), website.storing))
  }
  const listener: RequestListener = async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url?.startsWith('/api/editor/pages')) {
      website.isRead = !website.node
      return answer(200, website.node ?? listing())
    }
    if (request.url !== '/api/editor/publish') return answer(404, {})
    const sent = v.parse(Sent, JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()))
    try {
      website.earlier = [...website.earlier, listing()]
      store(sent.pages, sent.siteConfig)
    } catch (error) {
      return answer(500, { error: String(error) })
    }
    return answer(200, { ok: true, slugs: website.content.pages.map(({ slug }) => slug) })
  }
  const textOf = (): string => JSON.stringify(website.node ?? listing())
  return { website, store, listener, textOf }
}

/** The place of a conflict, as `<slug> <place>`, or the slug of a page. */
function placeOf({ slug, blockId = '', path = '' }: PlacedConflict): string {
  const [, row] = /^items\[id="(\w+)"\]/.exec(path) ?? []
  const block = blockId.slice(0, blockId.indexOf('/'))
  if (block === 'bare') return `${slug} bare row`
  const part = block === 'extra' ? 'heading' : block === 'locked' ? 'block' : path
  const inBlock = row === undefined ? `${block} ${part}` : `row ${row}`
  return blockId === '' && slug !== config ? slug : `${slug} ${slug === config ? path : inBlock}`
}

const History = v.object({ entries: v.array(v.object({ version: v.number() })) })
const LogRows = v.object({ entries: v.array(v.object({ snapshot: v.optional(v.string()) })) })
const Scheduled = v.object({ id: v.string() })
const ScheduledList = v.object({
  scheduled: v.array(v.object({ id: v.string(), status: v.string(), error: v.optional(v.string()) })),
})
const Saved = v.object({ config: v.optional(SiteConfig) })

/** What runs of steps have done. */
export interface Tally {
  published: number
  refused: number
  decided: number
}

interface PublishPlace {
  readonly ask: Ask
  readonly siteId: string
  readonly origin: string
  readonly website: ReturnType<typeof createWebsite>['website']
  readonly textOf: () => string
  readonly tally: Tally
  readonly isBehind: boolean
  readonly time: ReturnType<typeof stillClock>
}

/**
 * Mounts the service beside a website; `play` plays steps on a new site of it, and `tally` counts what they did. A website
 * that is behind gets what is published by a target that only starts something.
 */
export async function openPlayground(
  t: Parameters<typeof mountForTest>[0],
  { isBehind = false, ...options }: Pick<PublishingOptions, 'storage'> & { readonly isBehind?: boolean } = {},
) {
  const { website, store, listener, textOf } = createWebsite()
  const origin = await serve(t, listener)
  const env = { ORCHESTRATOR_CORS_ORIGINS: origin }
  const time = stillClock(noon)
  const target = inHouse({
    name: 'starter',
    async publish({ siteConfig, entries }) {
      const before = website.content
      store(entries, siteConfig)
      website.older = [...website.older, before]
      return { ok: true, httpStatus: 200, status: 'triggered', body: {}, tracker: {} }
    },
  })
  const mounted = mountForTest(t, publishing({ ...options, env, time, targets: isBehind ? [target] : [] }))
  const ask: Ask = (request) => mounted.inject(request)
  const tally: Tally = { published: 0, refused: 0, decided: 0 }
  const place = { ask, origin, website, textOf, tally, isBehind, time }
  let sites = 0
  return {
    tally,
    play: (list: readonly PublishStep[]) => play(list, { ...place, siteId: `site-${++sites}` }),
  }
}

/** So much time that no answer is behind any more. */
const graceMs = 600_000
/** So much time that deployments have ended. */
const hourMs = 3_600_000
/** When what is scheduled would be published by itself. */
const farMs = (9_000 * hourMs) / 2

/**
 * Plays steps on a site of a service and on the oracle, and throws where they differ: in a draft, in the site, in
 * conflicts, or in the status of an answer.
 */
async function play(
  list: readonly PublishStep[],
  { ask, siteId, origin, website, textOf, tally, isBehind, time }: PublishPlace,
): Promise<void> {
  const oracle = createOracle(start, textOf, isBehind)
  Object.assign(website, { earlier: [], node: undefined })
  Object.assign(website, { content: contentOf(start), older: [], hidden: new Set(), storing: storesAll })
  Object.assign(website, { odd: [], hasNulls: false, isRead: true, isRestored: false })
  /** Only the site itself changes them. */
  let odd: readonly unknown[] = []
  const clients = new Map(
    ['dev', 'review', 'late'].map((session) => [session, editor(ask, { siteId, session })] as const),
  )
  const clientOf = (name: string) => clients.get(name) ?? assert.fail()
  const snapshots: string[] = []
  /** What drafts have scheduled, and why it failed. */
  const pins = new Map([...clients.keys()].map((name) => [name, [] as string[]] as const))
  const failures = new Map<string, string>()

  const ok = (answer: Injected): Injected => {
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const fill = async (name: string): Promise<void> => {
    if (oracle.isFilled(name)) return
    // A draft is filled with what the site answers.
    website.node = undefined
    oracle.stale(false)
    ok(await clientOf(name).get('/draft/slugs'))
    oracle.fill(name)
  }
  const stateIn = async (name: string): Promise<State> => {
    const client = clientOf(name)
    const pages = await Promise.all((await client.slugs()).map((slug) => client.page(slug)))
    const { config: siteConfig } = v.parse(Saved, {
      config: ok(await client.get('/draft/site-config')).json(),
    })
    return stateOf({ pages, siteConfig })
  }
  const check = async (name: string): Promise<void> => {
    assert.deepEqual(comparable(await stateIn(name)), comparable(oracle.draft(name).now), `draft ${name}`)
    assert.deepEqual(comparable(stateOf(website.content)), comparable(oracle.stored), 'the site')
    assert.deepEqual(website.odd, odd, 'the entries that cannot be read')
  }
  const placesOf = (conflicts: readonly PlacedConflict[]) => conflicts.map(placeOf).toSorted()
  const noteSnapshot = async (name: string): Promise<void> => {
    const { entries } = v.parse(LogRows, ok(await clientOf(name).get('/publish/log')).json())
    snapshots.push(entries.at(-1)?.snapshot ?? assert.fail())
    tally.published += 1
  }

  async function editValue(name: string, slug: string, place: string, value: string | undefined) {
    const before = oracle.draft(name).now.get(slug)
    if (!before || before[place] === value) return
    const after = withValue(before, place, value)
    ok(await clientOf(name).ops(operationsFor(slug, place, before, after)))
    oracle.edit(name, slug, after)
  }

  async function editPage(name: string, slug: string, value: string | undefined) {
    const before = oracle.draft(name).now.get(slug)
    if ((before === undefined) === (value === undefined)) return
    const after = value === undefined ? undefined : sheet(value)
    const op = after
      ? { op: 'create_page', page: pageOf(slug, after) }
      : { op: 'remove_page', pageSlug: slug }
    ok(await clientOf(name).ops([op]))
    oracle.edit(name, slug, after)
  }

  /** The site changes by itself. */
  function changeSite(apply: (state: State) => State) {
    const changed = (content: SiteContent) => contentOf(apply(stateOf(content)))
    oracle.change(apply)
    website.content = changed(website.content)
    website.older = website.older.map(changed)
  }

  async function publish({
    draft: name,
    overwrite = false,
    only,
  }: Extract<PublishStep, { readonly kind: 'publish' }>) {
    const body = { ...(overwrite && { overwrite }), ...(only !== undefined && { pages: [only] }) }
    const answer = await clientOf(name).send('/publish', body)
    const { status, open } = oracle.publish(name, { overwrite, only })
    assert.equal(answer.status, status, answer.text)
    if (status === 200) return noteSnapshot(name)
    const code = status === 409 ? 'site_conflict' : 'pages_not_changed'
    assert.equal(v.parse(v.object({ code: v.string() }), answer.json()).code, code)
    assert.deepEqual(placesOf(conflictsIn(answer)), open, 'conflicts')
    if (status === 409) tally.refused += 1
  }

  async function decide({
    draft: name,
    which,
    take,
    isUndone,
  }: Extract<PublishStep, { readonly kind: 'decide' }>) {
    const open = conflictsIn(ok(await clientOf(name).get('/publish/diff')))
    assert.deepEqual(placesOf(open), oracle.diff(name), 'conflicts')
    const chosen = open[which % open.length]
    if (!chosen) return
    const answer = ok(await clientOf(name).send('/draft/conflicts', { decide: [{ id: chosen.id, take }] }))
    const undo = oracle.undoable(name)
    assert.deepEqual(placesOf(conflictsIn(answer)), oracle.decide(name, placeOf(chosen), take), 'conflicts')
    tally.decided += 1
    if (!isUndone) return
    const { entries } = v.parse(History, ok(await clientOf(name).get('/history/log')).json())
    ok(await clientOf(name).send('/history/undo-change', { version: entries.at(-1)?.version }))
    undo()
  }

  async function look(name: string, kind: 'diff' | 'follow') {
    const client = clientOf(name)
    const answer = ok(await (kind === 'diff' ? client.get('/publish/diff') : client.send('/draft/follow')))
    assert.deepEqual(placesOf(conflictsIn(answer)), oracle[kind](name), 'conflicts')
  }

  const inMs = (wait: number): string => new Date(time.now().getTime() + wait).toISOString()

  async function schedule(name: string, overwrite: boolean) {
    const answer = await clientOf(name).send('/publish', { at: inMs(farMs), ...(overwrite && { overwrite }) })
    const { status, open } = oracle.schedule(name, overwrite)
    assert.equal(answer.status, status, answer.text)
    time.advance(1)
    if (status === 202) pins.get(name)?.push(v.parse(Scheduled, answer.json()).id)
    else assert.deepEqual(placesOf(conflictsIn(answer)), open, 'conflicts')
  }

  /** The time of a scheduled publish has come. */
  async function arriveAt(name: string, which: number) {
    const list = pins.get(name) ?? []
    const id = list[which % list.length]
    if (id === undefined) return
    const client = clientOf(name)
    ok(await client.send('/publish/scheduled', { id, at: inMs(1) }, {}, 'PATCH'))
    time.advance(1)
    const isOver = async (): Promise<boolean> => {
      const { scheduled } = v.parse(ScheduledList, ok(await client.get('/publish/scheduled')).json())
      const row = scheduled.find((each) => each.id === id)
      if (row?.status === 'failed') failures.set(id, row.error ?? '')
      return !row || row.status === 'failed'
    }
    failures.delete(id)
    await until(isOver, 'a scheduled publish')
    const isPublished = oracle.arriveAt(name, list.indexOf(id))
    assert.equal(!failures.has(id), isPublished, `scheduled publish: ${failures.get(id)}`)
    if (!isPublished) return
    list.splice(list.indexOf(id), 1)
    await noteSnapshot(name)
  }

  /** The site changes by itself what it shows: what it goes back to is no answer that is behind. */
  function wait(): void {
    if (isBehind) return
    time.advance(graceMs)
    Object.assign(website, { earlier: [], node: undefined })
    oracle.wait()
  }

  async function take(step: PublishStep): Promise<void> {
    if ('draft' in step) await fill(step.draft)
    if (['site', 'site page', 'site config', 'hide', 'odd', 'store'].includes(step.kind)) wait()
    switch (step.kind) {
      case 'edit':
        return editValue(step.draft, step.slug, step.place, step.value)
      case 'page':
        return editPage(step.draft, step.slug, step.value)
      case 'config': {
        const isSame = oracle.draft(step.draft).now.get(config)?.['logo'] === step.value
        ok(await clientOf(step.draft).config({ logo: step.value }))
        if (isSame) return oracle.typeAgain(step.draft, `${config} logo`)
        return oracle.edit(step.draft, config, { logo: step.value })
      }
      case 'undo': {
        const answer = await clientOf(step.draft).undo(step.slug)
        return assert.equal(answer.status, oracle.undo(step.draft, step.slug), answer.text)
      }
      case 'publish':
        return publish(step)
      case 'diff':
      case 'follow':
        return look(step.draft, step.kind)
      case 'decide':
        return decide(step)
      case 'site': {
        return changeSite((state) => {
          const page = state.get(step.slug)
          return page ? withSheet(state, step.slug, withValue(page, step.place, step.value)) : state
        })
      }
      case 'site page':
        return changeSite((state) =>
          withSheet(state, step.slug, step.value === undefined ? undefined : sheet(step.value)),
        )
      case 'site config':
        return changeSite((state) => withSheet(state, config, { logo: step.value }))
      case 'hide': {
        website.hidden = new Set(step.places)
        return oracle.hide(website.hidden)
      }
      case 'odd': {
        odd = odds.filter((_, at) => step.which.includes(at))
        const isRead = website.isRead && step.hasNulls === website.hasNulls
        return void Object.assign(website, { odd, hasNulls: step.hasNulls, isRead })
      }
      case 'store': {
        website.storing = step
        return oracle.store(step)
      }
      case 'arrive': {
        website.older = step.all ? [] : website.older.slice(1)
        if (step.all) time.advance(hourMs)
        return oracle.arrive(step.all)
      }
      case 'node': {
        website.node = step.age === undefined ? undefined : website.earlier.toReversed()[step.age]
        return oracle.stale(website.node !== undefined)
      }
      case 'roll back': {
        const commit = snapshots[step.to]
        if (commit === undefined) return
        website.isRestored = true
        ok(await clientOf(step.draft).send('/publish', { commit }))
        website.isRestored = false
        oracle.rollBack(step.to)
        return noteSnapshot(step.draft)
      }
      case 'schedule':
        return schedule(step.draft, step.overwrite ?? false)
      case 'due':
        return arriveAt(step.draft, step.which)
      case 'push': {
        const { earlier } = oracle.draft(step.draft)
        const copy = earlier[Math.max(0, earlier.length - 1 - step.age)] ?? start
        // No client has what it could not read.
        if ([...copy.values()].some((sheet) => 'locked block' in sheet)) return
        const { pages, siteConfig } = contentOf(copy)
        ok(await clientOf(step.draft).bootstrap(pages, { siteConfig, overwrite: true }))
        return oracle.push(step.draft, copy)
      }
    }
  }

  ok(await clientOf('dev').send('/sites/register', { name: 'Acme', previewUrl: origin }))
  await fill('dev')
  await fill('review')
  for (const step of list) {
    await take(step)
    if ('draft' in step) await check(step.draft)
  }
  for (const name of clients.keys()) {
    if (!oracle.isFilled(name)) continue
    await look(name, 'diff')
    await check(name)
  }
}
