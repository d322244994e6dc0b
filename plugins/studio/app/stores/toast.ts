import { signal } from '@preact/signals'

export interface Toast {
  readonly text: string
  readonly action?: { readonly text: string; readonly run: () => void } | undefined
}

/** The latest message for the person, announced by screen readers. */
export const toast = signal<Toast | undefined>(undefined)

const shownMs = 6000
let timer = 0

export function say(text: string, action?: Toast['action']): void {
  toast.value = { text, action }
  resume()
}

/** Keeps the message while the pointer or the focus is on it. */
export const hold = (): void => clearTimeout(timer)
export function resume(): void {
  clearTimeout(timer)
  timer = window.setTimeout(() => (toast.value = undefined), shownMs)
}
