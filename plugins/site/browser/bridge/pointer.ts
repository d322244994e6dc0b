import { areaOf, tag, type Box, type Overlay } from './overlay.ts'
import { blockAround, fieldAround, pathOf } from '../page.ts'

/** Outlines what is under the pointer while a click would select it, and names its field on request. */
export function followPointer(overlay: Overlay, isOn: () => boolean, signal: AbortSignal) {
  let shown: { readonly field: Element; readonly box: Box } | undefined
  let hasLabels = false

  const show = (field?: HTMLElement): void => {
    if (shown?.field === field) return
    shown?.box.remove()
    const label = field?.dataset['editableLabel'] ?? field?.dataset['editableTargetLabel']
    const labels = field && hasLabels ? [tag(label || pathOf(field))] : []
    shown = field && { field, box: overlay.add('hover', () => areaOf(field), ...labels) }
  }
  const renew = (): void => {
    const target = isOn() || hasLabels ? [...document.querySelectorAll(':hover')].at(-1) : undefined
    const block = target && blockAround(target)
    show(block && (fieldAround(target, block) ?? block))
  }
  document.addEventListener('pointerover', renew, { passive: true, signal })
  document.documentElement.addEventListener('pointerleave', () => show(), { signal })

  return {
    /** Shows at once what holds now, although the pointer rests. */
    renew,
    showLabels(visible: boolean) {
      hasLabels = visible
      show()
      renew()
    },
  }
}
