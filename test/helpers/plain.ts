import * as v from 'valibot'
import {
  definePlugin,
  gates,
  use,
  type Call,
  type Gate,
  type GateRef,
  type RouteSpec,
  type ServiceRef,
  type SlotRef,
  type Used,
} from '../../kernel/index.ts'
import { everyWayIn, type Ask, type TestSetting } from '../../kernel/testing.ts'
import type { Test } from 'tap'

export const Ok = v.object({ ok: v.literal(true) })
export const ok = { status: 200, body: { ok: true } } as const
/** The start of a route that anyone may call. */
export const open = { gate: gates.public, summary: '' } as const

type PlainHandler = (call: Call & { readonly body: never; readonly query: never }) => unknown

/** A plugin that gives one value. */
export const giving = <T>(name: string, ref: ServiceRef<T> | SlotRef<T>, value: T | undefined) =>
  definePlugin({ name, tag: 'In-house', gives: { value: ref } }).setup(() => ({ gives: { value } }) as never)

/** What a route answers; unless given, it is open and replies `Ok`. */
export type Line =
  PlainHandler | (Partial<Omit<RouteSpec, 'method' | 'path'>> & { readonly answer?: PlainHandler })

/**
 * The routes of a plugin by method and path, such as `GET /a`; their answers are not checked by the compiler.
 * `given` has the gates that they use.
 */
export function plain(
  lines: Readonly<Record<string, Line>>,
  given: readonly (readonly [GateRef, Gate])[] = [],
): Used {
  const entries = Object.entries(lines).map(([key, line]) => {
    const [method, path] = key.split(' ')
    const { answer = () => ok, ...spec } = typeof line === 'function' ? { answer: line } : line
    const id = key.replace(/^GET \//, '').replaceAll(/\W+/g, '_')
    return { key: id, spec: { ...open, replies: { 200: Ok }, ...spec, method, path } as RouteSpec, answer }
  })
  const refs = Object.fromEntries(given.map(([ref], at) => [`gate${at}`, ref]))
  const plugin = definePlugin({ name: 'plain', tag: 'P', gives: refs }).setup(() => ({ gives: {} }) as never)
  return use({
    ...plugin,
    routes: Object.fromEntries(entries.map(({ key, spec }) => [key, spec])),
    boot: async () => ({
      handlers: Object.fromEntries(entries.map(({ key, answer }) => [key, answer])) as never,
      gives: Object.fromEntries(given.map(([, each], at) => [`gate${at}`, each])),
    }),
  })
}

/** Runs the same assertions on these routes over every transport. */
export const everyWay = (
  t: Test,
  lines: Readonly<Record<string, Line>>,
  body: (t: Test, ask: Ask) => Promise<void>,
  more: Partial<TestSetting> = {},
): Promise<void> => everyWayIn(t, () => ({ plugins: [plain(lines)], ...more }), body)

/** What `t.match` finds an empty list with: an empty array in a pattern matches any array. */
export const emptyList = { length: 0 } as const
