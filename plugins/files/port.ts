/** Files of a website as content: read into fields and blocks, and written so that only edited bytes differ. */
export { dataFile, syntaxes } from './data.ts'
export { documentFile } from './document.ts'
export type { Flavour } from './markdown.ts'
export type { Patched, RefusalRule, Unreadable, Unwritable } from './outcome.ts'
export type { FileContent, FileKind, FileOptions, ReadBlock, Reading } from './reading.ts'
