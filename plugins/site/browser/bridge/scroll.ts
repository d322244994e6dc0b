import { findBlock, idOf, orderedBlocks } from '../page.ts'

/** Where a page is scrolled to: its first visible block and the place of its top in the window; else the distance from the top. */
interface ScrollPosition {
  readonly top: number
  readonly blockId?: string | null | undefined
  readonly offset?: number | undefined
}

/** Reports the place of this page while it is scrolled, and takes the place of another page, which it does not report. */
export function shareScroll(report: (place: ScrollPosition) => unknown, signal?: AbortSignal) {
  let taken: number | undefined
  let frame = 0

  const reportPosition = (): void => {
    frame = 0
    if (taken !== undefined && Math.abs(window.scrollY - taken) < 2) return
    taken = undefined
    const block = orderedBlocks().find((each) => each.getBoundingClientRect().bottom > 0)
    const place = block && { blockId: idOf(block), offset: block.getBoundingClientRect().top }
    report({ top: window.scrollY, ...place })
  }
  const listen = (): void => void (frame ||= requestAnimationFrame(reportPosition))
  window.addEventListener('scroll', listen, { passive: true, ...(signal && { signal }) })
  return {
    to({ top, blockId, offset = 0 }: ScrollPosition): void {
      const block = findBlock(blockId)
      const there = block ? window.scrollY + block.getBoundingClientRect().top - offset : top
      window.scrollTo({ top: there, behavior: 'instant' })
      taken = window.scrollY
    },
  }
}
