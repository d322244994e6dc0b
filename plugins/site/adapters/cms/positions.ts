/** A page in its new order. */
interface Ordered {
  /** Its position in the CMS; `undefined` for a new page, and an entry without one. */
  readonly position: number | undefined
  /** Its place among the pages that were read; -1 for a new one. */
  readonly place: number
}

/**
 * Returns the positions of pages in their new order. Entries keep theirs as far as the order allows, so that
 * a publish writes no entry that it need not; entries without one, which are read last, stay so while they
 * are last in their order.
 */
export function positionsOf(pages: readonly Ordered[]): readonly (number | undefined)[] {
  let first = pages.length
  for (let after = Infinity; first > 0; first -= 1) {
    const { position, place } = pages[first - 1] ?? { place: -1 }
    if (position !== undefined || place === -1 || place >= after) break
    after = place
  }
  let last = -Infinity
  return pages.map(({ position }, at) => {
    if (at >= first) return undefined
    last = position !== undefined && position > last ? position : Math.max(Math.floor(last), -1) + 1
    return last
  })
}
