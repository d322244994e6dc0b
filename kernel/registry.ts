import type { OptionalRef, Seed, ServiceRef, SlotRef } from './service.ts'

/** The one map from refs to values; the casts live here and nowhere else. */
export interface Registry {
  has(ref: ServiceRef<unknown>): boolean
  get<T>(ref: ServiceRef<T>): T | undefined
  all<T>(ref: SlotRef<T>): readonly T[]
  put(ref: ServiceRef<unknown> | SlotRef<unknown>, value: unknown): void
  /** What a plugin receives for one of its needs. */
  receive(ref: ServiceRef<unknown> | OptionalRef<unknown> | SlotRef<unknown>): unknown
}

/** Makes a registry that begins with what the host handed in. */
export function createRegistry(seeds: readonly Seed[]): Registry {
  const services = new Map<string, unknown>(seeds.map(({ ref, value }) => [ref.id, value]))
  const slots = new Map<string, unknown[]>()
  return {
    has: (ref) => services.has(ref.id),
    get: <T>(ref: ServiceRef<T>) => services.get(ref.id) as T | undefined,
    all: <T>(ref: SlotRef<T>) => (slots.get(ref.id) ?? []) as readonly T[],
    put(ref, value) {
      if (ref.kind === 'service') services.set(ref.id, value)
      else if (value !== undefined) slots.set(ref.id, [...(slots.get(ref.id) ?? []), value])
    },
    receive: (ref) => (ref.kind === 'slot' ? [...(slots.get(ref.id) ?? [])] : services.get(ref.id)),
  }
}
