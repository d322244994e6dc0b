// Not `lru-cache`: fifty lines with weights and a callback are enough, and the package takes 3.6 MB on disk.

/** A map limited to `capacity`, the total weight of its values. Evicts the least recently used entries. */
export class Lru<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly weight: number }>()
  readonly #capacity: number
  readonly #forgotten: (value: V) => void
  #weight = 0
  #newest: K | undefined
  /** Kept between calls, because a new iterator would visit every deleted entry again. */
  readonly #oldest = this.#entries.keys()

  /** `forgotten` is called with every evicted or removed value, but not with a replaced one. */
  constructor(capacity: number, forgotten: (value: V) => void = () => undefined) {
    this.#capacity = capacity
    this.#forgotten = forgotten
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (key !== this.#newest) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      this.#newest = key
    }
    return entry.value
  }

  set(key: K, value: V, weight = 1): void {
    const before = this.#entries.get(key)
    if (before) this.#weight -= before.weight
    this.#entries.delete(key)
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    this.#newest = key
    while (this.#weight > this.#capacity) {
      const { done, value: oldest } = this.#oldest.next()
      if (done) return
      this.delete(oldest)
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#weight -= entry.weight
    this.#forgotten(entry.value)
  }
}
