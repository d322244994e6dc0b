/** The door for tests: what they use of this room besides its port. */
export { createEndSearch } from './end-of-image.ts'
export { createCounter } from './inspector.ts'
export { createSizes } from './serve.ts'
export { createQuota } from './store.ts'
export { createReadPdf, type ReadPdfOptions } from './text.ts'
