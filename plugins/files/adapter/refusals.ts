import { defineRefusal } from '../../../kernel/index.ts'
import { contentChanged } from '../../content/adapter.ts'

/** A file cannot hold what a publish would write into it. */
export const fileRefused = defineRefusal({
  status: 400,
  code: 'file_refused',
  reason: (place: string, why: string) => `${place}: ${why}`,
})

/** Git is at work in the repository, whose files are half of one state and half of another. */
export const repositoryBusy = defineRefusal({
  status: 409,
  code: 'repository_busy',
  reason: (what: string) =>
    `${what} in the folder of the website. Finish it, or remove what it has left, then publish again.`,
})

/** A file has changed since it was read for a publish. */
export const fileChanged = defineRefusal({
  status: 400,
  code: contentChanged,
  reason: (path: string) => `${path} has changed at the same moment. Nothing was written; publish again.`,
})
