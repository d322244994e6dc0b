const checkMs = 50
/** The maximum time to wait for the scripts of a page, in milliseconds. */
const longestMs = 10_000

let pending: Promise<void> | undefined
/** What React has not taken over in time. */
const left = new WeakSet<Element>()

/**
 * Resolves once React has hydrated a page of Next.js with all blocks that it shows, which compares the markup of
 * the server with its own, part by part, and reports what was changed before. Returns `undefined` for other
 * pages, and once nothing is left to hydrate: such a page may be changed at once.
 */
export function untilHydrated(): Promise<void> | undefined {
  if (pending || waiting().length === 0) return pending
  const start = performance.now()
  return (pending = new Promise((resolve) => {
    const timer = setInterval(() => {
      const rest = waiting()
      if (rest.length > 0 && performance.now() - start < longestMs) return
      for (const element of rest) left.add(element)
      clearInterval(timer)
      pending = undefined
      resolve()
    }, checkMs)
  }))
}

/** Changes the page once it may be changed, in the order of the calls, unless the signal aborts before. */
export function whenHydrated(change: () => void, signal: AbortSignal): void {
  const ready = untilHydrated()
  if (ready) void ready.then(() => signal.aborted || change())
  else if (!signal.aborted) change()
}

const waiting = (): readonly Element[] =>
  document.querySelector('[src*="/_next/"], [href*="/_next/"]')
    ? [...document.querySelectorAll('html, [data-block-id]')].filter(
        (each) => !left.has(each) && !isTaken(each),
      )
    : []

/** Whether React has taken an element over, or leaves it alone because it stands in markup that was set as text. */
function isTaken(element: Element): boolean {
  for (let each: Element | null = element; each; each = each.parentElement) {
    const [, props] = Object.entries(each).find(([key]) => key.startsWith('__reactProps')) ?? []
    if (props) return each === element || 'dangerouslySetInnerHTML' in props
  }
  return false
}
