import { select } from '../stores/selection.ts'
import { openSide, settings } from '../stores/ui.ts'

/** Shows the settings of the page or of the site, where the fields of a block are otherwise. */
export function openSettings(of: typeof settings.value): void {
  select(undefined)
  settings.value = of
  openSide('fields')
  queueMicrotask(() => document.querySelector<HTMLElement>('.right .fields input')?.focus())
}
