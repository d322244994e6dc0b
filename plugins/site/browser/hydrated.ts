/** The pause between two checks, and the maximum time to wait for the scripts of a page, in milliseconds. */
const [checkMs, longestMs] = [50, 10_000]

let pending: Promise<void> | undefined
let isTimeOver = false

/**
 * Resolves once React has hydrated a page of Next.js with all blocks that it shows, or with the elements that are to be
 * changed: it compares the markup of the server with its own, part by part, and reports what was changed before.
 * `undefined` if the page may be changed at once.
 */
export function untilHydrated(changed: readonly Element[] = []): Promise<void> | undefined {
  if (isPending(changed)) pending ??= allTaken(changed, performance.now() + longestMs)
  return pending
}

/** Changes the page once it may be changed, in the order of the calls, unless the signal aborts before. */
export function whenHydrated(change: () => void, signal: AbortSignal): void {
  const ready = untilHydrated()
  if (ready) void ready.then(() => signal.aborted || change())
  else if (!signal.aborted) change()
}

async function allTaken(changed: readonly Element[], last: number): Promise<void> {
  while (isPending(changed) && performance.now() < last) await new Promise((end) => setTimeout(end, checkMs))
  isTimeOver = isPending(changed)
  pending = undefined
}

function isPending(changed: readonly Element[]): boolean {
  if (isTimeOver || !document.querySelector('[src*="/_next/"], [href*="/_next/"]')) return false
  return [...document.querySelectorAll('html, [data-block-id]'), ...changed].some(
    (each) => each.isConnected && !isTaken(each),
  )
}

/** Whether React has taken an element over, or leaves it alone because it is in markup that was set as text. */
function isTaken(element: Element, from = element): boolean {
  const [, props] = Object.entries(from).find(([key]) => key.startsWith('__reactProps')) ?? []
  if (props) return from === element || 'dangerouslySetInnerHTML' in props
  return from.parentElement !== null && isTaken(element, from.parentElement)
}
