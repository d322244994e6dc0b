import type { Declared } from './prune.ts'
import { prune } from './prune.ts'
import type { Validator } from './step.ts'

/** Leaves out props that their block type does not declare, those of the site's own types included. */
export const unknownProps: Validator = (steps, facts) => prune(steps, facts, 'unknown_props', isUnknown)

/** A schema without properties declares nothing, so nothing is unknown to it. */
function isUnknown(name: string, { fields, schema }: Declared): boolean {
  if (!schema?.properties || name === 'id' || name === '_key') return false
  return !Object.hasOwn(schema.properties, name) && !Object.hasOwn(fields, name)
}
