import { defineRefusal } from '../../../kernel/index.ts'

/** A file cannot hold what a publish would write into it. */
export const fileRefused = defineRefusal({
  status: 400,
  code: 'file_refused',
  reason: (place: string, why: string) => `${place}: ${why}`,
})

/** A file has changed since it was read for a publish. */
export const fileChanged = defineRefusal({
  status: 400,
  code: 'file_changed',
  reason: (path: string) => `${path} has changed at the same moment. Nothing was written; publish again.`,
})
