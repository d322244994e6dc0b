import { refuse } from './refuse.ts'

/** The element of a list at the `index` of an operation; refuses a position that the list does not have. */
export function rowAt(rows: readonly unknown[], { listKey, index }: { readonly listKey: string; readonly index: number }): unknown {
  if (index < rows.length) return rows[index]
  const has = rows.length === 0 ? 'is empty' : `has positions 0 to ${rows.length - 1}`
  return refuse('schema_violation', `list ${listKey} ${has}`, { path: 'index' })
}

/** Refuses a row of cells: a table is edited as a whole. */
export function refuseCells(row: unknown, listKey: string): void {
  if (Array.isArray(row)) refuse('schema_violation', `${listKey} is a table of cells; send all of it with update_props`, { path: 'listKey' })
}
