/** The door for tests: what they use of this room besides its port. */
export { draftSecrets } from './draft-secrets.ts'
