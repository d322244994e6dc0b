/** The door for tests: what they use of this room besides its port. */
export { DraftCache } from './cache.ts'
export { bases, changes, heads, pages, versionKey } from './collections.ts'
