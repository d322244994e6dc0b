import * as v from 'valibot'
import type { Shape } from './gate.ts'
import type { Logger } from './log.ts'
import type { Answer, Call, Handlers, RouteTable } from './route.ts'
import type { Schema } from './schema.ts'
import type { Given, Implementations, Received, Wanted } from './service.ts'

type None = Readonly<Record<never, never>>
type Nothing = v.UndefinedSchema<undefined>

/** The declaration of a plugin, available before it runs. */
export interface Declaration<R extends RouteTable, N extends Wanted, G extends Given, O extends Schema, E extends Schema> {
  /** Unique in one kernel; kebab-case. */
  readonly name: string
  /** The group that its routes are listed under. */
  readonly tag: string
  /** Services, optional services and slots that it receives. */
  readonly needs?: N
  /** Services it gives and slots it adds to. */
  readonly gives?: G
  readonly routes?: R
  /** Schema of the options in the configuration file. */
  readonly options?: O
  /** An object schema of the environment variables it reads; it can read no others. Blank counts as unset. */
  readonly env?: E
}

/** What the setup of a plugin receives. */
export interface Setup<N extends Wanted, O, E> {
  readonly needs: Received<N>
  readonly options: O
  readonly env: E
  readonly shape: Shape
  /** `NODE_ENV` is `production`. */
  readonly production: boolean
  readonly log: Logger
  /** Aborts when the kernel starts to close: streams end, no new work starts. */
  readonly signal: AbortSignal
}

export interface Lifecycle {
  /** Runs after every plugin is set up, in dependency order. */
  ready?(): void | Promise<void>
  /** Runs once, in reverse order, after the last answer. */
  close?(): void | Promise<void>
}

/** What `setup` must return: exactly what was declared. */
export type Product<R extends RouteTable, G extends Given> = Lifecycle &
  (keyof R extends never ? { readonly handlers?: never } : { readonly handlers: Handlers<R> }) &
  (keyof G extends never ? { readonly gives?: never } : { readonly gives: Implementations<G> })

/** A plugin as the kernel sees it, without the types of its declaration. */
export interface Plugin<in Options = never> {
  readonly name: string
  readonly tag: string
  readonly needs: Wanted
  readonly gives: Given
  readonly routes: RouteTable
  readonly options: Schema
  readonly env: Schema
  boot(context: Setup<Wanted, unknown, unknown>): Promise<Booted>
  /** Phantom: lets `use(plugin, options)` check the options. */
  readonly takes?: (options: Options) => void
}

export interface Booted extends Lifecycle {
  readonly handlers: Readonly<Record<string, (call: Call) => Answer | Promise<Answer>>>
  readonly gives: Readonly<Record<string, unknown>>
}

/**
 * Declares a plugin: first its declaration, as data, then `.setup(...)` with its behaviour.
 *
 * Two steps, because literal types of handlers are inferred only when the declaration is known before the setup is read.
 */
export function definePlugin<
  const R extends RouteTable = None,
  const N extends Wanted = None,
  const G extends Given = None,
  const O extends Schema = Nothing,
  const E extends Schema = Nothing,
>(declaration: Declaration<R, N, G, O, E>) {
  type Context = Setup<N, v.InferOutput<O>, v.InferOutput<E>>
  const { needs, gives, routes, options, env } = declaration
  return {
    /** Adds the behaviour of the plugin. */
    setup: (run: (context: Context) => Product<R, G> | Promise<Product<R, G>>): Plugin<v.InferInput<O>> => ({
      // With its unknown keys, which the boot reports.
      ...declaration,
      needs: needs ?? {},
      gives: gives ?? {},
      routes: routes ?? {},
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

/** A plugin with the options to boot it with. */
export interface Used {
  readonly plugin: Plugin
  readonly options: unknown
}

/** Pairs a plugin with its options, checked by the compiler now and by the plugin's schema at boot. */
export function use<O>(plugin: Plugin<O>, ...[options]: undefined extends O ? [options?: O] : [options: O]): Used {
  return { plugin, options }
}

/** Distinguishes a plugin made by `definePlugin(...).setup(...)` from anything else that a module may export. */
export function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && 'boot' in value && typeof value.boot === 'function'
    && ['routes', 'needs', 'gives', 'options', 'env'].every((key) => key in value)
}
