import { enforcedLevel } from '../authority.ts'
import { newViolations, violations, type Violation } from '../check-props.ts'
import type { PropsSchema } from '../model.ts'
import { refuse } from './refuse.ts'
import { spend, type BatchState } from './state.ts'

/** Lists everything in which a value violates a schema; refuses the batch where that is more work than it may cause. */
export function check(state: BatchState, schema: PropsSchema | undefined, value: unknown, path: string): readonly Violation[] {
  if (!schema) return []
  const found = violations(schema, value, path, state.budget)
  spend(state, 0)
  return found
}

/** What a prop costs that was not sent. */
export const stepsPerNewProp = 50

/**
 * Refuses a write that breaks the rules of its block type; where a limit is only advice, it becomes a note.
 *
 * What was wrong at the same path before stays allowed: a page must stay editable beside an old mistake. So
 * `stale`, the violations before the write, is asked for only when there are any after it.
 */
export function enforce(
  state: BatchState,
  by: 'manifest' | 'registry',
  found: readonly Violation[],
  { at, subject, stale = () => [] }: {
    /** Turns a path inside the props into one inside the operation. */
    readonly at: (path: string) => string
    /** What the message is about, where the path does not say it. */
    readonly subject?: string
    readonly stale?: () => readonly Violation[]
  },
): void {
  if (found.length === 0) return
  const { enforced, noted } = enforcedLevel(by, state.context.source)
  const fresh = newViolations(stale(), found)
  const wrong = fresh.find(({ level }) => enforced.includes(level))
  if (wrong) refuse('schema_violation', subject ? `${subject} ${wrong.message}` : wrong.message, { path: at(wrong.path), violation: wrong.kind })
  for (const { path, message, level } of fresh) {
    if (noted.includes(level)) state.notes.push(`${path}: ${message}`)
  }
}
