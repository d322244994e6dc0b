import type { Outbound } from '../outbound/port.ts'

const limits = { maxBytes: 8 * 1024 * 1024, timeoutMs: 8_000, types: ['application/json'] } as const

/** Reads `/api/editor/blocks` of a website; `undefined` without an origin, and if it does not answer. */
export async function fetchBlocks(
  outbound: Outbound,
  origin: string | undefined,
  {
    mayBePrivate,
    signal,
  }: {
    /** True if the origin may be a private address. */
    readonly mayBePrivate: boolean
    readonly signal: AbortSignal
  },
): Promise<unknown> {
  if (origin === undefined) return undefined
  const allowOrigins = mayBePrivate ? [origin] : []
  const asked = outbound.fetch(`${origin}/api/editor/blocks`, { ...limits, allowOrigins, signal })
  return asked.then((answer) => (answer.status === 200 ? answer.json() : undefined)).catch(() => undefined)
}
