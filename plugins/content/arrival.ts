import { setTimeout } from 'node:timers/promises'
import { pace } from '../../kernel/index.ts'
import type { SiteContent } from './adapter.ts'
import { toBaseline } from './baseline.ts'
import { withoutGeneratedId } from './items.ts'
import type { Page } from './page.ts'
import { sameJson } from './plain-object.ts'

type Pages = Pick<SiteContent, 'pages'>

/**
 * Publishes entries, and reads back what is stored where they went: returns the answer if all is there, else
 * that of `lost`. A storage that could not be read before proves nothing; one that cannot be read afterwards
 * has lost them.
 *
 * A page is not there if it is missing, or is as it was before although another one was sent; a removed page,
 * if it is still there. What a storage has in another form is there.
 */
export async function readBack<T>(
  entries: readonly unknown[],
  steps: {
    /** Reads what is stored. */
    before(): Promise<Pages | undefined>
    publish(): Promise<T>
    after(answer: T): Promise<Pages | undefined>
    isDone(answer: T): boolean
    lost(slugs: readonly string[]): T
    /** The times to wait before it is read again, for a storage that is read through a cache. */
    readonly waitsMs?: readonly number[] | undefined
  },
): Promise<T> {
  const before = await steps.before().catch(() => 'unreadable' as const)
  const answer = await steps.publish()
  if (before === 'unreadable' || !steps.isDone(answer)) return answer
  const sent = toBaseline({ pages: entries }) ?? nothing
  let slugs = sent.pages.map(({ slug }) => slug)
  for (const wait of [0, ...(steps.waitsMs ?? [])]) {
    if (wait > 0) await setTimeout(wait)
    const after = await steps.after(answer).catch(() => undefined)
    if (!after) continue
    slugs = await missingIn(sent, before, after)
    if (slugs.length === 0) return answer
  }
  return steps.lost(slugs)
}

async function missingIn(sent: Pages, before: Pages = nothing, after: Pages): Promise<string[]> {
  const [were, are] = [bySlug(before), bySlug(after)]
  const wanted = bySlug(sent)
  const missing = [...were.keys()].filter((slug) => !wanted.has(slug) && are.has(slug))
  for (const [slug, page] of wanted) {
    await pace()
    const [was, is] = [were.get(slug), are.get(slug)]
    if (!is || (was && isSame(was, is) && !isSame(was, page))) missing.push(slug)
  }
  return missing
}

const nothing: Pages = { pages: [] }
const bySlug = ({ pages }: Pages): ReadonlyMap<string, Page> =>
  new Map(pages.map((page) => [page.slug, page]))
const isSame = (a: Page, b: Page): boolean =>
  sameJson({ ...a, updatedAt: '' }, { ...b, updatedAt: '' }, withoutGeneratedId)

const mostNamed = 5

/** Returns the sentence on pages that were sent and are not stored. */
export const notStored = (slugs: readonly string[]): string =>
  `What was sent is not where it was published to: ${slugs.slice(0, mostNamed).join(', ')}` +
  `${slugs.length > mostNamed ? ' and others' : ''}. Check that the storage takes it and can be read, then publish again.`
