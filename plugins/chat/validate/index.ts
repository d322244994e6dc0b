import { badLinks } from '../../content/operations/links.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import type { Remark, Step } from '../types/plan.ts'
import { descriptions, references, unknownProps } from './prune.ts'
import { rehearse, type Rehearsed } from './rehearse.ts'
import { type Broken, broken, type Facts, type Validator } from './step.ts'

/** A plan that can be applied as it is. */
export interface Sound extends Rehearsed {
  readonly notes: readonly Remark[]
}

/** Checks the shape of every operation and the length of the plan. */
const shape: Validator = (steps, { maxOperations }) => {
  if (steps.length > maxOperations) {
    const limit = `at most ${maxOperations} are applied at once; ask for less`
    return broken('schema_violation', `ops: the plan has ${steps.length} operations, and ${limit}`)
  }
  if (steps.length === 0) return { ok: true, steps }
  const parsed = parseOperations(steps.map(({ op }) => op))
  if (parsed.ok) return { ok: true, steps: parsed.ops.map((op, index) => ({ ...steps[index], op })) }
  return broken('schema_violation', ...parsed.issues.map(({ path, message }) => `${path}: ${message}`))
}

const mostProblems = 5

/** Refuses addresses that could run code or do not exist, and buttons that link to their own page. */
const links: Validator = (steps, facts) => {
  const bad = badLinks(steps.map(({ op }) => op), facts).slice(0, mostProblems)
  if (bad.length === 0) return { ok: true, steps }
  return broken('schema_violation', ...bad.map(({ path, problem }) => `${path}: ${problem}`))
}

/** In this order: each sees what the ones before left. */
const validators: readonly Validator[] = [shape, unknownProps, references, links, descriptions]

/** Checks a plan by every rule, and rehearses what is left of it. Pure. */
export function validate(steps: readonly Step[], facts: Facts): Sound | Broken {
  const notes: Remark[] = []
  let left = steps
  for (const validator of validators) {
    const verdict = validator(left, facts)
    if (!verdict.ok) return verdict
    left = verdict.steps
    notes.push(...(verdict.notes ?? []))
  }
  const rehearsed = rehearse(left, facts)
  return rehearsed.ok ? { ...rehearsed, notes } : rehearsed
}
