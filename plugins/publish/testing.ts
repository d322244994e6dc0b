/** The door for tests: what they use of this room besides its port. */
export { laterIds } from './site/later-ids.ts'
