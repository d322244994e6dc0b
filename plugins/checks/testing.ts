/** The door for tests: what they use of this room besides its port. */
export { createChecker, type CheckerOptions } from './checker.ts'
export { builtinRules, toActiveRules } from './rules/index.ts'
export { Fixed, Integration, Report, Rules, type FindingDocument } from './schemas.ts'
