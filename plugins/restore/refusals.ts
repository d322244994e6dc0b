import { defineRefusal } from '../../kernel/index.ts'

export const unknownSnapshot = defineRefusal({
  status: 400,
  code: 'unknown_snapshot',
  reason: (commit: string) => `There is no snapshot ${commit}. GET /restore/snapshots lists them.`,
})

export const ambiguousSnapshot = defineRefusal({
  status: 400,
  code: 'ambiguous_snapshot',
  reason: (commit: string) => `More than one snapshot begins with ${commit}. Give more of its digits.`,
})
