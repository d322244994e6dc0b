/** The door for tests: what they use of this room besides its port. */
export type { CmsContent } from './adapters/cms/content.ts'
export { draftAccess } from './draft/access.ts'
export { readEditorPage } from './draft/page.ts'
export { draftLink } from './draft/signature.ts'
export { draftsAt } from './draft/source.ts'
export { storingHandler } from './publish/storing.ts'
export { mergeTyped, spread } from './browser/texts/merge-typed.ts'
export { respelled } from './browser/texts/respell.ts'
