import type { Page } from './page.ts'

const held = new WeakSet<Page>()

/** Notes that a page is in memory for as long as its site has it, so that nothing needs a copy of it. */
export const holdPage = (page: Page): void => void held.add(page)

export const isHeld = (page: Page): boolean => held.has(page)
