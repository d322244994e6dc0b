import { areaOf, tag, type Box, type Overlay } from './overlay.ts'
import { blockAround, fieldAround, pathOf } from '../page.ts'

/** Outlines what is under the pointer while a click would select it, and names its field on request. */
export function followPointer(overlay: Overlay, isOn: () => boolean, signal: AbortSignal) {
  let shown: { readonly field: Element; readonly box: Box } | undefined
  let hasLabels = false

  const show = (field: Element | undefined): void => {
    if (shown?.field === field) return
    shown?.box.remove()
    const label =
      field?.getAttribute('data-editable-label') ?? field?.getAttribute('data-editable-target-label')
    const labels = field && hasLabels ? [tag(label || pathOf(field))] : []
    shown = field && { field, box: overlay.add('hover', () => areaOf(field), ...labels) }
  }
  const move = (event: Event): void => {
    const target = isOn() || hasLabels ? event.target : null
    const block = target instanceof Element ? blockAround(target) : undefined
    show(block && target instanceof Element ? (fieldAround(target, block) ?? block) : undefined)
  }
  document.addEventListener('pointerover', move, { passive: true, signal })

  return {
    showLabels(visible: boolean) {
      hasLabels = visible
      show(undefined)
    },
  }
}
