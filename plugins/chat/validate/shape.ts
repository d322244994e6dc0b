import { parseOperations } from '../../content/operations/parse.ts'
import { broken, type Validator } from './step.ts'

/** Holds every operation to its shape, and the plan to its length: what a planner gives is read like anything from outside. */
export const shape: Validator = (steps, { maxOperations }) => {
  if (steps.length > maxOperations) {
    return broken('schema_violation', `ops: the plan has ${steps.length} operations, and at most ${maxOperations} are applied at once; ask for less`)
  }
  if (steps.length === 0) return { ok: true, steps }
  const parsed = parseOperations(steps.map(({ op }) => op))
  if (!parsed.ok) return broken('schema_violation', ...parsed.issues.map(({ path, message }) => `${path}: ${message}`))
  return { ok: true, steps: parsed.ops.map((op, index) => ({ ...steps[index], op })) }
}
