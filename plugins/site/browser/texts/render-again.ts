import { recall } from './memory.ts'

interface NextWindow {
  readonly next?: { readonly router?: { readonly refresh?: () => void } }
}

const routerNow = () => (window as NextWindow).next?.router

/** Whether the page can be rendered again without a reload. */
export const canRefresh = (): boolean => routerNow()?.refresh !== undefined

/** Renders the page again, by a reload if its framework has no other way. */
export function renderAgain(): void {
  if (canRefresh()) routerNow()?.refresh?.()
  else location.reload()
}

/** How much longer than the last time a site may take to show a change, and how long that is at first. */
export const patienceMs = 5000
export const usualMs = 1000

interface ExpectedPage {
  /** What the page was, and how many of its texts were of the content, when that was asked last. */
  readonly shown: () => { readonly body: string; readonly placed: number }
  readonly ask: () => void
  readonly mayRender: () => boolean
}

/**
 * Returns a function to call once the draft has changed: it asks for the places of texts, and renders the
 * page again if its site has not. Some sites do not watch what their code reads; then texts of the page are
 * the content no more.
 */
export function expectRendering({ shown, ask, mayRender }: ExpectedPage): () => void {
  return () => {
    const before = shown()
    ask()
    const afterMs = (recall().shownAfterMs ?? usualMs) + patienceMs
    setTimeout(ask, afterMs)
    setTimeout(() => {
      const { body, placed } = shown()
      if (body === before.body && placed < before.placed && mayRender()) renderAgain()
    }, afterMs + usualMs)
  }
}
