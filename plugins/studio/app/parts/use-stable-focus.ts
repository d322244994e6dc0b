import { useLayoutEffect, useRef } from 'preact/hooks'

/** Keeps the focus in a form when what has it moves: a browser takes it from an element that does. */
export function useStableFocus() {
  const form = useRef<HTMLFormElement>(null)
  const focused = document.activeElement
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body && form.current?.contains(focused)
    if (isLost && focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  })
  return form
}
