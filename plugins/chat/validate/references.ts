import { fieldOf } from '../../content/operations/declared.ts'
import { prune } from './prune.ts'
import type { Validator } from './step.ts'

/** Leaves pointers into the CMS alone: no plan can know what they should point at. */
export const references: Validator = (steps, facts) =>
  prune(steps, facts, 'references', (name, { fields }) => fieldOf(fields, name)?.kind === 'reference')
