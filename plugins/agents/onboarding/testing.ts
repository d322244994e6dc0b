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
export { findBox } from './shell/box.ts'
export { findCgroups } from './shell/cgroup.ts'
export { childVariables, findProgram, programFolders } from './shell/environment.ts'
export { findNamespace } from './shell/namespace.ts'
export {
  canFind,
  findMarked,
  isAlive,
  killAll,
  markName,
  ownerOf,
  startOf,
  writeMark,
  type Mark,
} from './shell/processes.ts'
export { runCommand, type CommandRequest } from './shell/run-command.ts'
export {
  cgroupTracker,
  endLeftovers,
  markTracker,
  namespaceTracker,
  recordOf,
  type Tracker,
} from './shell/tracker.ts'
export { toRepository } from './tools/clone.ts'
