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
