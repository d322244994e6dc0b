/** The door for tests: what they use of this room besides its port. */
export { createFileBlobs } from './files.ts'
export { nameFor } from './names.ts'
export { createS3Blobs } from './s3/blobs.ts'
export { readBucket } from './s3/bucket.ts'
export { createStoredBlobs } from './stored.ts'
