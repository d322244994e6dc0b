import type { OpenBridge, OpenBridgeOptions } from '../bridge/open.ts'
import { describeSelected } from '../bridge/selection.ts'
import { findBlock, slugOf } from '../page.ts'
import { isReloaded, recall, remember } from './memory.ts'

/** Remembers where the page is and what is selected; returns what brings that back after a reload, once. */
export function restoreView(
  { selection }: Pick<OpenBridge, 'selection'>,
  { slug, send, signal }: Pick<OpenBridgeOptions, 'slug' | 'send' | 'signal'>,
): () => void {
  let before = isReloaded() ? recall() : undefined
  const leave = (): void => remember({ scroll: window.scrollY, selected: selection.get() })
  window.addEventListener('pagehide', leave, { signal })
  return () => {
    const { scroll, selected } = before ?? {}
    before = undefined
    if (scroll !== undefined && Math.abs(scroll - window.scrollY) > 1)
      window.scrollTo({ top: scroll, behavior: 'instant' })
    const block = selected && findBlock(selected.blockId)
    if (!block) return
    selection.set(selected)
    // The editor has followed the page to its own document, where a text of another one cannot be typed.
    if (slugOf(block) !== slug()) send('blockClicked', describeSelected(selected))
  }
}
