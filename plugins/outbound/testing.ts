/** The door for tests: what they use of this room besides its port. */
export { createClient } from './client.ts'
export { createOutbound, type OutboundOptions } from './service.ts'
