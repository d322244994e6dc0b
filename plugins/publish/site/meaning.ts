import { pace } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import { bySlug, diffPage, hasSameOwnKeys } from '../../content/diff/index.ts'
import { isSameOrder, merge, mergePage, type Three } from '../../content/merge/index.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import { sameJson } from '../../content/plain-object.ts'
import { placedBehind } from '../../content/placed-behind.ts'
import { withSettledRedirects } from '../../content/redirects.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { partMeant, partPublished, type PartRules, type PublishedPart } from './meant-part.ts'
import type { Meant, StoredBaseline } from './site-record.ts'

const types = { registry: builtinRegistry }

/**
 * Returns what a site means with its answer: a value that equals one of its forms means what is known of it, any other
 * value is a change of the site. `record` is the one after this answer, and `isBehind` says whether the answer shows
 * something that a publish has replaced.
 */
export async function meaningOf(
  answer: SiteContent,
  before: StoredBaseline,
): Promise<{ readonly content: SiteContent; readonly record: StoredBaseline; readonly isBehind: boolean }> {
  const shown = new Map(answer.pages.map((page) => [page.slug, page]))
  const pages = new Map(before.pages)
  const meant = new Map<string, Page | null>()
  let isBehind = false
  for (const [slug, row] of before.pages) {
    await pace()
    const part = await partMeant(row, shown.get(slug) ?? null, ofPages)
    meant.set(slug, part.now)
    isBehind ||= part.isBehind
    if (part.next) pages.set(slug, part.next)
    else pages.delete(slug)
  }
  const config = before.config && (await partMeant(before.config, answer.siteConfig, ofConfigs))
  const configMeant = config ? config.now : answer.siteConfig
  const order = orderMeant(before.order, [...shown.keys()])
  const all = new Map([...shown, ...meant])
  const slugs = placed(
    order.wanted,
    [...all].flatMap(([slug, page]) => (page ? [slug] : [])),
  )
  const siteConfig = withSettledRedirects(configMeant, () => slugs)
  const content: SiteContent = {
    ...answer,
    pages: slugs.flatMap((slug) => all.get(slug) ?? []),
    ...(siteConfig && { siteConfig }),
  }
  isBehind ||= config?.isBehind === true || order.isBehind
  const record: StoredBaseline = {
    ...before,
    pages,
    config: siteConfig && config?.next,
    order: order.next,
    pageCount: isBehind ? before.pageCount : shown.size,
  }
  return { content, record, isBehind }
}

/** As `partMeant`, of the order of pages. */
function orderMeant(row: StoredBaseline['order'], listed: readonly string[]) {
  const isListed = (order: readonly string[]): boolean => isSameOrder(order, listed)
  const { known, forms = [], former = [], until } = row ?? {}
  const isKnown = known !== undefined && isListed(known)
  const isForm = forms.some(isListed)
  const isFormer = former.some(({ value }) => isListed(value))
  const isMeant = isForm || isFormer || (isKnown && (until !== undefined || former.length > 0))
  const next = row && { ...row, forms: isForm || until ? forms : [] }
  return {
    wanted: known && isMeant ? known : listed,
    isBehind: isFormer && !isForm && !isKnown,
    next: isMeant ? next : undefined,
  }
}

/**
 * The record after a publish: what was sent is known, and what the answer shows instead are forms of it. Until the answer
 * can be read again, it may show what it showed before; one that may be behind shows for some time what was replaced.
 */
export async function afterPublish(
  earlier: StoredBaseline,
  {
    sent,
    shown,
    before,
    ...publish
  }: PublishedPart & {
    readonly sent: SiteContent
    /** The answer after the publish; if it could not be read, what the site meant before, or what was sent. */
    readonly shown: SiteContent
    /** What the site meant before; `undefined` if that is unknown. */
    readonly before?: SiteContent | undefined
  },
): Promise<StoredBaseline> {
  const [wanted, seen, then] = [bySlug(sent.pages), bySlug(shown.pages), bySlug(before?.pages ?? [])]
  const pages = new Map<string, Meant<Page | null>>()
  for (const slug of new Set([...wanted.keys(), ...seen.keys(), ...then.keys(), ...earlier.pages.keys()])) {
    await pace()
    const former = before && (then.get(slug) ?? null)
    const states = { known: wanted.get(slug) ?? null, shown: seen.get(slug) ?? null, former }
    const row = await partPublished(earlier.pages.get(slug), states, { ...publish, ...ofPages })
    if (row) pages.set(slug, row)
  }
  const configs = {
    known: sent.siteConfig,
    shown: shown.siteConfig ?? {},
    former: before && (before.siteConfig ?? {}),
  }
  const orders = { known: slugsOf(sent), shown: slugsOf(shown), former: before && slugsOf(before) }
  return {
    ...earlier,
    pages,
    pageCount: shown.pages.length,
    config: sent.siteConfig && (await partPublished(earlier.config, configs, { ...publish, ...ofConfigs })),
    order: await partPublished(earlier.order, orders, { ...publish, ...ofOrders }),
    unseen: undefined,
  }
}

/** The record without the forms of deployments that have ended; what was replaced by those that have not failed stays. */
export function withoutEnded(
  record: StoredBaseline,
  ended: ReadonlyMap<string, { readonly hasFailed: boolean }>,
): StoredBaseline {
  const after = <T>(row: Meant<T>): Meant<T> | undefined => {
    const end = row.until && ended.get(row.until.publishId)
    if (!end) return row
    const { known, before, former = [], until } = row
    const left = end.hasFailed ? former.filter(({ at }) => at !== until?.at) : former
    const isKnown = !end.hasFailed || before !== undefined
    if (left.length === 0 || !isKnown) return undefined
    return { known: end.hasFailed && before !== undefined ? before : known, forms: [], former: left }
  }
  return withRows(record, after)
}

/** The record without what publishes until a time have replaced. */
export function withoutFormer(record: StoredBaseline, untilMs: number): StoredBaseline {
  const after = <T>(row: Meant<T>): Meant<T> | undefined => {
    if (!row.former?.length) return row
    const former = row.former.filter(({ at }) => Date.parse(at) > untilMs)
    return row.until || row.forms.length + former.length > 0 ? { ...row, former } : undefined
  }
  return withRows(record, after)
}

function withRows(record: StoredBaseline, after: <T>(row: Meant<T>) => Meant<T> | undefined): StoredBaseline {
  const pages = [...record.pages].flatMap(([slug, row]) => {
    const next = after(row)
    return next ? [[slug, next] as const] : []
  })
  return {
    ...record,
    pages: new Map(pages),
    config: record.config && after(record.config),
    order: record.order && after(record.order),
  }
}

type PageSides = Readonly<Record<'base' | 'ours' | 'theirs', Page | null>>

const mergedPage = ({ base, ours, theirs }: PageSides): Page | null =>
  mergePage(
    { base: base ?? undefined, ours: ours ?? undefined, theirs: theirs ?? undefined },
    { wins: 'theirs', ...types },
  ).merged ?? null

const noPages = { order: [], pages: new Map<string, Page>() }

async function mergedConfig(configs: Three<SiteConfig | undefined>): Promise<SiteConfig | undefined> {
  const side = (siteConfig: SiteConfig | undefined) => ({ ...noPages, siteConfig })
  const { base, ours, theirs } = configs
  return (await merge({ base: side(base), ours: side(ours), theirs: side(theirs), wins: 'theirs', ...types }))
    .siteConfig
}

const ofPages: PartRules<Page | null> = { merge: mergedPage, isSame: isSamePage }
const ofConfigs: PartRules<SiteConfig | undefined> = { merge: mergedConfig, isSame: sameJson }
/** Orders have no parts. */
const ofOrders: PartRules<readonly string[]> = {
  merge: ({ base, ours, theirs }) => (sameJson(base, theirs) ? ours : theirs),
  isSame: (a, b) => sameJson(a, b),
}

export const slugsOf = ({ pages }: SiteContent): readonly string[] => pages.map(({ slug }) => slug)

export function isSamePage(a: Page | null, b: Page | null): boolean {
  if (!a || !b) return a === b
  return diffPage(a, b, types).status === 'unchanged' && hasSameOwnKeys(a, b)
}

/** Returns the slugs in an order; those that it lacks follow the one before them. */
export function placed(order: readonly string[], slugs: readonly string[]): readonly string[] {
  const wanted = new Set(slugs)
  const there = order.filter((slug) => wanted.has(slug))
  return placedBehind(there, slugs, wanted.difference(new Set(there)))
}
