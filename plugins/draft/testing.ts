/** The door for tests: what they use of this room besides its port. */
export { DraftCache, toDraftHead } from './cache.ts'
export { bases, changes, firstHead, heads, metadataOf, pages, versionKey } from './collections.ts'
