import { pace } from '../../../kernel/index.ts'
import { applyDelta, type PageDelta } from '../../content/delta.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import { metadataOf } from '../collections.ts'
import { withSettings } from '../config-records.ts'
import { changesBackTo, rowsBack } from '../log.ts'
import type { DraftTransaction } from '../transaction.ts'

/** For how long a client may have a copy from before the draft followed. */
const rememberedForMs = 24 * 60 * 60 * 1000
/** The maximum number of rows of the log that one query reads. */
const readAtOnce = 100

/** Returns pages and settings as they were before each change from the site in the last day, newest first. */
export async function beforeFollows(draft: DraftTransaction, slugs: ReadonlySet<string>, now: Date) {
  const pages = new Map<string, Page[]>([...slugs].map((slug) => [slug, []]))
  const siteConfigs: SiteConfig[] = []
  const state = { pages: new Map<string, Page | undefined>(), config: await draft.config() }
  const oldest = await oldestFollow(draft, now.getTime() - rememberedForMs)
  if (oldest !== undefined)
    for await (const change of changesBackTo(draft.log, oldest)) {
      const isOfSite = metadataOf(change).source === 'site'
      for (const { slug, delta } of change.body.pages) {
        const states = pages.get(slug)
        if (!states || !delta) continue
        await pace()
        const after = state.pages.has(slug) ? state.pages.get(slug) : await draft.pages.get(slug)
        const before = applyDelta(after, delta, 'backward')
        state.pages.set(slug, before)
        if (isOfSite && before) states.push(before)
      }
      const { config } = change.body
      state.config = withSettings(state.config, config.toReversed(), 'before')
      if (isOfSite && config.length > 0) siteConfigs.push(state.config)
    }
  return {
    pagesAt: (slugs: readonly string[]) => slugs.flatMap((slug) => pages.get(slug) ?? []),
    siteConfigs,
  }
}

/** Returns where the draft has a page that it had at a slug within the last day, by that and its id then. */
export async function formerAddresses(
  draft: DraftTransaction,
  now: Date,
): Promise<(page: Pick<Page, 'id' | 'slug'>) => string | undefined> {
  const keyOf = ({ id, slug }: Pick<Page, 'id' | 'slug'>): string => JSON.stringify([slug, id])
  const found = new Map<string, string>()
  /** Where pages are now, by the slugs that they have at the time. */
  const places = new Map<string, string>()
  for await (const { body, ...change } of changesBackTo(draft.log, 0)) {
    const { at, renamed = [] } = metadataOf(change)
    if (Date.parse(at) < now.getTime() - rememberedForMs) break
    const deltas = new Map(body.pages.map(({ slug, delta }) => [slug, delta]))
    for (const { from, to } of renamed.toReversed()) {
      const place = places.get(to) ?? to
      places.delete(to)
      places.set(from, place)
      const id = formerId(deltas.get(from))
      const key = keyOf({ id: String(id), slug: from })
      if (id !== undefined && !found.has(key)) found.set(key, place)
    }
  }
  return (page) => found.get(keyOf(page))
}

/** The id of the page that a change removed from a slug, also where it put another one there. */
function formerId(delta: PageDelta | undefined): unknown {
  if (delta === undefined || 'came' in delta) return undefined
  if (!('keys' in delta)) return delta.before?.id
  return delta.keys.find(({ name }) => name === 'id')?.before
}

/** Returns the version of the oldest change since a time that came from the site; `undefined` without one. */
async function oldestFollow(draft: DraftTransaction, sinceMs: number): Promise<number | undefined> {
  let oldest: number | undefined
  for await (const row of rowsBack(draft.log, readAtOnce)) {
    const { at, source } = metadataOf(row)
    if (Date.parse(at) < sinceMs) break
    if (source === 'site') oldest = Number(row.key)
  }
  return oldest
}
