import { type Logger, untilAborted } from '../../../kernel/index.ts'
import { type ImageScene, phases, type Searching, timed } from '../port.ts'
import {
  type FoundImage,
  type ImageCredit,
  type ImageRequest,
  type ImageSource,
  mayShow,
  type SourceKind,
} from '../../media/port.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { readsAsInstruction } from '../../content/words.ts'
import type { ImageField } from './fields.ts'

const order: readonly SourceKind[] = ['brand', 'generated', 'stock']
const longest = { alt: 300, name: 100 }

/** An image to search for: its field, its query, and the kind of source to ask first. */
interface Sought {
  readonly field: ImageField
  readonly query: string
  readonly source?: SourceKind | undefined
}

/** The dependencies of all searches. */
export interface SearchMeans {
  readonly log: Logger
  /** Whether this service itself serves an address. */
  readonly owns: (address: string) => boolean
  readonly sources: readonly ImageSource[]
}

/**
 * Searches for one image after the other, so that none is used twice, and reports progress. `settled` receives
 * each image, or `undefined` if none was found; nothing after the run is canceled.
 */
export function search(
  run: Searching,
  all: readonly Sought[],
  { draft }: Pick<ImageScene, 'draft'>,
  means: SearchMeans,
  settled: (image: FoundImage | undefined, index: number) => void,
): Promise<void> {
  const { signal: canceled, emit, isStreamed, longestMs, siteId, folder, holder, spent } = run
  return timed(run, 'images', async () => {
    const avoid = usedAddresses(all, draft)
    const together = AbortSignal.timeout(longestMs)
    let reported = 0
    emit({ type: 'status', message: phases.images })
    for (const [index, { query, source }] of all.entries()) {
      let isWaiting = true
      const stage = all.length === 1 ? 'Preparing image' : `Preparing image ${index + 1} of ${all.length}`
      const progress = (percent: number): void => {
        if (!isWaiting) return
        const within = percent >= 0 ? Math.min(percent, 100) : 0
        reported = Math.max(reported, Math.floor((100 * index + within) / all.length))
        emit({ type: 'image_progress', percent: reported, stage })
      }
      progress(0)
      const ordered = inOrder(means.sources, source)
      const alone = Math.max(longestMs, ...ordered.map((each) => each.longestMs ?? 0))
      const signal = AbortSignal.any([canceled, isStreamed ? AbortSignal.timeout(alone) : together])
      const request = { query, siteId, folder, avoid, signal, holder: holder?.(), spent, progress }
      const image = await findImage(ordered, request, means)
      if (canceled.aborted) return
      progress(100)
      isWaiting = false
      if (image) avoid.add(image.address)
      settled(image, index)
    }
  })
}

/** The addresses in the fields to fill, and on their pages. */
function usedAddresses(all: readonly Sought[], { pages }: ImageScene['draft']): Set<string> {
  const slugs = new Set(all.map(({ field: { at } }) => ('pageSlug' in at ? at.pageSlug : undefined)))
  const others = pages.filter(({ slug }) => slugs.has(slug))
  return new Set(addressesIn([all.map(({ field }) => field.address), others]))
}

/** Returns every string in a value that reads as an address. */
function addressesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^(?:https?:)?\//.test(value) ? [value] : []
  return Array.isArray(value) || isPlainObject(value) ? Object.values(value).flatMap(addressesIn) : []
}

/** Returns the available sources: the named kind first, then site images, generators and photo libraries. */
function inOrder(sources: readonly ImageSource[], named: SourceKind | undefined): readonly ImageSource[] {
  const rank = ({ kind }: ImageSource): number => (kind === named ? -1 : order.indexOf(kind))
  return sources.filter(({ available }) => available).toSorted((a, b) => rank(a) - rank(b))
}

/** Asks one source after the other for a usable image; returns `undefined` if none has one in time. */
async function findImage(
  sources: readonly ImageSource[],
  request: ImageRequest,
  { log, owns }: SearchMeans,
): Promise<FoundImage | undefined> {
  const { signal, avoid } = request
  for (const source of sources) {
    if (signal.aborted) return undefined
    try {
      const found = await untilAborted(source.find(request), signal)
      if (!found) continue
      const { address, alt, credit } = found
      if (isUsable(address, owns) && !avoid.has(address)) {
        return { address, alt: usableText(alt, longest.alt), credit: usableCredit(credit) }
      }
      log.warn({ source: source.kind }, 'a source of images gave an address that cannot be used')
    } catch (err) {
      if (!signal.aborted) log.warn({ err, source: source.kind }, 'a source of images failed')
    }
  }
  return undefined
}

/** Accepts files of this service, https URLs and site paths: no placeholders, other schemes or passwords. */
const isUsable = (address: string, owns: SearchMeans['owns']): boolean =>
  mayShow(address, { paths: true }) || owns(address)

function usableText(given: unknown, longest: number): string | undefined {
  const text = typeof given === 'string' ? given.replace(/[\s\p{Cc}]+/gu, ' ').trim() : ''
  return text === '' || text.length > longest || readsAsInstruction(text) ? undefined : text
}

function usableCredit(credit: ImageCredit | undefined): ImageCredit | undefined {
  const { name: given, address = '' } = credit ?? {}
  const name = usableText(given, longest.name)
  return name !== undefined && mayShow(address) ? { name, address } : undefined
}
