import { violations, type Violation } from '../check-props.ts'
import type { PropsSchema } from '../model.ts'

/**
 * Lists how the rows of a list, taken together, violate its schema: how many there are, and where each position has a
 * schema of its own, every row. Rows that share one schema are checked where they are written.
 */
export function listViolations(schema: PropsSchema | undefined, rows: readonly unknown[], listKey: string): readonly Violation[] {
  if (!schema) return []
  if (Array.isArray(schema.items)) return violations(schema, rows, listKey)
  const { items: _, ...limits } = schema
  return violations(limits, rows, listKey)
}
