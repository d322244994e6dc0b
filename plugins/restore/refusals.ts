import { defineRefusal } from '../../kernel/index.ts'

export const unknownSnapshot = defineRefusal({
  status: 400,
  code: 'unknown_snapshot',
  reason: (commit: string) => `The snapshot ${commit} does not exist. GET /restore/snapshots lists them.`,
})

export const ambiguousSnapshot = defineRefusal({
  status: 400,
  code: 'ambiguous_snapshot',
  reason: (commit: string) => `More than one snapshot begins with ${commit}. Send more of its digits.`,
})
