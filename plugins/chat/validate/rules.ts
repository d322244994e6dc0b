import { badLinks } from '../../content/operations/links.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import { descriptions, references, unknownProps } from './prune.ts'
import { broken, type Validator } from './step.ts'

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

/** The rules for every plan, in this order: each sees what the ones before left. */
export const rules: readonly Validator[] = [shape, unknownProps, references, links, descriptions]
