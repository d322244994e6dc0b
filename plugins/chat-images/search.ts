import { type FoundImage, type ImageScene, type ImageSource, phases, type Searching, timed } from '../chat/port.ts'
import type { Target } from './fields.ts'
import { addressesIn } from './query.ts'
import { findImage, type FindMeans } from './resolve.ts'
import { imageTextsIn } from './texts.ts'

/** An image to search: its field, what it should show, and the sources in the order in which they are asked. */
export interface Sought {
  readonly target: Target
  readonly query: string
  readonly sources: readonly ImageSource[]
}

export interface Found {
  readonly target: Target
  readonly image: FoundImage
}

/** The settings of a search. */
export interface SearchOptions extends FindMeans {
  readonly draft: ImageScene['draft']
  readonly locale: string
  /** Milliseconds for all images of a request, or for each image of one that a client follows. */
  readonly longestMs: number
  readonly isStreamed: boolean
  /** Receives each image that is only offered, once it is found or cannot be. */
  readonly settled?: ((image: FoundImage | undefined, index: number) => void) | undefined
}

/** Searches one image after the other, so that none is used twice, and reports progress. Returns none for a canceled run. */
export const search = (run: Searching, all: readonly Sought[], options: SearchOptions): Promise<readonly Found[]> =>
  timed(run, 'images', () => searchAll(run, all, options))

async function searchAll({ signal: canceled, emit, siteId, folder, holder, spent }: Searching, all: readonly Sought[], { draft, locale, longestMs, isStreamed, log, owns, settled }: SearchOptions): Promise<readonly Found[]> {
  const texts = imageTextsIn(locale)
  const avoid = new Set(addressesIn([all.map(({ target }) => target.address), pagesOf(all, draft).map(({ blocks }) => blocks.map(({ props }) => props))]))
  const together = AbortSignal.timeout(longestMs)
  const found: Found[] = []
  let reported = 0
  emit({ type: 'status', message: phases.images })
  for (const [index, { target, query, sources }] of all.entries()) {
    let isWaiting = true
    const progress = (percent: number): void => {
      if (!isWaiting) return
      reported = Math.max(reported, Math.floor((100 * index + within(percent)) / all.length))
      emit({ type: 'image_progress', percent: reported, stage: texts.stage(index + 1, all.length) })
    }
    progress(0)
    const signal = AbortSignal.any([canceled, isStreamed ? AbortSignal.timeout(Math.max(longestMs, ...sources.map((source) => source.longestMs ?? 0))) : together])
    const image = await findImage(sources, { query, siteId, folder, avoid, isOffered: settled !== undefined, signal, holder, spent, progress }, { log, owns })
    if (canceled.aborted) return []
    progress(100)
    isWaiting = false
    settled?.(image, index)
    if (!image) continue
    avoid.add(image.address)
    found.push({ target, image })
  }
  return found
}

function pagesOf(all: readonly Sought[], { pages }: ImageScene['draft']): ImageScene['draft']['pages'] {
  const slugs = new Set(all.map(({ target: { at } }) => ('pageSlug' in at ? at.pageSlug : undefined)))
  return pages.filter(({ slug }) => slugs.has(slug))
}

const within = (percent: number): number => (percent >= 0 ? Math.min(percent, 100) : 0)
