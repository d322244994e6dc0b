import type { ColumnValues, jobColumns } from '../store/port.ts'

type JobValues = ColumnValues<typeof jobColumns>

/** The columns of a new row besides its time. */
export const unclaimed: Omit<JobValues, 'due'> = { until: 0, claim: '', failed: 0, interrupted: 0 }

/** Returns the columns of a row without its claim; one that has not ended counts as interrupted. */
export const freed = <C extends JobValues>(columns: C): C => ({
  ...columns,
  until: 0,
  claim: '',
  interrupted: columns.interrupted + (columns.until === 0 ? 0 : 1),
})
