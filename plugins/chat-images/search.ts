import { type Logger, untilAborted } from '../../kernel/index.ts'
import {
  type FoundImage,
  type ImageAsk,
  type ImageCredit,
  type ImageRequest,
  type ImageSource,
  phases,
  type Searching,
  type SourceKind,
  timed,
} from '../chat/port.ts'
import { readsAsInstruction } from '../content/words.ts'
import type { Target } from './fields.ts'
import { addressesIn } from './query.ts'
import { texts } from './texts.ts'

const order: readonly SourceKind[] = ['brand', 'generated', 'stock']
const longest = { address: 2_048, alt: 300, name: 100 }

/** An image to search for: its field, its query, and the kind of source to ask first. */
export interface Sought {
  readonly target: Target
  readonly query: string
  readonly source?: SourceKind | undefined
}

export interface Found {
  readonly target: Target
  readonly image: FoundImage
}

/** The dependencies of all searches. */
export interface SearchMeans {
  readonly log: Logger
  /** Whether this service itself serves an address. */
  readonly owns: (address: string) => boolean
  readonly sources: readonly ImageSource[]
}

/**
 * Searches for one image after the other, so that none is used twice, and reports progress. Returns none if
 * the run is canceled. With `settled`, which receives each image or `undefined`, they are only offered.
 */
export function search(
  run: Searching,
  all: readonly Sought[],
  { input, isStreamed, longestMs }: Omit<ImageAsk, 'choice'>,
  means: SearchMeans,
  settled?: (image: FoundImage | undefined, index: number) => void,
): Promise<readonly Found[]> {
  const { signal: canceled, emit, siteId, folder, holder, spent } = run
  return timed(run, 'images', async () => {
    const avoid = usedAddresses(all, input.draft)
    const together = AbortSignal.timeout(longestMs)
    const found: Found[] = []
    let reported = 0
    emit({ type: 'status', message: phases.images })
    for (const [index, { target, query, source }] of all.entries()) {
      let isWaiting = true
      const progress = (percent: number): void => {
        if (!isWaiting) return
        reported = Math.max(reported, Math.floor((100 * index + within(percent)) / all.length))
        emit({ type: 'image_progress', percent: reported, stage: texts.stage(index + 1, all.length) })
      }
      progress(0)
      const ordered = inOrder(means.sources, source)
      const alone = Math.max(longestMs, ...ordered.map((each) => each.longestMs ?? 0))
      const signal = AbortSignal.any([canceled, isStreamed ? AbortSignal.timeout(alone) : together])
      const image = await findImage(
        ordered,
        { query, siteId, folder, avoid, signal, holder, spent, progress },
        means,
      )
      if (canceled.aborted) return []
      progress(100)
      isWaiting = false
      settled?.(image, index)
      if (!image) continue
      avoid.add(image.address)
      found.push({ target, image })
    }
    return found
  })
}

/** The addresses in the fields to fill, and on their pages. */
function usedAddresses(all: readonly Sought[], { pages }: ImageAsk['input']['draft']): Set<string> {
  const slugs = new Set(all.map(({ target: { at } }) => ('pageSlug' in at ? at.pageSlug : undefined)))
  const others = pages.filter(({ slug }) => slugs.has(slug))
  return new Set(addressesIn([all.map(({ target }) => target.address), others]))
}

const within = (percent: number): number => (percent >= 0 ? Math.min(percent, 100) : 0)

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
  for (const source of sources) {
    if (request.signal.aborted) return undefined
    const found = await asked(source, request, log)
    if (!found) continue
    const { address, alt, credit } = found
    if (isUsable(address, owns) && !request.avoid.has(address)) {
      return { address, alt: usableText(alt, longest.alt), credit: usableCredit(credit) }
    }
    log.warn({ source: source.kind }, 'a source of images gave an address that cannot be used')
  }
  return undefined
}

/** Returns the image of one source; `undefined` if it fails or times out. */
async function asked(source: ImageSource, request: ImageRequest, log: Logger) {
  const { signal } = request
  try {
    return await untilAborted(source.find(request), signal)
  } catch (err) {
    if (!signal.aborted) log.warn({ err, source: source.kind }, 'a source of images failed')
    return undefined
  }
}

/** Accepts files of this service, https URLs and site paths: no placeholders, other schemes or passwords. */
function isUsable(address: unknown, owns: SearchMeans['owns']): boolean {
  return isAddress(address) || (isPlain(address) && (/^\/[^/]/.test(address) || owns(address)))
}

const isPlain = (address: unknown): address is string =>
  typeof address === 'string' && address.length <= longest.address && !/[\s\p{Cc}"'<>\\`]/u.test(address)

/** Whether an address is an https URL without a password. */
function isAddress(address: unknown): boolean {
  if (!isPlain(address)) return false
  const url = /^https:\/\//i.test(address) ? URL.parse(address) : null
  return url !== null && url.username === '' && url.password === ''
}

function usableText(given: unknown, longest: number): string | undefined {
  const text = typeof given === 'string' ? given.replace(/[\s\p{Cc}]+/gu, ' ').trim() : ''
  return text === '' || text.length > longest || readsAsInstruction(text) ? undefined : text
}

function usableCredit(credit: ImageCredit | undefined): ImageCredit | undefined {
  const { name: given, address = '' } = credit ?? {}
  const name = usableText(given, longest.name)
  return name !== undefined && isAddress(address) ? { name, address } : undefined
}
