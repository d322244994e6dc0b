/** The door for tests: what they use of this room besides its port. */
export { createMemoryBus } from './memory.ts'
export { createSharedBus } from './shared.ts'
