import { defineRefusal } from '../../kernel/index.ts'
import type { Conflict } from './schemas.ts'

export const unknownConflict = defineRefusal({
  status: 409,
  code: 'unknown_conflict',
  reason: (ids: readonly string[]) =>
    `No such conflict now: ${ids.slice(0, 5).join(', ')}. Read GET /publish/diff again: its values may have changed since.`,
})

export const conflictChanged = defineRefusal({
  status: 409,
  code: 'conflict_changed',
  reason: (conflicts: readonly Conflict[]) =>
    'The site has another value than the one that was shown, so nothing was decided. ' +
    `Decide again with \`seen\` set to the \`theirsVersion\` of ${conflicts.length === 1 ? 'this conflict' : 'each of these conflicts'}.`,
  extra: (conflicts) => ({ conflicts }),
})

export const draftMovedOn = defineRefusal({
  status: 409,
  code: 'draft_changed',
  reason: (currentVersion: number) =>
    `The draft is now at version ${currentVersion}. Compare it again without baseVersion, or with this one.`,
  extra: (currentVersion) => ({ currentVersion }),
})
