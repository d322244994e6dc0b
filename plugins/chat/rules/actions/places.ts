import { unfit } from '../ask.ts'
import type { Node } from '../grammar/node.ts'

const most = 10

/** `the first two`, `the last three`; or the places that are listed. */
export function placesOf(listed: readonly Node[], some: Node | undefined, n: Node | undefined): readonly Node[] {
  if (!some) return listed
  const count = n?.number ?? 0
  if (Math.abs(some.number ?? 0) !== 1 || count < 1 || count > most) return unfit('only the first or the last few are counted')
  return Array.from({ length: count }, (_, index) => ({ ...some, number: (some.number ?? 1) * (index + 1) }))
}
