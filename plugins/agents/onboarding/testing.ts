/** The door for tests: what they use of this room besides its port. */
export { guardPath, isProtected, listGuarded, readGuarded, writeGuarded } from './files/guard.ts'
export { Journals } from './files/journal.ts'
export { toPatch } from './files/patch.ts'
export { copySite } from './files/working-copy.ts'
export { filesBelow, openWorkspace } from './files/workspace.ts'
export { analyze } from './install/analyze.ts'
export { Progress } from './progress.ts'
export { createApprovals } from './run/approvals.ts'
export { SiteEvent } from './run/events.ts'
export { splitWords, toAllowed } from './shell/allowed.ts'
export { childVariables, findProgram, programFolders } from './shell/environment.ts'
export {
  createTree,
  findMarked,
  isAlive,
  markName,
  ownerOf,
  startOf,
  writeMark,
  type Mark,
} from './shell/processes.ts'
export { runCommand, type CommandRequest } from './shell/run-command.ts'
export { createTracker, endLeftovers, findTracking } from './shell/tracker.ts'
export { toRepository } from './tools/clone.ts'
