import { areaOf, type Overlay } from './overlay.ts'
import { findBlock, findField } from '../page.ts'
import type { Selection } from './selection.ts'

const scrollEveryMs = 100
/** How long scrolling counts as the editor's after `scrollToBlock`. */
const quietAfterScrollMs = 800
const pulseMs = 700
const focusKey = 'editor:focus'

interface ViewOptions {
  readonly overlay: Overlay
  readonly selection: Selection
  /** Called when the person has scrolled, and not the editor. */
  readonly scrolled: () => void
  readonly signal: AbortSignal
}

/** The part of the page that is in the window, and what brings a block into it. */
export function createView({ overlay, selection, scrolled, signal }: ViewOptions) {
  let quietUntil = 0
  let lastScroll = 0

  const scroll = (): void => {
    const now = performance.now()
    if (now < quietUntil || now - lastScroll < scrollEveryMs) return
    lastScroll = now
    scrolled()
  }
  window.addEventListener('scroll', scroll, { passive: true, signal })
  for (const byPerson of ['wheel', 'pointerdown'])
    window.addEventListener(byPerson, () => (quietUntil = 0), { passive: true, signal })

  let scrollOn = (): void => undefined
  /** Goes on with a scroll that may have been cut off, because the page was rendered or its window resized. */
  const goOn = (): void => {
    if (performance.now() < quietUntil) scrollOn()
  }
  window.addEventListener('resize', goOn, { signal })

  const scrollTo = (blockId: string | null | undefined, how: ScrollIntoViewOptions, path?: string): void => {
    quietUntil = performance.now() + quietAfterScrollMs
    scrollOn = () => (findField(findBlock(blockId), path) ?? findBlock(blockId))?.scrollIntoView(how)
    scrollOn()
  }

  /** Selects a block after a change, and scrolls to it if it is outside the window. */
  const focus = (blockId: string | null | undefined): void => {
    const block = findBlock(blockId)
    if (!block || !blockId) return
    if (selection.get()?.blockId !== blockId) selection.set({ blockId, path: undefined })
    const { top, bottom } = block.getBoundingClientRect()
    if (bottom < 0 || top > innerHeight) scrollTo(blockId, { block: 'center' })
    const pulse = overlay.add('pulse', () => areaOf(findBlock(blockId)))
    setTimeout(pulse.remove, pulseMs)
  }
  const stored = storage()
  focus(stored?.getItem(focusKey))
  stored?.removeItem(focusKey)

  return {
    scrollTo,
    focus,
    rendered: goOn,
    focusOnNextPage: (blockId: string): void => storage()?.setItem(focusKey, blockId),
  }
}

/** Keeps the block to show on the next page; a browser may refuse it to frames of another site. */
function storage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
