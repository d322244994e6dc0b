/** The door for tests: what they use of this room besides its port. */
export { PublishEnvironment } from './environment.ts'
export { DraftDiff } from './diff/draft-diff.ts'
export { createGitBranch } from './targets/git-branch.ts'
export { listTargets } from './targets/list.ts'
export { withLineChanges } from './diff/line-changes.ts'
export { createPublishLog, rows } from './log.ts'
export { createSnapshots } from './snapshots.ts'
export { pinned } from './scheduled/scheduled.ts'
