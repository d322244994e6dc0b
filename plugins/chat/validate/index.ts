import { descriptions } from './descriptions.ts'
import { links } from './links.ts'
import { references } from './references.ts'
import { rehearse, type Rehearsed } from './rehearse.ts'
import { shape } from './shape.ts'
import type { Broken, Facts, Remark, Step, Validator } from './step.ts'
import { unknownProps } from './unknown-props.ts'

/** A plan that can be applied as it is. */
export interface Sound extends Rehearsed {
  readonly notes: readonly Remark[]
}

/** In this order: what one lets through is what the next one sees. */
const validators: readonly Validator[] = [shape, unknownProps, references, links, descriptions]

/** Holds a plan to every rule, and rehearses what is left of it. Pure. */
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
