/** The door for tests: what they use of this room besides its port. */
export { insertInHead } from './proxy/head.ts'
export { framedPolicies } from './proxy/policy.ts'
