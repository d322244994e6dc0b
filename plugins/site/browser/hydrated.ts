const checkMs = 50
/** The maximum time to wait for the scripts of a page, in milliseconds. */
const longestMs = 10_000

/**
 * Resolves once React has hydrated a page of Next.js, which compares the markup of the server with its own and
 * reports what was changed before. Returns `undefined` for other pages, which may be changed at once.
 */
export function untilHydrated(): Promise<void> | undefined {
  const isPending = (): boolean =>
    !Object.keys(document.documentElement).some((key) => key.startsWith('__react'))
  if (!document.querySelector('[src*="/_next/"], [href*="/_next/"]') || !isPending()) return undefined
  const { promise, resolve } = Promise.withResolvers<void>()
  const start = performance.now()
  const timer = setInterval(() => {
    if (isPending() && performance.now() - start < longestMs) return
    clearInterval(timer)
    resolve()
  }, checkMs)
  return promise
}
