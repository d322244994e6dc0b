import { phases, timed } from '../types/events.ts'
import type { FoundImage, ImageScene, ImageSource, Searching } from '../types/images.ts'
import type { Target } from './fields.ts'
import { addressesIn } from './query.ts'
import { findImage, type FindMeans } from './resolve.ts'
import { imageTextsIn } from './texts.ts'

/** An image that is wanted: for which field, what it should show, and who is asked for it, in this order. */
export interface Sought {
  readonly target: Target
  readonly query: string
  readonly sources: readonly ImageSource[]
}

export interface Found {
  readonly target: Target
  readonly image: FoundImage
}

/** What goes with a search. */
export interface SearchOptions extends FindMeans {
  readonly draft: ImageScene['draft']
  readonly locale: string
  /** Milliseconds for all images of a request that nobody follows, and for each image of one that somebody does. */
  readonly longestMs: number
  readonly isStreamed: boolean
  /** The images are only shown. */
  readonly isOffered: boolean
  /** Told of each image when it is there, or nobody has it. */
  readonly tell?: ((image: FoundImage | undefined, index: number) => void) | undefined
}

/** Looks for one image after the other, so that none is used twice, and tells how far it is. A run that is canceled has none. */
export const search = (run: Searching, all: readonly Sought[], options: SearchOptions): Promise<readonly Found[]> =>
  timed(run, 'images', () => lookFor(run, all, options))

async function lookFor({ signal: canceled, emit, siteId, folder, holder, spent }: Searching, all: readonly Sought[], { draft, locale, longestMs, isStreamed, isOffered, log, owns, tell }: SearchOptions): Promise<readonly Found[]> {
  const texts = imageTextsIn(locale)
  const avoid = new Set(addressesIn([all.map(({ target }) => target.address), pagesOf(all, draft).map(({ blocks }) => blocks.map(({ props }) => props))]))
  const together = AbortSignal.timeout(longestMs)
  const found: Found[] = []
  let told = 0
  emit({ type: 'status', message: phases.images })
  for (const [index, { target, query, sources }] of all.entries()) {
    let isWaiting = true
    const progress = (percent: number): void => {
      if (!isWaiting) return
      told = Math.max(told, Math.floor((100 * index + within(percent)) / all.length))
      emit({ type: 'image_progress', percent: told, stage: texts.stage(index + 1, all.length) })
    }
    progress(0)
    const signal = AbortSignal.any([canceled, isStreamed ? AbortSignal.timeout(Math.max(longestMs, ...sources.map((source) => source.longestMs ?? 0))) : together])
    const image = await findImage(sources, { query, siteId, folder, avoid, isOffered, signal, holder, spent, progress }, { log, owns })
    if (canceled.aborted) return []
    progress(100)
    isWaiting = false
    tell?.(image, index)
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
