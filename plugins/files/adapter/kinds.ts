/** The kinds of content files by their endings. */
import { dataFile, syntaxes } from '../data.ts'
import { documentFile } from '../document.ts'
import type { FileKind } from '../reading.ts'
import { htmlTexts } from '../template-parsers.ts'
import { templateFile } from '../template.ts'

/** What a file is, and how it is read and written. */
export interface FileForm {
  readonly kind: 'document' | 'data' | 'template'
  readonly file: FileKind
}

const markdown: FileForm = { kind: 'document', file: documentFile() }
const html: FileForm = { kind: 'template', file: templateFile(htmlTexts) }
const yaml: FileForm = { kind: 'data', file: dataFile(syntaxes.yaml) }

const forms: ReadonlyMap<string, FileForm> = new Map([
  ['md', markdown],
  ['markdown', markdown],
  ['mdoc', markdown],
  ['mdx', { kind: 'document', file: documentFile({ mdx: true }) }],
  ['json', { kind: 'data', file: dataFile(syntaxes.json) }],
  ['jsonc', { kind: 'data', file: dataFile(syntaxes.json) }],
  ['yaml', yaml],
  ['yml', yaml],
  ['toml', { kind: 'data', file: dataFile(syntaxes.toml) }],
  ['html', html],
  ['njk', html],
  ['liquid', html],
])

/** Returns the form of a file by its name; `undefined` for one that is not content. */
export const formOfPath = (path: string): FileForm | undefined =>
  forms.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '')
