import {
  type FoundImage, type ImageAsk, type ImageSource, phases, type Searching, type SourceKind, timed,
} from '../chat/port.ts'
import type { Target } from './fields.ts'
import { addressesIn } from './query.ts'
import { findImage, type FindMeans, inOrder } from './resolve.ts'
import { imageTextsIn } from './texts.ts'

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
export interface SearchMeans extends FindMeans {
  readonly sources: readonly ImageSource[]
  /** Milliseconds for all images of a request, or for each image if a client follows. */
  readonly longestImageMs: number
}

/** Receives an image that is only offered, or `undefined` if none was found. */
export type Settled = (image: FoundImage | undefined, index: number) => void

/**
 * Searches for one image after the other, so that none is used twice, and reports progress. Returns none if
 * the run is canceled. With `settled`, the images are only offered.
 */
export function search(
  run: Searching, all: readonly Sought[], { input: { draft, locale }, isStreamed }: Pick<ImageAsk, 'input' | 'isStreamed'>,
  means: SearchMeans, settled?: Settled,
): Promise<readonly Found[]> {
  const { signal: canceled, emit, siteId, folder, holder, spent } = run
  const { sources, longestImageMs } = means
  return timed(run, 'images', async () => {
    const texts = imageTextsIn(locale)
    const slugs = new Set(all.map(({ target: { at } }) => ('pageSlug' in at ? at.pageSlug : undefined)))
    const pages = draft.pages.filter(({ slug }) => slugs.has(slug))
    const used = pages.map(({ blocks }) => blocks.map(({ props }) => props))
    const avoid = new Set(addressesIn([all.map(({ target }) => target.address), used]))
    const together = AbortSignal.timeout(longestImageMs)
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
      const asked = inOrder(sources, source)
      const longestMs = Math.max(longestImageMs, ...asked.map((each) => each.longestMs ?? 0))
      const signal = AbortSignal.any([canceled, isStreamed ? AbortSignal.timeout(longestMs) : together])
      const request = { query, siteId, folder, avoid, isOffered: settled !== undefined, signal, holder, spent, progress }
      const image = await findImage(asked, request, means)
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

const within = (percent: number): number => (percent >= 0 ? Math.min(percent, 100) : 0)
