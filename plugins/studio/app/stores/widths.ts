/** The width of the window, and what a keyboard on the screen leaves of its height. */
import { signal } from '@preact/signals'

const matching = (query: string) => {
  const list = matchMedia(query)
  const matches = signal(list.matches)
  list.addEventListener('change', () => (matches.value = list.matches))
  return matches
}
/** Whether the outline is a drawer. */
export const isNarrow = matching('(max-width: 1100px)')
/** Whether there is one column, with chat and fields as a sheet from below. */
export const isPhone = matching('(max-width: 720px)')
/** Whether nothing is pointed at before it is tapped. */
export const isTouched = matching('(hover: none)')

const { documentElement } = document

/** Keeps the sheet above the keyboard of a phone. */
export function followWidths(): void {
  const view = window.visualViewport
  const measure = (): void => {
    const { height = innerHeight, offsetTop = 0 } = view ?? {}
    documentElement.style.setProperty('--seen', `${height}px`)
    documentElement.style.setProperty('--keyboard', `${Math.max(0, innerHeight - height - offsetTop)}px`)
  }
  view?.addEventListener('resize', measure)
  view?.addEventListener('scroll', measure)
  measure()
}
