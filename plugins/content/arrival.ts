import { setTimeout } from 'node:timers/promises'
import { paced } from '../../kernel/index.ts'
import type { SiteContent } from './adapter.ts'
import { toBaseline } from './baseline.ts'
import { pathOfSlug } from './file-slugs.ts'
import { withoutGeneratedId } from './items.ts'
import type { Block, Page } from './page.ts'
import { sameJson } from './plain-object.ts'

type Pages = Pick<SiteContent, 'pages'>

/**
 * Publishes entries, and reads back what is stored where they went: returns the answer if all is there, that of
 * `lost` if nothing of a page is, and else that of `inPart`. A storage that could not be read before proves
 * nothing; one that cannot be read afterwards has lost them. What a storage has in another form is there.
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
    /** Returns the answer with a note. */
    inPart(answer: T, note: string): T
    /** The times to wait before it is read again, for a storage that is read through a cache. */
    readonly waitsMs?: readonly number[] | undefined
  },
): Promise<T> {
  const before = await steps.before().catch(() => 'unreadable' as const)
  const answer = await steps.publish()
  if (before === 'unreadable' || !steps.isDone(answer)) return answer
  const sent = pagesSent(entries, before)
  let lacking: NotArrived = { pages: sent.pages.map(({ slug }) => slug), inPart: [] }
  for (const wait of [0, ...(steps.waitsMs ?? [])]) {
    if (wait > 0) await setTimeout(wait)
    const after = await steps.after(answer).catch(() => undefined)
    if (!after) continue
    lacking = await notArrived(sent, before, after)
    if (lacking.pages.length + lacking.inPart.length === 0) return answer
  }
  const { pages, inPart } = lacking
  return pages.length > 0 ? steps.lost(pages) : steps.inPart(answer, storedInPart(inPart))
}

/** Reads what was sent, but for the pages that the storage had. */
function pagesSent(entries: readonly unknown[], before: Pages = nothing): Pages {
  const isSent = new Set(entries)
  const same = before.pages.filter((page) => isSent.has(page))
  const isKnown = new Set<unknown>(same)
  const others = toBaseline({ pages: entries.filter((entry) => !isKnown.has(entry)) }) ?? nothing
  return { pages: [...others.pages, ...same] }
}

/** Slugs of pages of a publish that are not where they were sent. */
export interface NotArrived {
  /**
   * Pages of which nothing arrived: missing, as before although another one was sent, or still there though
   * removed.
   */
  readonly pages: readonly string[]
  /** Pages of which something arrived, but nothing of a block. */
  readonly inPart: readonly string[]
}

/** Compares what was sent with what a storage, or a site, has after the publish, and had before it. */
export async function notArrived(sent: Pages, before: Pages = nothing, after: Pages): Promise<NotArrived> {
  const [wanted, were, are] = [bySlug(sent), bySlug(before), bySlug(after)]
  const pages = [...were.keys()].filter((slug) => !wanted.has(slug) && are.has(slug))
  const inPart: string[] = []
  for await (const [slug, page] of paced(wanted)) {
    const [was, is] = [were.get(slug), are.get(slug)]
    if (page === is) continue
    if (!is || isOlder(page, was, is)) pages.push(slug)
    else if (lacksBlock(page, was, is)) inPart.push(slug)
  }
  return { pages, inPart }
}

/** Whether one is as before although another one was sent; white space may be what a storage does not hold. */
const isOlder = <T extends Page | Block>(sent: T, was: T | undefined, is: T): boolean =>
  isSame(is, was) && !isSame(sent, was) && !(was && isSame(withoutBlanks(sent), withoutBlanks(was)))

const withoutBlanks = <T extends Page | Block>(one: T): T =>
  JSON.parse(JSON.stringify(one), (_, value: unknown) =>
    typeof value === 'string' ? value.trim().replaceAll(/\s+/g, ' ') : value,
  )

/** Whether nothing arrived of a block that was added, changed or removed. */
function lacksBlock(page: Page, was: Page | undefined, is: Page): boolean {
  const [wanted, were, are] = [byId(page), byId(was), byId(is)]
  const others = [...are.values()].filter(({ id }) => !wanted.has(id))
  const removed = others.filter((block) => isSame(block, were.get(block.id)))
  // A block with another id may be one that the storage has given an id of its own.
  const own = others.filter((block) => !removed.includes(block)).map(({ type }) => type)
  const isMissing = [...wanted.values()].some((block) => {
    const stored = are.get(block.id)
    return stored ? isOlder(block, were.get(block.id), stored) : !take(own, block.type)
  })
  return isMissing || removed.length > 0
}

/** Removes the first of equal values; returns whether there was one. */
function take<T>(values: T[], value: T): boolean {
  const at = values.indexOf(value)
  return at !== -1 && values.splice(at, 1).length > 0
}

const nothing: Pages = { pages: [] }
/** Of pages at one slug the last counts. */
const bySlug = ({ pages }: Pages): ReadonlyMap<string, Page> =>
  new Map(pages.map((page) => [page.slug, page]))
const byId = (page: Page | undefined): ReadonlyMap<string, Block> =>
  new Map(page?.blocks.map((block) => [block.id, block]))
/** Blocks are compared by id, and a storage may give pages ids of its own. */
const isSame = (a: Page | Block, b: Page | Block | undefined): boolean =>
  b !== undefined && sameJson({ ...a, ...notContent(a) }, { ...b, ...notContent(b) }, withoutGeneratedId)
const notContent = ({ slug }: Page | Block) => ({ id: '', updatedAt: '', ...ofFile(slug) })
/** Which file a page is, its slug says. */
const ofFile = (slug: unknown) => (pathOfSlug(String(slug)) === undefined ? {} : { document: '' })

const mostNamed = 3

/** Lists the slugs of pages in a sentence. */
function listed(slugs: readonly string[]): string {
  const more = slugs.length - mostNamed
  if (more > 0) return `${slugs.slice(0, mostNamed).join(', ')} and ${more} more`
  return [slugs.slice(0, -1).join(', '), ...slugs.slice(-1)].filter((part) => part !== '').join(' and ')
}

/** Returns the sentence on pages that were sent and are not stored. */
export const notStored = (slugs: readonly string[]): string =>
  `What was sent is not where it was published to: ${listed(slugs)}. ` +
  'Check that the storage takes it and can be read, then publish again.'

const storedInPart = (slugs: readonly string[]): string =>
  `Not all blocks that were sent are stored: those of ${listed(slugs)} differ. ` +
  'Look at what the storage has of them.'

/** Returns the sentence on pages of which a site does not show what it was just sent. */
export const shownOlder = (slugs: readonly string[]): string =>
  `The site still shows the older ${listed(slugs)}. It may be behind, as with a cache. ` +
  'If that stays so, check that its publish handler stores all that it is sent, then publish again.'
