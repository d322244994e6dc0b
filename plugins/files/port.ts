/**
 * Files of a website as content: read into fields and blocks, and written so that only edited bytes differ.
 */
export { align } from './align.ts'
export { fileBlocks } from './blocks.ts'
export { isBuilding } from './code.ts'
export { dataFile, syntaxes } from './data.ts'
export { documentFile } from './document.ts'
export { pathOfSlug, slugOfPath } from '../content/file-slugs.ts'
export { templateFile } from './template.ts'
export { astroTexts, olderAstroTexts, svelteTexts, vueTexts } from './framework-parsers.ts'
export { htmlTexts, jsxTexts, typeScriptTexts } from './template-parsers.ts'
export { parseMarkdown, spanOf, type Flavour, type MarkdownNode } from './markdown.ts'
export { inOrder } from './match.ts'
export type { AstroCompiler, SvelteCompiler, VueCompiler } from './framework-parsers.ts'
export type { Patched, RefusalRule, Unreadable, Unwritable } from './outcome.ts'
export type { FileContent, FileKind, FileOptions, ReadBlock, Reading } from './reading.ts'
export type { TemplateParser, TemplateText, TextKind } from './template.ts'
export type { TypeScriptParser } from './template-parsers.ts'
