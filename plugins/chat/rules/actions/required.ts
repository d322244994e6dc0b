import { itemSchemaOf } from '../../../content/props-schema.ts'
import { violations } from '../../../content/check-props.ts'
import { blockOf, typeOf, type FieldAt, type Work } from '../work.ts'

/** Tells whether a field has to have a text. */
export function isRequired(work: Work, { slug, id, row, name, meta }: FieldAt): boolean {
  const schema = typeOf(work, blockOf(work, { slug, id }))?.propsSchema
  const owner = row ? itemSchemaOf(schema?.properties?.[row.listKey]) : schema
  const own = owner?.properties?.[name]
  return meta.required === true || (own !== undefined && violations(own, '', name).length > 0)
}
