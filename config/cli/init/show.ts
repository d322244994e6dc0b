import type { Io } from '../shared/io.ts'
import type { PlannedFile } from '../../../plugins/sites-agent/install/plan.ts'

const told = { create: 'new', append: 'has lines added', skip: 'is there already and stays as it is' } as const

/** Draws what would be written: of each file its name, and the lines that come to it. */
export function showFiles(files: readonly PlannedFile[], paint: Io['paint']): string {
  const blocks = files.map(({ path, action, text }) => {
    // What is appended to an open line begins with its end.
    const added = text.replace(/^\r?\n/, '').split(/\r?\n/).slice(0, -1)
    return [paint('bold', `${path} ${told[action]}`), ...added.map((line) => paint('green', `+ ${line}`.trimEnd()))].join('\n')
  })
  return blocks.join('\n\n')
}
