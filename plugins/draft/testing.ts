/** The door for tests: what they use of this room besides its port. */
export { DraftCache, toDraftHead } from './cache.ts'
export { bases, changes, firstHead, heads, metadataOf, versionKey } from './collections.ts'
export { pageParts, pageRows } from './stored-pages.ts'
