import { fieldOf } from '../../content/operations/declared.ts'
import { readsAsInstruction } from '../../content/operations/instruction.ts'
import { prune } from './prune.ts'
import type { Validator } from './step.ts'

/** Leaves out a description of an image that is none: some planners put the request there. */
export const descriptions: Validator = (steps, facts) =>
  prune(steps, facts, 'descriptions', (name, { fields }, value) => fieldOf(fields, name)?.kind === 'imageAlt' && readsAsInstruction(value))
