import * as v from 'valibot'

/** Arguments that several tools take, with their descriptions for agents. */
export const slug = v.pipe(v.string(), v.nonEmpty('must name a page, such as "/about"'), v.description('The address of a page, such as "/" or "/about".'))
export const optionalSlug = v.optional(slug)
export const text = (description: string) => v.optional(v.pipe(v.string(), v.description(description)))
export const baseVersion = v.pipe(
  v.number('must be the version that you read, a whole number'),
  v.integer(),
  v.minValue(0),
  v.description('The version of the draft that you read. The change is refused when the draft has moved on, with the version that it has.'),
)
export const optionalBaseVersion = v.optional(baseVersion)
export const count = (most: number, description: string) => v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most), v.description(description)))
export const nothing = v.object({})

/** The fields of an object that were given. */
export function given<T extends Readonly<Record<string, unknown>>>(fields: T): Partial<T> {
  const rest = { ...fields }
  for (const name in rest) if (rest[name] === undefined) delete rest[name]
  return rest
}
