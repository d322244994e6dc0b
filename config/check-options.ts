import * as v from 'valibot'
import { BootError, validate } from '../kernel/index.ts'
import { hint } from '../kernel/nearest.ts'
import { isObject, originExpected, toOrigin } from './values.ts'

const isFunction = (value: unknown): boolean => typeof value === 'function'

/** Accepts a value with a function of this name, such as an adapter or a logger. */
const having = (method: string, remedy: string): v.GenericSchema =>
  v.custom((value) => isObject(value) && isFunction(Reflect.get(value, method)), remedy)
export const func = (remedy: string): v.GenericSchema => v.custom(isFunction, remedy)
export const text = v.string('expected a text')
export const visibleText = v.pipe(text, v.regex(/\S/, 'must not be blank; leave it out instead'))
export const flag = v.boolean('expected true or false')
export const object = v.custom(isObject, 'expected an object')

export const adapterOption = having(
  'readContent',
  "expected an adapter with a function readContent, such as jsonFile('content/pages.json') or sitePages('https://www.example.com')",
)
export const loggerOption = having(
  'child',
  'expected a logger as createLogger() of content-orchestrator/kernel makes them',
)
/** Ignores blank entries, which come from unset variables. */
export const originsOption = v.array(
  v.pipe(
    text,
    v.check((each) => each.trim() === '' || toOrigin(each.trim()) !== undefined, originExpected),
  ),
  'expected a list of origins',
)
export const siteIdOption = v.pipe(
  text,
  v.regex(/^[a-z0-9_-]{1,64}$/, "expected 1 to 64 lower case letters, digits, '-' and '_'"),
)

/**
 * Checks options that a website passes to the function `of`, possibly without types. Throws a BootError that
 * lists unknown, missing and mistyped options; `removed` has the remedies for those of an earlier implementation.
 */
export function checkOptions(
  of: string,
  entries: Readonly<Record<string, v.GenericSchema>>,
  given: unknown,
  removed: Readonly<Record<string, string>> = {},
): void {
  if (!isObject(given)) throw new BootError([`${of} expects an object of options, such as { adapter }`])
  const names = Object.keys(entries)
  const unknown = Object.keys(given)
    .filter((name) => !Object.hasOwn(entries, name))
    .map((name) => `${of} has no option '${name}'${removed[name] ?? hint(name, names)}`)
  // A missing option may be passed as undefined.
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const parsed = validate(v.object(entries), stated)
  const wrong = (parsed.issues ?? []).map(({ path, message }) =>
    message.endsWith(' is required')
      ? `${of} needs the option '${path}'`
      : `option '${path}' of ${of}: ${message}`,
  )
  if (unknown.length + wrong.length > 0) throw new BootError([...unknown, ...wrong])
}
