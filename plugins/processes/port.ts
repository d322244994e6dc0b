/** Programs of this machine: found, run within limits, and ended with all that they have started. */
export { belowFirst } from './namespace.ts'
export { canFind, isAlive, ownerOf, type Mark } from './processes.ts'
export { canRun, findProgram } from './programs.ts'
export { runCommand, type CommandLimits, type CommandRequest, type CommandResult } from './run-command.ts'
export {
  endLeftovers,
  findTracker,
  isComplete,
  markTracker,
  namespaceTracker,
  type Tracker,
} from './tracker.ts'
