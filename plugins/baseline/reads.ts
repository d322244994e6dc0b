/** The reads of sites by this process: shared within a moment, and compared with the last one. */
import { LRUCache, type Clock } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { churningAddresses, hasQueries } from '../content/addresses.ts'
import { slugsOf } from '../content/diff/index.ts'
import { isSameOrder, placed } from '../content/merge/index.ts'
import type { BaselineSource, ReadOptions, Volatile } from './baselines.ts'

/** The last read of a site, and how often each volatile thing was equal since. */
interface LastRead {
  readonly version: string | undefined
  readonly content: SiteContent
  readonly addresses: ReadonlyMap<string, number>
  /** The addresses that were volatile, and have been equal since. */
  readonly ended: ReadonlySet<string>
  readonly order?: { readonly known: readonly string[]; readonly equal: number } | undefined
}

const mostSites = 20
/** The most pages of all sites that are remembered. */
const mostPages = 20_000
/** The number of equal reads in a row that end it. */
const equalReads = 5

/**
 * Finds what is volatile: an address or an order of pages that differs from the last read is read again at
 * once, and volatile if it differs between these two. Its pages keep the order that is known.
 */
export function createVolatile() {
  const reads = new LRUCache<string, LastRead>({
    max: mostSites,
    maxSize: mostPages,
    sizeCalculation: ({ content }) => 1 + content.pages.length,
  })

  /** Reads a site, and again if something may be volatile. */
  const read = async (key: string, open: () => Promise<BaselineSource>): Promise<BaselineSource> => {
    const before = reads.get(key)
    let source = await open()
    if (before && before.version === source.version) {
      const { content, ended, addresses, order } = before
      const { tag } = source
      source = { ...source, load: async () => ({ content, tag }) }
      if (addresses.size === 0 && !order) return withSigned(source, ended)
    }
    let { content } = await source.load()
    if (!content) return source
    const differing = differences(before?.content, content, source.mayHaveQueries)
    let found: typeof differing = { addresses: new Set(), hasOrder: false }
    const isNew =
      [...differing.addresses].some((each) => !before?.addresses.has(each)) ||
      (differing.hasOrder && !before?.order)
    if (isNew || (!before && source.mayHaveQueries && hasQueries(content.pages))) {
      const again = await open()
      const next = (await again.load()).content
      if (next) {
        found = differences(content, next, again.mayHaveQueries)
        ;[source, content] = [again, next]
      }
    }
    const addresses = new Map([...found.addresses].map((each) => [each, 0]))
    for (const [address, equal] of before?.addresses ?? []) {
      const now = differing.addresses.has(address) || addresses.has(address) ? 0 : equal + 1
      if (now < equalReads) addresses.set(address, now)
    }
    const were = new Set([...(before?.ended ?? []), ...(before?.addresses.keys() ?? [])])
    const ended = were.difference(addresses).difference(differing.addresses)
    const former =
      before?.order ?? (found.hasOrder && { known: slugsOf(before?.content ?? content), equal: 0 })
    const equal = former && (differing.hasOrder || found.hasOrder ? 0 : former.equal + 1)
    const order =
      former && equal !== false && equal < equalReads
        ? { known: placed(former.known, slugsOf(content)), equal }
        : undefined
    reads.set(key, { version: source.version, content, addresses, ended, order })
    const { tag } = source
    const pages = new Map(content.pages.map((page) => [page.slug, page]))
    const ordered = order && { ...content, pages: order.known.flatMap((slug) => pages.get(slug) ?? []) }
    const volatile = { addresses: new Set(addresses.keys()), hasOrder: order !== undefined }
    return {
      ...withSigned(source, volatile.addresses.union(ended)),
      ...((volatile.hasOrder || addresses.size > 0) && { volatile }),
      load: async () => ({ content: ordered ?? content, tag }),
    }
  }

  return {
    read,
    /** A publish has set the order of the pages. */
    published(key: string, known: readonly string[]): void {
      const last = reads.get(key)
      if (last?.order) reads.set(key, { ...last, order: { ...last.order, known } })
    },
  }
}

const withSigned = (source: BaselineSource, signed: ReadonlySet<string>): BaselineSource =>
  signed.size > 0 ? { ...source, signed } : source

const differences = (one: SiteContent | undefined, other: SiteContent, mayHaveQueries = false): Volatile => ({
  addresses:
    one && mayHaveQueries
      ? churningAddresses([one.pages, one.siteConfig], [other.pages, other.siteConfig])
      : new Set(),
  hasOrder: one !== undefined && !isSameOrder(slugsOf(one), slugsOf(other)),
})

interface SharedRead {
  readonly startedAt: number
  /** The edition of what is known of the site when it was read. */
  readonly edition: number
  readonly source: Promise<BaselineSource>
}

/**
 * Shares the reads of sites: all that ask for one within `sharedLookMs` get the same, unless something was
 * published to it since, or it could not be read. A publish shares only what its site can refuse a change of,
 * by the entity tag.
 */
export function createSharedReads(context: { readonly clock: Clock; readonly sharedLookMs: number }) {
  const { clock, sharedLookMs } = context
  const reads = new Map<string, SharedRead>()
  const forget = (key: string, read: SharedRead): void => {
    if (reads.get(key)?.source === read.source) reads.delete(key)
  }
  return {
    async at(
      key: string,
      edition: number,
      open: () => Promise<BaselineSource>,
      sharing: ReadOptions['sharing'],
    ): Promise<BaselineSource> {
      const startedAt = clock.now().getTime()
      const current = reads.get(key)
      const isNew = current?.edition === edition && startedAt - current.startedAt < sharedLookMs
      if (isNew && sharing !== 'none') {
        const source = await current.source
        if (sharing !== 'tagged' || source.tag !== undefined) return source
      }
      const read = { startedAt, edition, source: open() }
      reads.set(key, read)
      setTimeout(() => forget(key, read), sharedLookMs).unref()
      const end = () => forget(key, read)
      read.source.then(({ version }) => version ?? end(), end)
      return read.source
    },
    /** What was read has itself changed what is known. */
    moved(key: string, from: number, to: number): void {
      const current = reads.get(key)
      if (current?.edition === from) reads.set(key, { ...current, edition: to })
    },
  }
}
