/** The declarations of plugins, checked at boot: in JavaScript, nothing else tells that a route lacks its gate. */
import type { Plugin } from './plugin.ts'
import type { RouteSpec } from './route.ts'
import { methods } from './router.ts'
import { isSchema } from './schema.ts'

/** What a key may hold, which JavaScript does not check; `undefined` for anything. */
type Rule = readonly [fits: (value: unknown) => boolean, expected: string] | undefined
type Rules<Key extends string> = Readonly<Record<Key, Rule>>

type Keyed = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Keyed => typeof value === 'object' && value !== null
const isString = (value: unknown): boolean => typeof value === 'string'
const isText = (value: unknown): boolean => isString(value) && value !== ''
const isMethod = (value: unknown): boolean => methods.some((method) => method === value)
const isReply = (value: unknown): boolean => isSchema(value) || (isObject(value) && isText(value['reply']))
const isRef = (...kinds: readonly unknown[]) => (value: unknown): boolean =>
  isObject(value) && kinds.includes(value['kind']) && isText(value['id'])

const object = [isObject, 'an object'] as const
const schema = [isSchema, 'a valibot schema'] as const
const schemaIfAny = [(value: unknown) => value === undefined || isSchema(value), schema[1]] as const
const any = undefined

const declarationRules: Rules<Exclude<keyof Plugin, 'boot' | 'takes'>> = {
  name: [isText, 'a text that no other plugin has'],
  tag: [isString, 'the group that its routes are listed under'],
  needs: object,
  gives: object,
  routes: object,
  options: schema,
  env: schema,
}

const routeRules: Rules<keyof RouteSpec> = {
  method: [isMethod, methods.join(', ')],
  path: [isText, 'a path, such as /notes/:id'],
  gate: [isRef('service'), 'a gate, such as gates.access'],
  summary: [isString, 'one sentence for the API description'],
  replies: object,
  params: schemaIfAny,
  query: schemaIfAny,
  body: schemaIfAny,
  can: any, sites: any, headers: any, etag: any, upload: any, raw: any, refusals: any,
  limit: any, values: any, timeout: any, internal: any, tag: any, traits: any,
}

const partRules = {
  needs: [isRef('service', 'optional', 'slot'), 'what service, optional, slot or gate returns'],
  gives: [isRef('service', 'slot'), 'what service, slot or gate returns'],
  replies: [isReply, 'a valibot schema, or what file, text, events or another kind of reply returns'],
} as const satisfies Rules<'needs' | 'gives' | 'replies'>

/**
 * A sentence for every key of a plugin and of its routes that is unknown, missing, or of the wrong type.
 * A plugin without a name is called by its `place`. Plain loops, because every start checks every route.
 */
export function problemsOf(plugin: Plugin, place: string): readonly string[] {
  const { boot: _, ...declaration } = plugin
  const { needs, gives, routes } = declaration
  const name = isText(declaration.name) ? declaration.name : place
  const where = `plugin '${name}'`
  const problems: string[] = []
  addMisfits(problems, where, declaration, declarationRules)
  addWrongParts(problems, where, 'needs', needs)
  addWrongParts(problems, where, 'gives', gives)
  if (!isObject(routes)) return problems
  for (const key in routes) {
    const spec: unknown = routes[key]
    const where = `route '${name}.${key}'`
    if (!isObject(spec)) {
      problems.push(`${where}: expected an object`)
      continue
    }
    addMisfits(problems, where, spec, routeRules)
    addWrongParts(problems, where, 'replies', spec['replies'])
  }
  return problems
}

function addMisfits(problems: string[], where: string, value: Keyed, rules: Rules<string>): void {
  for (const key in value) {
    if (Object.hasOwn(rules, key)) continue
    problems.push(`${where}: '${key}' is unknown; expected ${Object.keys(rules).join(', ')}`)
  }
  for (const key in rules) {
    const rule = rules[key]
    if (rule && !rule[0](value[key])) problems.push(`${where}: '${key}': expected ${rule[1]}`)
  }
}

function addWrongParts(problems: string[], where: string, of: keyof typeof partRules, parts: unknown): void {
  if (!isObject(parts)) return
  const [fits, expected] = partRules[of]
  for (const key in parts) {
    if (!fits(parts[key])) problems.push(`${where}: '${of}.${key}': expected ${expected}`)
  }
}
