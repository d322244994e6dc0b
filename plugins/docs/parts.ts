import type { JsonSchema } from '../../kernel/index.ts'

/** A property of an object in a schema. */
interface Property {
  readonly schema: JsonSchema
  /** True if every object of the schema has the property. */
  readonly required: boolean
}

type Properties = ReadonlyMap<string, Property>

export type Resolve = (ref: string) => JsonSchema

/** Returns the properties of objects that fit a schema, across references and alternatives. */
export function propertiesOf(
  schema: JsonSchema,
  resolve: Resolve,
  seen: ReadonlySet<string> = new Set(),
): Properties {
  const of = (part: JsonSchema, followed = seen): Properties => propertiesOf(part, resolve, followed)
  const { $ref, properties = {}, required = [], anyOf, oneOf, allOf = [] } = schema
  const own = Object.entries(properties).map(([name, part]): [string, Property] => [
    name,
    { schema: part, required: required.includes(name) },
  ])
  const referred = $ref === undefined || seen.has($ref) ? [] : of(resolve($ref), new Set([...seen, $ref]))
  const either = (anyOf ?? oneOf ?? []).map((part) => of(part))
  const alternatives = either
    .flatMap((each) => [...each])
    .map(([name, property]): [string, Property] => [
      name,
      { ...property, required: either.every((each) => each.get(name)?.required) },
    ])
  return new Map([...alternatives, ...referred, ...allOf.flatMap((part) => [...of(part)]), ...own])
}
