import { signal } from '@preact/signals'

interface Toast {
  readonly text: string
  readonly action?: { readonly text: string; readonly run: () => void } | undefined
}

/** The latest message for the person, announced by screen readers. */
export const toast = signal<Toast | undefined>(undefined)

const shownMs = 6000
let timer = 0
let isHeld = false

export function say(text: string, action?: Toast['action']): void {
  toast.value = { text, action }
  if (!isHeld) resume()
}

/** Keeps the message while the pointer or the focus is on it. */
export function hold(): void {
  isHeld = true
  clearTimeout(timer)
}
export function resume(): void {
  isHeld = false
  clearTimeout(timer)
  timer = window.setTimeout(dismiss, shownMs)
}
export function dismiss(): void {
  isHeld = false
  clearTimeout(timer)
  toast.value = undefined
}
