/** Typed names by which plugins refer to services. */

declare const carried: unique symbol

/** Names a service with exactly one provider. */
export interface ServiceRef<out T> {
  readonly kind: 'service'
  readonly id: string
  readonly [carried]?: T
}

/** Names a service that is optional for a plugin. */
export interface OptionalRef<out T> {
  readonly kind: 'optional'
  readonly id: string
  readonly [carried]?: T
}

/** Names an extension point that any number of plugins may add to. */
export interface SlotRef<out T> {
  readonly kind: 'slot'
  readonly id: string
  readonly [carried]?: T
}

export type Wanted = Readonly<Record<string, ServiceRef<unknown> | OptionalRef<unknown> | SlotRef<unknown>>>
export type Given = Readonly<Record<string, ServiceRef<unknown> | SlotRef<unknown>>>

/** What a plugin receives for the refs it asked for. */
export type Received<N extends Wanted> = {
  readonly [K in keyof N]: N[K] extends ServiceRef<infer T>
    ? T
    : N[K] extends OptionalRef<infer T>
      ? T | undefined
      : N[K] extends SlotRef<infer T>
        ? readonly T[]
        : never
}

/** What a plugin must return for the refs it gives; one value per slot it adds to, or `undefined` to add nothing. */
export type Implementations<G extends Given> = {
  readonly [K in keyof G]: G[K] extends ServiceRef<infer T> ? T : G[K] extends SlotRef<infer T> ? T | undefined : never
}

/** Names a service; the id is unique in one kernel and shows in boot errors. */
export function service<T>(id: string): ServiceRef<T> {
  return Object.freeze({ kind: 'service', id })
}

/** Names a slot; plugins that need it receive the entries of all plugins, in boot order. */
export function slot<T>(id: string): SlotRef<T> {
  return Object.freeze({ kind: 'slot', id })
}

/** Makes a service optional: `undefined` if no plugin gives it. */
export function optional<T>(ref: ServiceRef<T>): OptionalRef<T> {
  return Object.freeze({ kind: 'optional', id: ref.id })
}

/** A service of the host: the content adapter of a website, a fake in a test. */
export interface Seed {
  readonly ref: ServiceRef<unknown>
  readonly value: unknown
}

/** Provides a service from outside; a plugin that gives it as well is a boot error. */
export function give<T>(ref: ServiceRef<T>, value: NoInfer<T>): Seed {
  return { ref, value }
}

/** The map from refs to values; the only place with casts. */
export interface Registry {
  has(ref: ServiceRef<unknown>): boolean
  get<T>(ref: ServiceRef<T>): T | undefined
  all<T>(ref: SlotRef<T>): readonly T[]
  put(ref: ServiceRef<unknown> | SlotRef<unknown>, value: unknown): void
  /** What a plugin receives for one of its needs. */
  receive(ref: ServiceRef<unknown> | OptionalRef<unknown> | SlotRef<unknown>): unknown
}

/** Creates a registry with the services of the host. */
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
