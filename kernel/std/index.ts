/** Small functions without knowledge of requests or plugins, each used in several places. */
export { errorCode } from './error-code.ts'
export { createKeyedQueue, type KeyedQueue } from './keyed-queue.ts'
export { limitConcurrency } from './limit-concurrency.ts'
export { Lru } from './lru.ts'
export { stableJson } from './stable-json.ts'
export { untilAborted } from './until-aborted.ts'
export { runWithTimeout, withTimeout } from './with-timeout.ts'
export { withoutTrailingSlash } from './without-trailing-slash.ts'
