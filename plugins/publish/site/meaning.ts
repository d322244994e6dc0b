import { pace } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import { bySlug, diffPage, hasSameOwnKeys } from '../../content/diff/index.ts'
import { isSameOrder, merge, mergePage, type Three } from '../../content/merge/index.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import { sameJson } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { Deployment, StoredBaseline } from './site-record.ts'

const types = { registry: builtinRegistry }

/**
 * Returns what a site means with its answer: a value that equals one of its forms means what is known of it, any other
 * value is a change of the site. `record` is the one after this answer.
 */
export async function meaningOf(
  answer: SiteContent,
  before: StoredBaseline,
): Promise<{ readonly content: SiteContent; readonly record: StoredBaseline }> {
  const shown = new Map(answer.pages.map((page) => [page.slug, page]))
  const pages = new Map(before.pages)
  const meant = new Map<string, Page | null>()
  for (const [slug, row] of before.pages) {
    await pace()
    const form = shown.get(slug) ?? null
    const merged = row.forms.reduce<Page | null>(
      (theirs, base) => mergedPage({ base, ours: row.known, theirs }),
      form,
    )
    // A page that is shown as it is meant comes from the answer, with what it was before it was repaired.
    const page = isSamePage(merged, form) ? form : merged
    meant.set(slug, page)
    // A value that is shown as known has no form any more; a deployment may show an earlier one again until it ends.
    if (row.until)
      pages.set(slug, { ...row, known: page, forms: row.forms.map((each) => moved(row.known, each, page)) })
    else if (isSamePage(page, form)) pages.delete(slug)
    else pages.set(slug, { ...row, known: page, forms: [form] })
  }
  const { config, order } = before
  let { siteConfig } = answer
  for (const base of config?.forms ?? [])
    siteConfig = await mergedConfig({ base, ours: config?.known, theirs: siteConfig })
  const listed = [...shown.keys()]
  const isForm = order?.forms.some((form) => isSameOrder(form, listed)) ?? false
  const wanted = order && isForm ? order.known : listed
  const all = new Map([...shown, ...meant])
  const slugs = placed(
    wanted,
    [...all].flatMap(([slug, page]) => (page ? [slug] : [])),
  )
  const content: SiteContent = {
    ...answer,
    pages: slugs.flatMap((slug) => all.get(slug) ?? []),
    ...(siteConfig && { siteConfig }),
  }
  const record: StoredBaseline = {
    ...before,
    pages,
    config: config && siteConfig && (await configAfter(config, answer.siteConfig, siteConfig)),
    order: order && isForm ? order : undefined,
    pageCount: shown.size,
  }
  return { content, record }
}

/**
 * The record after a publish: what was sent is known, and what the answer shows instead are forms of it. Until the answer
 * can be read again, it may show what it showed before.
 */
export async function afterPublish(
  before: StoredBaseline,
  {
    sent,
    shown,
    isUnseen = false,
    until,
  }: {
    readonly sent: SiteContent
    /** The answer after the publish; if it could not be read, what the site meant before, or what was sent. */
    readonly shown: SiteContent
    /** Whether the answer could not be read. */
    readonly isUnseen?: boolean
    readonly until?: Deployment | undefined
  },
): Promise<StoredBaseline> {
  const earlier = until || isUnseen ? before : undefined
  const [wanted, seen] = [bySlug(sent.pages), bySlug(shown.pages)]
  const pages = new Map<string, NonNullable<ReturnType<StoredBaseline['pages']['get']>>>()
  for (const slug of new Set([...wanted.keys(), ...seen.keys(), ...(earlier?.pages.keys() ?? [])])) {
    await pace()
    const [known, form] = [wanted.get(slug) ?? null, seen.get(slug) ?? null]
    const row = earlier?.pages.get(slug)
    if (!row && isSamePage(known, form)) continue
    const forms = [form, ...(row ? [row.known, ...row.forms] : [])]
    const own = until && { until, before: row ? row.known : form }
    pages.set(slug, { known, forms: distinct(forms, isSamePage), ...own })
  }
  const [config, other] = [sent.siteConfig, shown.siteConfig]
  const configForms = [
    other ?? {},
    ...(earlier?.config ? [earlier.config.known, ...earlier.config.forms] : []),
  ]
  const isSame = !config || (configForms.length === 1 && isSameConfig(config, other))
  const former = until && { until, before: before.config?.known ?? other ?? {} }
  const [order, listed] = [slugsOf(sent), slugsOf(shown)]
  const orderForms = [listed, ...(earlier?.order ? [earlier.order.known, ...earlier.order.forms] : [])]
  const isOrdered = orderForms.every((form) => isSameOrder(form, order))
  return {
    ...before,
    pages,
    pageCount: shown.pages.length,
    config: isSame ? undefined : { known: config, forms: distinct(configForms, isSameConfig), ...former },
    order: isOrdered ? undefined : { known: order, forms: orderForms, ...(until && { until }) },
    unseen: undefined,
  }
}

/** The record without the forms of deployments that have ended. */
export function withoutEnded(
  record: StoredBaseline,
  ended: { has(publishId: string): boolean },
): StoredBaseline {
  const stays = ({ until }: { readonly until?: Deployment | undefined }): boolean =>
    !until || !ended.has(until.publishId)
  return {
    ...record,
    pages: new Map([...record.pages].filter(([, row]) => stays(row))),
    config: record.config && stays(record.config) ? record.config : undefined,
    order: record.order && stays(record.order) ? record.order : undefined,
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

/** A form after a change of the site: a value that the site has changed has no form any more. */
const moved = (before: Page | null, form: Page | null, after: Page | null): Page | null =>
  isSamePage(before, after) ? form : mergedPage({ base: before, ours: form, theirs: after })

/** What is known of the site config after an answer that means `now`; `undefined` if it is shown as known. */
async function configAfter(
  before: NonNullable<StoredBaseline['config']>,
  shown: SiteConfig = {},
  now: SiteConfig,
): Promise<StoredBaseline['config']> {
  if (!before.until) return sameJson(shown, now) ? undefined : { ...before, known: now, forms: [shown] }
  if (sameJson(before.known, now)) return before
  const movedForm = async (ours: SiteConfig) =>
    (await mergedConfig({ base: before.known, ours, theirs: now })) ?? {}
  return { ...before, known: now, forms: await Promise.all(before.forms.map(movedForm)) }
}

export const slugsOf = ({ pages }: SiteContent): readonly string[] => pages.map(({ slug }) => slug)

export function isSamePage(a: Page | null, b: Page | null): boolean {
  if (!a || !b) return a === b
  return diffPage(a, b, types).status === 'unchanged' && hasSameOwnKeys(a, b)
}

const isSameConfig = (a: SiteConfig, b: SiteConfig | undefined): boolean => sameJson(a, b)

/** Returns the slugs in an order; those that it lacks follow the one before them. */
export function placed(order: readonly string[], slugs: readonly string[]): readonly string[] {
  const wanted = new Set(slugs)
  const result = order.filter((slug) => wanted.has(slug))
  const there = new Set(result)
  slugs.forEach((slug, at) => {
    if (there.has(slug)) return
    const before = slugs.slice(0, at).findLast((each) => there.has(each))
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, slug)
    there.add(slug)
  })
  return result
}

const distinct = <T>(values: readonly T[], isSame: (a: T, b: T) => boolean): readonly T[] =>
  values.filter((value, at) => values.findIndex((other) => isSame(value, other)) === at)
