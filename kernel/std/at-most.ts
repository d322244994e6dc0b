/** Limits an `LRUCache` to a number of entries; its own `max` takes the memory of all of them when it is created. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
