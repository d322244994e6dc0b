/** Typed names by which plugins refer to services. */
import { BootError } from './errors.ts'

declare const carried: unique symbol

interface Ref<Kind extends string, out T> {
  readonly kind: Kind
  readonly id: string
  readonly [carried]?: T
}

/** Names a service with exactly one provider. */
export type ServiceRef<T> = Ref<'service', T>

/** Names a service that is optional for a plugin. */
export type OptionalRef<T> = Ref<'optional', T>

/** Names an extension point that any number of plugins may add to. */
export type SlotRef<T> = Ref<'slot', T>

export type Wanted = Readonly<Record<string, ServiceRef<unknown> | OptionalRef<unknown> | SlotRef<unknown>>>
export type Given = Readonly<Record<string, ServiceRef<unknown> | SlotRef<unknown>>>

type ReceivedFor<R> =
  R extends ServiceRef<infer T>
    ? T
    : R extends OptionalRef<infer T>
      ? T | undefined
      : R extends SlotRef<infer T>
        ? readonly T[]
        : never

/** The values that a plugin receives for its refs. */
export type Received<N extends Wanted> = { readonly [K in keyof N]: ReceivedFor<N[K]> }

/** The values that a plugin must return for its refs; one value per slot, or `undefined` to add nothing. */
export type Implementations<G extends Given> = {
  readonly [K in keyof G]: G[K] extends ServiceRef<infer T>
    ? T
    : G[K] extends SlotRef<infer T>
      ? T | undefined
      : never
}

/** Names a service; the id is unique in one kernel and appears in boot errors. */
export function service<T>(id: string): ServiceRef<T> {
  return Object.freeze({ kind: 'service', id })
}

/** Names a slot; plugins that need it receive the entries of all plugins, in boot order. */
export function slot<T>(id: string): SlotRef<T> {
  return Object.freeze({ kind: 'slot', id })
}

/** Marks a service as optional: `undefined` if no plugin provides it. */
export function optional<T>(ref: ServiceRef<T>): OptionalRef<T> {
  return Object.freeze({ kind: 'optional', id: ref.id })
}

/** A service of the host: the content adapter of a website, a fake in a test. */
export interface Seed {
  readonly ref: ServiceRef<unknown>
  readonly value: unknown
}

/** Provides a service from outside; the boot fails if a plugin provides it as well. */
export function give<T>(ref: ServiceRef<T>, value: NoInfer<T>): Seed {
  return { ref, value }
}

/** The map from refs to values; the only place with casts. */
export type Registry = ReturnType<typeof createRegistry>

/** Creates a registry with the services of the host. */
export function createRegistry(seeds: readonly Seed[]) {
  const services = new Map<string, unknown>(seeds.map(({ ref, value }) => [ref.id, value]))
  const slots = new Map<string, readonly unknown[]>()
  const all = <T>({ id }: SlotRef<T>): readonly T[] => (slots.get(id) ?? []) as readonly T[]
  return {
    all,
    /** Returns a service by its ref; throws a BootError if no loaded plugin provides it. */
    get<T>({ id }: ServiceRef<T>): T {
      if (!services.has(id)) throw new BootError([`nothing loaded gives '${id}'`])
      return services.get(id) as T
    },
    put(ref: Given[string], value: unknown): void {
      if (ref.kind === 'service') services.set(ref.id, value)
      else if (value !== undefined) slots.set(ref.id, [...all(ref), value])
    },
    /** Returns the value for a need of a plugin. */
    receive: (ref: Wanted[string]): unknown => (ref.kind === 'slot' ? all(ref) : services.get(ref.id)),
  }
}
