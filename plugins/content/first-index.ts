/** Returns the index of the first element that fits; all that follow it fit as well. */
export function firstIndex<T>(list: readonly T[], fits: (element: T) => boolean): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const element = list[middle]
    if (element !== undefined && fits(element)) high = middle
    else low = middle + 1
  }
  return low
}
