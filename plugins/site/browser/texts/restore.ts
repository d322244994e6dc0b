import type { OpenBridge } from '../bridge/open.ts'
import { findBlock } from '../page.ts'
import { recall, remember } from './memory.ts'

/** Whether the document is there because the page was loaded again. */
export const isReloaded = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => entry.toJSON().type === 'reload')

/** Remembers where the page is and what is selected; returns what brings that back after a reload, once. */
export function restoreView(tools: () => OpenBridge | undefined, signal: AbortSignal): () => void {
  let before = isReloaded() ? recall() : undefined
  const leave = (): void => remember({ scroll: window.scrollY, selected: tools()?.selection.get() })
  window.addEventListener('pagehide', leave, { signal })
  return () => {
    const { scroll, selected } = before ?? {}
    before = undefined
    if (scroll !== undefined && Math.abs(scroll - window.scrollY) > 1)
      window.scrollTo({ top: scroll, behavior: 'instant' })
    if (selected && findBlock(selected.blockId)) tools()?.selection.set(selected)
  }
}
