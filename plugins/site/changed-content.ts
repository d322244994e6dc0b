/** The content of adapters that say what has changed: of the pages that were read before, only those are read again. */
import { createKeyedQueue, pace } from '../../kernel/index.ts'
import type { ContentAdapter, ContentChanges, SiteContent } from '../content/adapter.ts'
import { asRead, toBaseline } from '../content/baseline.ts'
import { type Carried, readPage, type Unreadable } from '../content/read-pages.ts'
import type { Page } from '../content/page.ts'

type ChangingAdapter = ContentAdapter & Required<Pick<ContentAdapter, 'changes' | 'read'>>

export const saysChanges = (adapter: ContentAdapter): adapter is ChangingAdapter =>
  adapter.changes !== undefined && adapter.read !== undefined

/** A page of an adapter, or why it cannot be used. */
type ReadPage = { readonly page: Page } | { readonly unreadable: Unreadable; readonly raw: unknown }

/** The content of an adapter as it was read last. */
interface LastContent {
  readonly state: string
  readonly pages: ReadonlyMap<string, ReadPage>
  readonly content: SiteContent
}

const last = new WeakMap<ContentAdapter, LastContent>()
const states = new WeakMap<SiteContent, string>()
const queue = createKeyedQueue<ContentAdapter>({ longestRunMs: 120_000 })
/** How often content is read if pages go meanwhile. */
const mostTries = 3

/**
 * Returns the content of an adapter that says what has changed. While nothing changes it is the same object, and
 * so is each page. Rejects if the adapter fails.
 */
export const readChanged = (adapter: ChangingAdapter): Promise<SiteContent> =>
  queue.run(adapter, async () => {
    for (let tries = 1; ; tries++) {
      const before = last.get(adapter)
      const changes = await adapter.changes(before?.state)
      if (before?.state === changes.state) return before.content
      const pages = await readPages(adapter, changes, before)
      if (pages) {
        const content = contentOf(changes, pages)
        states.set(content, changes.state)
        last.set(adapter, { state: changes.state, pages, content })
        return content
      }
      if (tries === mostTries) throw new Error('the pages of the content come and go while they are read')
    }
  })

/** Returns the state of content that `readChanged` has returned; that of equal content may be another one. */
export const stateOf = (content: SiteContent): string | undefined => states.get(content)

/** Reads the pages that are not known as they are; `undefined` if one of them has gone meanwhile. */
async function readPages(
  adapter: ChangingAdapter,
  { slugs, changed }: ContentChanges,
  before: LastContent | undefined,
): Promise<LastContent['pages'] | undefined> {
  const isChanged = new Set(changed)
  const known = new Map(
    slugs.flatMap((slug) => {
      const found = isChanged.has(slug) ? undefined : before?.pages.get(slug)
      return found ? [[slug, found] as const] : []
    }),
  )
  const ids = new Set<unknown>(known.values().flatMap((each) => ('page' in each ? [each.page.id] : [])))
  const pages = new Map<string, ReadPage>()
  for (const [at, slug] of slugs.entries()) {
    const found = known.get(slug)
    if (found) {
      pages.set(slug, found)
      continue
    }
    await pace()
    const raw = await adapter.read(slug)
    if (raw === undefined) return undefined
    if (raw.slug !== slug) throw new Error(`the adapter has read ${raw.slug} in place of ${slug}`)
    const read = readPage(raw, at, { ids })
    pages.set(slug, 'page' in read ? read : { ...read, raw })
  }
  return pages
}

function contentOf(
  { siteConfig, redirects, unreadable = [] }: ContentChanges,
  read: LastContent['pages'],
): SiteContent {
  const pages: Page[] = []
  const unusable: Carried[] = [...unreadable]
  for (const each of read.values())
    if ('page' in each) pages.push(each.page)
    else unusable.push({ ...each.unreadable, raw: each.raw, after: pages.at(-1)?.slug })
  const around = toBaseline({ pages: [], siteConfig, redirects })
  return asRead({ ...around, pages, ...(unusable.length > 0 && { unreadable: unusable }) })
}
