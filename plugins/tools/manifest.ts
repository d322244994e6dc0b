import * as v from 'valibot'
import type { PropsSchema } from '../content/model.ts'
import { isPlainObject } from '../content/plain-object.ts'
import { wordSet } from '../content/words.ts'

/** The manifest of a tool, without its schemas. */
export const ToolShape = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(100)),
  description: v.pipe(v.string(), v.nonEmpty(), v.maxLength(2_000)),
  capability: v.picklist(['read', 'write']),
  timeoutMs: v.pipe(v.number(), v.integer(), v.minValue(250), v.maxValue(600_000)),
  retryPolicy: v.object({
    maxAttempts: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
    backoffMs: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(60_000))),
  }),
  idempotent: v.boolean(),
  enabled: v.optional(v.boolean()),
})

/** The supported keywords of JSON Schema; the last two are only descriptive. */
const keywords = wordSet('type enum properties required additionalProperties items title description')
const types: ReadonlySet<unknown> = wordSet('object array string number integer boolean null')
const deepest = 16

/** Describes the first unsupported or invalid part of a schema; `undefined` if there is none. */
function problemIn(schema: unknown, path: string, depth = 0): string | undefined {
  if (!isPlainObject(schema)) return `${path} is not a schema`
  if (depth > deepest) return `${path} is nested too deeply`
  const unknown = Object.keys(schema).find((word) => !keywords.has(word))
  if (unknown !== undefined) return `${path} has the unsupported keyword '${unknown}'`
  const {
    type,
    properties = {},
    required = [],
    additionalProperties = true,
    items,
    enum: choices = [],
  } = schema
  if (type !== undefined && !types.has(type)) return `${path}.type is not supported`
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string'))
    return `${path}.required is not a list of names`
  if (typeof additionalProperties !== 'boolean') return `${path}.additionalProperties is not a boolean`
  if (!Array.isArray(choices)) return `${path}.enum is not a list`
  if (!isPlainObject(properties)) return `${path}.properties is not an object`
  if (items !== undefined) return problemIn(items, `${path}.items`, depth + 1)
  for (const [name, part] of Object.entries(properties)) {
    const problem = problemIn(part, `${path}.properties.${name}`, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A schema with supported keywords only. */
export const SubsetSchema = v.pipe(
  v.custom<PropsSchema>(isPlainObject, 'must be a schema'),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? problemIn(dataset.value, 'the schema') : undefined
    if (problem !== undefined) addIssue({ message: problem })
  }),
)
