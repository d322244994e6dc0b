/** How much of a page can be edited, counted in the page itself. */
import type { Frame } from 'playwright-core'

export interface Share {
  readonly edited: number
  readonly all: number
  /** What cannot be edited. */
  readonly rest: readonly string[]
}

export const percent = ({ edited, all }: Share): number => Math.floor((100 * edited) / all)

/**
 * Counts the words in these elements, or the texts if `as` is `texts`: each run of words between two tags. Code and what is not visible are left out.
 */
export const shareOf = (
  frame: Frame,
  selector: string,
  as: 'words' | 'texts',
  leftOut = 'none',
): Promise<Share> =>
  frame.evaluate(
    ({ selector, as, leftOut }) => {
      const without = `script, style, noscript, svg, pre, [aria-hidden=true], .sr-only, .visually-hidden, .hash-link, ${leftOut}`
      const place = '[data-editable-target]:not([data-editable-kind=link], [data-editable-kind=image])'
      const isInline = (element: Element) => /^(?:inline|contents)/.test(getComputedStyle(element).display)
      const groups = new Map<Element, { text: string; isEdited: boolean }[]>()
      for (const root of document.querySelectorAll(selector)) {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
          const node = walker.currentNode as Text
          const parent = node.parentElement
          if (!parent || !/[\p{L}\p{N}]/u.test(node.data) || parent.closest(without)) continue
          const range = document.createRange()
          range.selectNodeContents(node)
          // Some hide a text in one pixel.
          const isShown = range.getClientRects().length > 0 && parent.getBoundingClientRect().width > 1
          if (!isShown || getComputedStyle(parent).visibility !== 'visible') continue
          let around: Element = parent
          while (around.parentElement && isInline(around)) around = around.parentElement
          const group = groups.get(around) ?? []
          groups.set(around, group)
          group.push({ text: node.data, isEdited: parent.closest(place) !== null })
        }
      }
      const texts = [...groups.values()]
      if (as === 'texts') {
        const runs = texts.flat()
        const rest = runs.filter(({ isEdited }) => !isEdited).map(({ text }) => text.trim().slice(0, 60))
        return { edited: runs.length - rest.length, all: runs.length, rest }
      }
      const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
      const nodes = texts.flat()
      const count = (each: readonly { text: string }[]) =>
        each.reduce((sum, { text }) => sum + wordsIn(text), 0)
      const rest = nodes.filter(({ isEdited }) => !isEdited)
      return {
        edited: count(nodes) - count(rest),
        all: count(nodes),
        rest: rest.map(({ text }) => text.trim().slice(0, 60)),
      }
    },
    { selector, as, leftOut },
  )
