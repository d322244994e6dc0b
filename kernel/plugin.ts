import * as v from 'valibot'
import type { Shape } from './gate.ts'
import type { Logger } from './log.ts'
import type { Answer, Call, UncheckedTable, Gated, Handlers, RouteTable } from './route.ts'
import type { Schema } from './schema.ts'
import type { Given, Implementations, Received, Wanted } from './service.ts'

type None = Readonly<Record<never, never>>
type Nothing = v.UndefinedSchema<undefined>

/** The declaration of a plugin, available before it runs. */
interface Declaration<
  R extends UncheckedTable,
  N extends Wanted,
  G extends Given,
  O extends Schema,
  E extends Schema,
> {
  /** Unique in one kernel; kebab-case. */
  readonly name: string
  /** The group under which its routes are listed. */
  readonly tag: string
  /** The services, optional services and slots that it receives. */
  readonly needs?: N
  /** The services that it provides, and the slots that it adds to. */
  readonly gives?: G
  readonly routes?: R & Gated<R>
  /** The schema of the options in the configuration file. */
  readonly options?: O
  /** What it stores, as data for the plugin that gives the storage. */
  readonly collections?: readonly { readonly name: string }[]
  /** An object schema of its environment variables; it cannot read others. Blank counts as unset. */
  readonly env?: E
}

/** The arguments of a plugin's setup. */
export interface Setup<N extends Wanted, O, E> {
  readonly needs: Received<N>
  readonly options: O
  readonly env: E
  readonly shape: Shape
  /** True if `NODE_ENV` is `production`. */
  readonly production: boolean
  readonly log: Logger
  /** Aborts when the kernel starts to close: streams end, no new work starts. */
  readonly signal: AbortSignal
}

interface Lifecycle {
  /** Called after every plugin is set up, in dependency order. */
  ready?(): void | Promise<void>
  /** Called once, in reverse order, after the last answer. */
  close?(): void | Promise<void>
}

/** The return value of `setup`: exactly the declared members. */
type Product<R extends UncheckedTable, G extends Given> = Lifecycle &
  (keyof R extends never ? { readonly handlers?: never } : { readonly handlers: Handlers<R> }) &
  (keyof G extends never ? { readonly gives?: never } : { readonly gives: Implementations<G> })

/** A plugin for the kernel: its complete declaration, without the types of its parts, and its behaviour. */
export interface Plugin<in Options = never> extends Required<
  Declaration<RouteTable, Wanted, Given, Schema, Schema>
> {
  boot(context: Setup<Wanted, unknown, unknown>): Promise<Booted>
  /** A phantom type, with which `use(plugin, options)` checks the options. */
  readonly takes?: (options: Options) => void
}

export interface Booted extends Lifecycle {
  readonly handlers: Readonly<Record<string, (call: Call) => Answer | Promise<Answer>>>
  readonly gives: Readonly<Record<string, unknown>>
}

/**
 * Declares a plugin: first its declaration, as data, then its behaviour with `.setup(...)`.
 *
 * Two steps, because TypeScript infers literal types of handlers only with the declaration already known.
 */
export function definePlugin<
  const R extends UncheckedTable = None,
  const N extends Wanted = None,
  const G extends Given = None,
  const O extends Schema = Nothing,
  const E extends Schema = Nothing,
>(declaration: Declaration<R, N, G, O, E>) {
  type Context = Setup<N, v.InferOutput<O>, v.InferOutput<E>>
  const { needs, gives, routes, collections, options, env } = declaration
  return {
    setup: (run: (context: Context) => Product<R, G> | Promise<Product<R, G>>): Plugin<v.InferInput<O>> => ({
      // Includes unknown keys, which the boot reports.
      ...declaration,
      needs: needs ?? {},
      gives: gives ?? {},
      routes: routes ?? {},
      collections: collections ?? [],
      options: options ?? v.undefined(),
      env: env ?? v.undefined(),
      async boot(context) {
        // The only cast of this kind: `context` was assembled from this declaration.
        const result: unknown = await run(context as Context)
        const product = result as Partial<Booted> | undefined
        return { ...product, handlers: product?.handlers ?? {}, gives: product?.gives ?? {} }
      },
    }),
  }
}

/** A plugin with its options. */
export interface Used {
  readonly plugin: Plugin
  readonly options: unknown
}

/** Pairs a plugin with its options, checked by the compiler now and by the plugin's schema at boot. */
export function use<O>(
  plugin: Plugin<O>,
  ...[options]: undefined extends O ? [options?: O] : [options: O]
): Used {
  return { plugin, options }
}

/** Distinguishes a plugin created by `definePlugin(...).setup(...)` from other exports of a module. */
export function isPlugin(value: unknown): value is Plugin {
  return (
    typeof value === 'object' &&
    value !== null &&
    'boot' in value &&
    typeof value.boot === 'function' &&
    ['routes', 'needs', 'gives', 'options', 'env'].every((key) => key in value)
  )
}
