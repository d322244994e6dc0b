/** What a plugin receives for its setup and returns from it, held against its declaration. */
import { BootError } from './errors.ts'
import { hint } from './nearest.ts'
import type { Booted, Plugin } from './plugin.ts'
import type { Received, Registry, Wanted } from './service.ts'

/** Names that the language itself reads of a value: of one that is awaited, or written as JSON. */
const languageReads: readonly unknown[] = ['then', 'toJSON']

/**
 * Returns what a plugin needs. Throws a BootError at the read of a name that it does not declare: JavaScript
 * would go on with `undefined`, and fail at a request.
 */
export function receiveNeeds({ name, needs }: Plugin, registry: Registry): Received<Wanted> {
  const received = Object.entries(needs).map(([key, ref]) => [key, registry.receive(ref)])
  // As the prototype, which a read of what is there does not reach.
  const undeclared = new Proxy(Object.prototype, {
    get(inherited, key, receiver) {
      if (typeof key === 'symbol' || key in inherited || languageReads.includes(key))
        return Reflect.get(inherited, key, receiver)
      throw new BootError([
        `plugin '${name}' uses '${key}' of its needs, but does not declare it; ` +
          `add it to needs in its declaration${hint(key, Object.keys(needs))}`,
      ])
    },
  })
  return Object.setPrototypeOf(Object.fromEntries(received), undeclared)
}

/** Gives what a setup returned to the other plugins. Throws a BootError if it is not exactly what is declared. */
export function passOn({ name, gives }: Plugin, product: Booted, registry: Registry): void {
  const declared = Object.entries(gives)
  const lacking = declared
    .filter(([key]) => !Object.hasOwn(product.gives, key))
    .map(
      ([key, { kind }]) =>
        `plugin '${name}' declares '${key}' in gives, but its setup returned no value for it; ` +
        (kind === 'slot' ? 'return one, or undefined to add nothing' : 'return one'),
    )
  const undeclared = Object.keys(product.gives)
    .filter((key) => !Object.hasOwn(gives, key))
    .map(
      (key) =>
        `plugin '${name}' returned '${key}' in gives, but does not declare it; ` +
        `add it to gives in its declaration${hint(key, Object.keys(gives))}`,
    )
  if (lacking.length + undeclared.length > 0) throw new BootError([...lacking, ...undeclared])
  for (const [key, ref] of declared) registry.put(ref, product.gives[key])
}
