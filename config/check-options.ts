import * as v from 'valibot'
import { BootError } from '../kernel/index.ts'
import { toIssues } from '../kernel/check.ts'
import { hint } from './nearest.ts'
import { originExpected, toOrigin } from './values.ts'

type Entries = Readonly<Record<string, v.GenericSchema>>

/** Options of earlier releases, with what to do instead. */
export type Removed = Readonly<Record<string, string>>

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
const isFunction = (value: unknown): boolean => typeof value === 'function'
const hasMethod = (name: string) => (value: unknown): boolean =>
  isObject(value) && isFunction(Reflect.get(value, name))

/** A value with a function of this name, such as an adapter or a logger. */
export const having = (method: string, remedy: string): v.GenericSchema => v.custom(hasMethod(method), remedy)
export const func = (remedy: string): v.GenericSchema => v.custom(isFunction, remedy)
export const text = v.pipe(v.string('expected a text'), v.regex(/\S/, 'must not be blank; leave it out instead'))
export const flag = v.boolean('expected true or false')
export const object = v.custom(isObject, 'expected an object')

export const adapterOption = having(
  'readContent',
  "expected an adapter with a function readContent, such as jsonFile('content/pages.json') or sitePages('https://www.example.com')",
)
export const loggerOption = having('child', 'expected a logger as createLogger() of content-orchestrator/kernel makes them')
/** A blank one, as a variable that is not set leaves behind, is none. */
export const originOption = v.pipe(
  v.string('expected a text'),
  v.check((text) => text.trim() === '' || toOrigin(text.trim()) !== undefined, originExpected),
)
export const siteIdOption = v.pipe(
  v.string('expected a text'),
  v.regex(/^[a-z0-9_-]{1,64}$/, "write it in lower case letters, digits, '-' and '_', at most 64 of them"),
)

/**
 * Checks options that a website passes in code, where nobody may have checked its types. Throws a BootError with a
 * sentence for each that is unknown, missing, or of the wrong kind; `of` is the function that they were passed to.
 */
export function checkOptions(of: string, entries: Entries, given: unknown, removed: Removed = {}): void {
  if (!isObject(given)) throw new BootError([`${of} expects an object of options, such as { adapter }`])
  const known = Object.keys(entries)
  const unknown = Object.keys(given)
    .filter((name) => !Object.hasOwn(entries, name))
    .map((name) => `${of} has no option '${name}'${removed[name] ?? hint(name, known)}`)
  // What is left out may be spelled out as undefined.
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const parsed = v.safeParse(v.object(entries), stated)
  const wrong = toIssues(parsed.issues ?? []).map(({ path, message }) =>
    message.endsWith(' is required') ? `${of} needs the option '${path}'` : `option '${path}' of ${of}: ${message}`,
  )
  if (unknown.length + wrong.length > 0) throw new BootError([...unknown, ...wrong])
}
