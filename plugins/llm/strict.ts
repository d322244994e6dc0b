import { isPlainObject } from '../content/plain-object.ts'

/** What a schema may say where a model is held to it; limits of numbers and lengths cannot be held. */
const holdable: ReadonlySet<string> = new Set(['type', 'description', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const'])

/** Tells whether a model can be held to the JSON Schema of a tool: every object is closed, and at most `mostOptional` properties may be left out. */
export function isHoldable(schema: unknown, mostOptional: number): boolean {
  return optionalIn(schema) <= mostOptional
}

/** How many properties may be left out; infinitely many where the schema says what cannot be held. */
function optionalIn(schema: unknown): number {
  if (!isPlainObject(schema) || Object.keys(schema).some((word) => !holdable.has(word))) return Infinity
  const { type, properties, required, additionalProperties, items } = schema
  if (type === 'array') return optionalIn(items)
  if (type !== 'object') return typeof type === 'string' || 'enum' in schema || 'const' in schema ? 0 : Infinity
  if (!isPlainObject(properties) || additionalProperties !== false) return Infinity
  const needed = Array.isArray(required) ? required.length : 0
  return Object.values(properties).reduce<number>((sum, each) => sum + optionalIn(each), Object.keys(properties).length - needed)
}
