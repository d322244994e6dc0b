/** The door for tests: what they use of this room besides its port. */
export { findCgroups } from './cgroup.ts'
export { findNamespace } from './namespace.ts'
export { findMarked, killAll, markName, startOf, writeMark } from './processes.ts'
export { cgroupTracker, recordOf } from './tracker.ts'
