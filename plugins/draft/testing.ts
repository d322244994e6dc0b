/** The door for tests: what they use of this room besides its port. */
export { DraftCache, toDraftHead } from './cache.ts'
export { changes, firstHead, heads, pages, versionKey } from './collections.ts'
