/** A map that forgets what was not asked for in longest once it holds more than `capacity`, by the weight of its values. */
export class Lru<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly weight: number }>()
  readonly #capacity: number
  #weight = 0
  #newest: string | undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (key !== this.#newest) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      this.#newest = key
    }
    return entry.value
  }

  set(key: string, value: V, weight = 1): void {
    this.delete(key)
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    this.#newest = key
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#weight -= entry.weight
  }
}
