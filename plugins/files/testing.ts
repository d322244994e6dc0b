/** The door for tests: what they use of this room besides its port. */
export { inSections, type Sections, type SectionText } from './sections.ts'
export { projectParser } from './adapter/project-parsers.ts'
export { kindOfPath } from './adapter/kinds.ts'
