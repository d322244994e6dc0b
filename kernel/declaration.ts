/** Checks the declarations of plugins at boot: in JavaScript, nothing else reports a route without a gate. */
import type { Plugin } from './plugin.ts'
import { isMethod, methods, type RouteSpec } from './route.ts'
import { isSchema } from './schema.ts'

/** The allowed values of a key and of its parts, which JavaScript does not check. */
type KeyRule = readonly [fits: (value: unknown) => boolean, expected: string, parts?: KeyRule]
type Rules<Key extends string> = Readonly<Record<Key, KeyRule>>

type Keyed = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Keyed => typeof value === 'object' && value !== null
const isString = (value: unknown): boolean => typeof value === 'string'
const isText = (value: unknown): boolean => isString(value) && value !== ''
const isReply = (value: unknown): boolean => isSchema(value) || (isObject(value) && isText(value['reply']))
const isRef =
  (...kinds: readonly unknown[]) =>
  (value: unknown): boolean =>
    isObject(value) && kinds.includes(value['kind']) && isText(value['id'])

const objectOf = (...parts: [] | [KeyRule]): KeyRule => [isObject, 'an object', ...parts]
const schema = [isSchema, 'a valibot schema'] as const
const schemaIfAny = [(value: unknown) => value === undefined || isSchema(value), schema[1]] as const
const reply = [
  isReply,
  'a valibot schema, or what file, text, events or another kind of reply returns',
] as const
const isKind = (value: unknown): boolean =>
  typeof value === 'function' && 'status' in value && 'code' in value && 'describe' in value
const kinds = [
  (value: unknown) => value === undefined || (Array.isArray(value) && value.every(isKind)),
  'a list of what defineRefusal returns',
] as const
const any: KeyRule = [() => true, 'anything']

const declarationRules: Rules<Exclude<keyof Plugin, 'boot' | 'takes'>> = {
  name: [isText, 'a text that no other plugin has'],
  tag: [isString, 'the group that its routes are listed under'],
  needs: objectOf([isRef('service', 'optional', 'slot'), 'what service, optional, slot or gate returns']),
  gives: objectOf([isRef('service', 'slot'), 'what service, slot or gate returns']),
  routes: objectOf(),
  collections: [Array.isArray, 'a list of what defineCollection returns'],
  options: schema,
  env: schema,
}

const routeRules: Rules<keyof RouteSpec> = {
  method: [isMethod, methods.join(', ')],
  path: [isText, 'a path, such as /notes/:id'],
  gate: [isRef('service'), 'a gate, such as gates.access'],
  summary: [isString, 'one sentence for the API description'],
  replies: objectOf(reply),
  params: schemaIfAny,
  query: schemaIfAny,
  body: schemaIfAny,
  can: any,
  sites: any,
  headers: any,
  etag: any,
  upload: any,
  raw: any,
  refusals: kinds,
  maxBytes: any,
  maxValues: any,
  parse: any,
  timeoutMs: any,
  internal: any,
  tag: any,
  traits: any,
}

/**
 * Describes each unknown, missing or mistyped key of a plugin and its routes, one sentence per key. A plugin
 * without a name is called by its `place`. Plain loops, because every start checks every route.
 */
export function problemsOf(plugin: Plugin, place: string): readonly string[] {
  const { boot: _, ...declaration } = plugin
  const name = isText(plugin.name) ? plugin.name : place
  const problems: string[] = []
  addMisfits(problems, `plugin '${name}'`, declaration, declarationRules)
  if (!isObject(plugin.routes)) return problems
  for (const [key, spec] of Object.entries<unknown>(plugin.routes)) {
    const where = `route '${name}.${key}'`
    if (isObject(spec)) addMisfits(problems, where, spec, routeRules)
    else problems.push(`${where}: expected an object`)
  }
  return problems
}

function addMisfits(problems: string[], where: string, value: Keyed, rules: Rules<string>): void {
  for (const key in value) {
    if (Object.hasOwn(rules, key)) continue
    problems.push(`${where}: '${key}' is unknown; expected ${Object.keys(rules).join(', ')}`)
  }
  for (const key in rules) {
    const [fits, expected] = rules[key] ?? any
    if (!fits(value[key])) problems.push(`${where}: '${key}': expected ${expected}`)
  }
  for (const key in rules) {
    const found = value[key]
    const [, , parts] = rules[key] ?? any
    if (!parts || !isObject(found)) continue
    const [fits, expected] = parts
    for (const part in found) {
      if (!fits(found[part])) problems.push(`${where}: '${key}.${part}': expected ${expected}`)
    }
  }
}
