/** What of the studio is too small to aim at, or too wide for the window. */
import type { Page } from 'playwright-core'

export const controls = 'button, a[href], input, select, textarea, summary, [role=treeitem], [role=option]'

/** The controls that are shown and smaller than so many pixels; a link within a text is as high as its line. */
export const smallerThan = (page: Page, least: number): Promise<readonly string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('${controls}')].flatMap((each) => {
    const target = each.matches('[type=checkbox]') ? (each.closest('label') ?? each) : each
    const { width, height } = target.getBoundingClientRect()
    if (!each.checkVisibility() || each.closest('.unseen, [inert]') || (width >= ${least} && height >= ${least})) return []
    if (getComputedStyle(target).display === 'inline') return []
    return (each.ariaLabel ?? each.textContent) + ' ' + width + ' x ' + height
  })`)

/** What can be scrolled sideways, other than what is as wide as its content, and buttons narrower than their text. */
export const tooWide = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('*')].flatMap((each) => {
    const isMeant = each.matches(':root, button') || /auto|scroll/.test(getComputedStyle(each).overflowX)
    if (!isMeant || each.scrollWidth <= each.clientWidth + 1 || each.matches('pre, .cells, .variations')) return []
    return each.tagName + ' ' + each.className + ' ' + each.scrollWidth + ' of ' + each.clientWidth
  })`)
