import { pace, paced } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { withAddressesOf } from '../content/addresses.ts'
import { slugsOf } from '../content/diff/index.ts'
import {
  type Decisions,
  mergePage,
  mergeSettings,
  mergeWholeOrder,
  sameAsRead,
  placed,
} from '../content/merge/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { sameJson } from '../content/plain-object.ts'
import { withoutRedirectsFrom, withSettledRedirects } from '../content/redirects.ts'
import { builtinRegistry } from '../content/registry.ts'
import {
  namesById,
  namesOf,
  namesOfOthers,
  pagesByStates,
  pagesPublished,
  type PublishedContent,
  renamedOrder,
} from './known-pages.ts'
import { lacking, partMeant, partPublished, type PartRules, type PublishedPart } from './meant-part.ts'
import { type Deployment, eachState, type Meant, statesOf, type StoredBaseline } from './record.ts'

const types = { registry: builtinRegistry }

/**
 * Returns what a site means with its answer: a value that equals one of its forms means what is known of it,
 * any other value is a change of the site. `record` is the one after this answer, and `isBehind` says whether
 * the answer shows something that a publish has replaced. `displaced` are the pages that a deployment brings
 * to an address which the site gives another page meanwhile, with that address and what the site has of them.
 */
export async function meaningOf(answer: SiteContent, before: StoredBaseline) {
  const pages = await pagesMeant(answer, before)
  await pace()
  const config = before.config && (await partMeant(before.config, answer.siteConfig, ofConfigs))
  const names = new Map(pages.flatMap(({ name, shown }) => (shown ? [[shown.slug, name] as const] : [])))
  const listed = answer.pages.flatMap(({ slug }) => names.get(slug) ?? [])
  const order = before.order && (await partMeant(before.order, listed, ofOrders))
  const now = new Map(pages.flatMap(({ name, now }) => (now ? [[name, now] as const] : [])))
  const there = new Set([...listed, ...now.keys()].filter((name) => now.has(name)))
  const pagesNow = placed(order ? order.now : listed, [...there]).flatMap((name) => now.get(name) ?? [])
  const siteConfig = withSettledRedirects(config ? config.now : answer.siteConfig, () =>
    pagesNow.map(({ slug }) => slug),
  )
  await pace()
  const content: SiteContent = { ...answer, pages: pagesNow, ...(siteConfig && { siteConfig }) }
  const isBehind = [...pages, config, order].some((part) => part?.isBehind === true)
  // A page whose address another one has got is not renamed: the redirect of that ends also when it leaves.
  const back = new Set(pages.flatMap(({ displaced, now }) => (displaced && now ? [now.slug] : [])))
  const settings = config?.next
  const record: StoredBaseline = {
    ...before,
    ...named(pages, { order: order?.next, ids: before.ids }),
    config: siteConfig && settings && eachState(settings, (state) => withoutRedirectsFrom(state, back)),
    pageCount: isBehind ? before.pageCount : answer.pages.length,
  }
  const displaced = pages.flatMap(({ displaced, now }) =>
    displaced?.until
      ? [{ ...displaced, until: displaced.until, page: now ?? undefined, isMoved: true as const }]
      : [],
  )
  return { content, record, isBehind, displaced }
}

/**
 * Returns what is known of a site with the addresses that an answer has in the same places: those in
 * `volatile` are signed anew at every read, so that what is behind their `?` makes no value another one.
 */
export async function withAnsweredAddresses(
  record: StoredBaseline,
  answer: SiteContent,
  volatile: ReadonlySet<string> = new Set(),
): Promise<StoredBaseline> {
  if (volatile.size === 0) return record
  const found = shownOf(record.pages, answer)
  const pages = new Map<string, Meant<Page | null>>()
  for await (const [name, row] of paced(record.pages)) {
    const now = eachState(row, (page) => withAddressesOf(page, found.get(name), volatile))
    pages.set(name, now)
  }
  const { siteConfig } = answer
  const config =
    record.config && eachState(record.config, (each) => withAddressesOf(each, siteConfig, volatile))
  return { ...record, pages, config }
}

/** Returns the pages of an answer by the names of those that are known. */
const shownOf = (rows: StoredBaseline['pages'], { pages }: SiteContent): ReadonlyMap<string, Page> =>
  pagesByStates(new Map([...rows].map(([name, row]) => [name, statesOf(row)])), pages)

/** A page of a site with an answer. */
interface MeantPage {
  /** By which the record before has it. */
  readonly name: string
  readonly shown: Page | null
  readonly now: Page | null
  readonly isBehind?: boolean
  /** What is known of it after the answer. */
  readonly next?: Meant<Page | null> | undefined
  /** Set if the site gives the address at which it was published to another page. */
  readonly displaced?: { readonly sent: string; readonly until: Deployment | undefined } | undefined
}

/** Returns what the pages of an answer mean, and those that are known and not shown. */
async function pagesMeant(
  answer: SiteContent,
  before: Pick<StoredBaseline, 'pages' | 'ids'>,
): Promise<readonly MeantPage[]> {
  const { pages: rows } = before
  const found = shownOf(rows, answer)
  const pages: MeantPage[] = []
  for await (const [name, row] of paced(rows)) {
    const shown = found.get(name) ?? null
    const { now, next, isBehind } = await partMeant(row, shown, ofPages)
    // A page is found in drafts by the id that is known, also where it was moved; the site may show another one.
    const id = row.known?.id
    const own = now && id !== undefined && id !== now.id ? { ...now, id } : now
    const known = next?.known === own ? next : next && { ...next, known: own }
    pages.push({ name, shown, now: own, isBehind, next: known })
  }
  const known = new Set(found.values())
  const others = answer.pages.filter((page) => !known.has(page))
  for (const [page, name] of namesOfOthers(others, before)) pages.push({ name, shown: page, now: page })
  return withOwnSlugs(pages)
}

/**
 * A page that would get the slug of another page of the site stays where the site shows it, with the id that it
 * has there, because the other page may have the id of its publish.
 */
function withOwnSlugs(pages: readonly MeantPage[]): readonly MeantPage[] {
  const isShown = ({ shown, now }: MeantPage): boolean => now?.slug === shown?.slug
  const taken = new Set(pages.flatMap((page) => (page.now && isShown(page) ? [page.now.slug] : [])))
  const isIn = (page: MeantPage): boolean => page.now !== null && !isShown(page) && taken.has(page.now.slug)
  if (!pages.some(isIn)) return pages
  const separate = pages.map((page) => {
    if (!isIn(page)) return page
    const { shown, now, next } = page
    const own = now && shown && { ...now, id: shown.id, slug: shown.slug }
    const displaced = page.displaced ?? (now ? { sent: now.slug, until: next?.until } : undefined)
    // A form that has the address of the publish is where the page is now, so that it is none when that arrives.
    const moved = (form: Page | null) => mergedPage({ base: now, ours: form, theirs: own }, lacking)
    const row = next && { ...eachState(next, moved), before: next.before }
    const isKnown = row && statesOf(row).some((state) => state !== null)
    return { ...page, now: own, next: isKnown ? row : undefined, displaced }
  })
  return withOwnSlugs(separate)
}

/** Returns what is known of pages and of their order, with the names that the pages have now. */
function named(
  pages: readonly Pick<MeantPage, 'name' | 'now' | 'next'>[],
  { order, ids = {} }: Pick<StoredBaseline, 'order' | 'ids'>,
): Pick<StoredBaseline, 'pages' | 'order' | 'ids'> {
  const names = namesOf(pages.map(({ now, next }) => [now, ...(next ? statesOf(next) : [])]))
  const renamed = new Map(pages.map(({ name }, at) => [name, names[at] ?? name]))
  const namesNow = Object.entries(ids).map(([id, name]) => [id, renamed.get(name) ?? name] as const)
  return {
    pages: new Map(pages.flatMap(({ next }, at) => (next ? [[names[at] ?? '', next]] : []))),
    order: renamedOrder(order, renamed),
    ids: order && namesById(namesNow),
  }
}

/**
 * The record after a publish: what was sent is known, and what the answer shows instead are forms of it.
 * Until the answer can be read again, it may show what it showed before; one that may be behind shows for
 * some time what was replaced.
 */
export async function afterPublish(
  earlier: StoredBaseline,
  { until, isUnseen, at, ...content }: PublishedPart & PublishedContent,
): Promise<StoredBaseline> {
  const { sent, shown, before } = content
  const publish = { until, isUnseen, at }
  const all = await pagesPublished(earlier.pages, content)
  const pages = new Map<string, Meant<Page | null>>()
  for await (const { name, row, known, shown, former } of paced(all)) {
    const next = await partPublished(
      row,
      { known, shown, former: before && former },
      { ...publish, ...ofPages },
    )
    if (next) pages.set(name, next)
  }
  const configs = {
    known: sent.siteConfig,
    shown: shown.siteConfig ?? {},
    former: before && (before.siteConfig ?? {}),
  }
  const orders = {
    known: slugsOf(sent),
    shown: orderIn('shown', shown, all),
    former: before && orderIn('former', before, all),
  }
  const names = new Map(
    all.flatMap(({ earlierName, name }) => (earlierName === undefined ? [] : [[earlierName, name] as const])),
  )
  const order = await partPublished(renamedOrder(earlier.order, names), orders, { ...publish, ...ofOrders })
  const ids = (['shown', 'known'] as const).flatMap((state) =>
    all.map((page) => [page[state]?.id, page.name] as const),
  )
  return {
    ...earlier,
    pages,
    pageCount: shown.pages.length,
    config: sent.siteConfig && (await partPublished(earlier.config, configs, { ...publish, ...ofConfigs })),
    order,
    ids: order && namesById(ids),
    unseen: undefined,
  }
}

/** Returns the order of the pages of a state, by the names that they have from now on. */
function orderIn(
  state: 'shown' | 'former',
  { pages }: SiteContent,
  all: Awaited<ReturnType<typeof pagesPublished>>,
): readonly string[] {
  const names = new Map(all.map((page) => [page[state]?.slug, page.name]))
  return pages.flatMap(({ slug }) => names.get(slug) ?? [])
}

/**
 * The record without the forms of deployments that have ended; what was replaced by those that have not
 * failed stays.
 */
export function withoutEnded(
  record: StoredBaseline,
  ended: ReadonlyMap<string, { readonly hasFailed: boolean }>,
): StoredBaseline {
  const after = <T>(row: Meant<T>): Meant<T> | undefined => {
    const end = row.until && ended.get(row.until.publishId)
    if (!end) return row
    const { known, before, former = [], until, earlier = [], forms } = row
    const left = end.hasFailed ? former.filter(({ at }) => at !== until?.at) : former
    // What was published before has come with this one, unless it has failed.
    const [pending, ...others] = end.hasFailed ? earlier : []
    if (pending && before !== undefined)
      return { ...pending, known: before, forms, earlier: others, former: left }
    const isKnown = !end.hasFailed || before !== undefined
    if (left.length === 0 || !isKnown) return undefined
    return { known: end.hasFailed && before !== undefined ? before : known, forms: [], former: left }
  }
  return withRows(record, after)
}

/** The record without what publishes until a time have replaced. */
export function withoutFormer(record: StoredBaseline, untilMs: number): StoredBaseline {
  const after = <T>(row: Meant<T>): Meant<T> | undefined => {
    if (!row.former?.some(({ at }) => Date.parse(at) <= untilMs)) return row
    const former = row.former.filter(({ at }) => Date.parse(at) > untilMs)
    return row.until || row.forms.length + former.length > 0 ? { ...row, former } : undefined
  }
  return withRows(record, after)
}

/** Returns a record with what each part is then; the same record if all are as before. */
function withRows(record: StoredBaseline, after: <T>(row: Meant<T>) => Meant<T> | undefined): StoredBaseline {
  const pages = [...record.pages].map(([name, row]) => {
    const next = after(row)
    return { name, now: next ? next.known : row.known, next, row }
  })
  const [order, config] = [record.order && after(record.order), record.config && after(record.config)]
  const isSame = order === record.order && config === record.config
  if (isSame && pages.every(({ next, row }) => next === row)) return record
  return { ...record, ...named(pages, { order, ids: record.ids }), config }
}

type PageSides = Readonly<Record<'base' | 'ours' | 'theirs', Page | null>>

const mergedPage = ({ base, ours, theirs }: PageSides, wins: Decisions['wins'] = 'theirs'): Page | null =>
  mergePage(
    { base: base ?? undefined, ours: ours ?? undefined, theirs: theirs ?? undefined },
    { wins, draft: 'theirs', ...types },
  ).merged ?? null

const ofPages: PartRules<Page | null> = {
  merge: mergedPage,
  isSame: sameAsRead,
  isFoundAs: (a, b) => a?.id === b?.id,
  orderOf: (page) => page?.blocks.map(({ id }) => id) ?? [],
}
const ofConfigs: PartRules<SiteConfig | undefined> = {
  merge: (configs, wins = 'theirs') => mergeSettings(configs, { wins, ...types }).siteConfig,
  isSame: sameJson,
  orderOf: () => [],
}
const ofOrders: PartRules<readonly string[]> = {
  merge: async (orders) => (await pace(), mergeWholeOrder(orders)),
  isSame: sameJson,
  orderOf: (order) => order,
}
