/** The kinds of content files, and how those of a website are read. */
import { dirname, join } from 'node:path'
import { perObject } from '../../content/plain-object.ts'
import { dataFile, syntaxes } from '../data.ts'
import { documentFile, documentOfEither } from '../document.ts'
import type { FileKind } from '../reading.ts'
import { htmlTexts } from '../template-parsers.ts'
import { templateFile } from '../template.ts'
import { isCodePath, parsedByProject, projectParser } from './project-parsers.ts'

/** What a file is, and how it is read and written. */
export interface FileForm {
  readonly kind: 'document' | 'data' | 'template'
  readonly file: FileKind
}

/** A file that takes something to be read which the website lacks, and why, as a part of a sentence. */
export interface FormlessFile extends Pick<FileForm, 'kind'> {
  readonly missing: string
}

export const markdown: FileForm = { kind: 'document', file: documentFile() }
const mdx: FileForm = { kind: 'document', file: documentFile({ mdx: true }) }
const html: FileForm = { kind: 'template', file: templateFile(htmlTexts, { hasFront: true }) }
const json: FileForm = { kind: 'data', file: dataFile(syntaxes.json) }
const yaml: FileForm = { kind: 'data', file: dataFile(syntaxes.yaml) }

const forms: ReadonlyMap<string, FileForm> = new Map([
  ['md', markdown],
  ['markdown', markdown],
  ['mdoc', { kind: 'document', file: documentFile({ markdoc: true }) }],
  ['mdx', mdx],
  ['json', json],
  ['jsonc', json],
  ['yaml', yaml],
  ['yml', yaml],
  ['toml', { kind: 'data', file: dataFile(syntaxes.toml) }],
  ['html', html],
  ['njk', html],
  ['liquid', html],
  ['webc', html],
])

const endingOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** Returns the kind of a file by its name; `undefined` for one that is not content. */
export function kindOfPath(path: string): FileForm['kind'] | undefined {
  const ending = endingOf(path)
  return parsedByProject.includes(ending) ? 'template' : forms.get(ending)?.kind
}

/** Docusaurus reads Markdown as MDX, with what its first version knew, unless a file says otherwise. */
const docusaurus: FileForm = {
  kind: 'document',
  file: documentOfEither({ mdx: true, hasOldSyntax: true }, {}),
}
const docusaurusConfig = /^(.*?\/)?docusaurus\.config\.\w+$/

/** Returns the form of a file of a website. */
export type FormOf = (path: string) => FileForm | FormlessFile | undefined

/** Creates a function that returns the forms of files, by the paths of all files of the website. */
export function createForms(root: string): (paths: readonly string[]) => FormOf {
  const known = new Map<string, FileForm>()
  const docusaurusFolders = perObject((paths: readonly string[]) =>
    paths.flatMap((path) => {
      const found = docusaurusConfig.exec(path)
      return found && !path.includes('node_modules/') ? [found[1] ?? ''] : []
    }),
  )
  return (paths) => {
    const folders = docusaurusFolders(paths)
    // What is missing may be installed before the next read.
    const missing = new Map<string, FormlessFile>()
    return (path) => {
      const ending = endingOf(path)
      if (parsedByProject.includes(ending)) return formByProject(path, ending, missing)
      const form = forms.get(ending)
      const isOfDocusaurus =
        (form === markdown || form === mdx) && folders.some((each) => path.startsWith(each))
      return isOfDocusaurus ? docusaurus : form
    }
  }

  function formByProject(path: string, ending: string, missing: Map<string, FormlessFile>) {
    const folder = dirname(path)
    const key = `${ending} ${folder}`
    const found = known.get(key) ?? missing.get(key)
    if (found) return found
    const loaded = projectParser(join(root, folder), ending)
    if ('missing' in loaded) {
      if (isCodePath(path)) return undefined
      const none = { kind: 'template', missing: loaded.missing } as const
      missing.set(key, none)
      return none
    }
    // In Vue and Svelte braces begin an expression; elsewhere two of them are an object.
    const options = /^(?:vue|svelte)$/.test(ending) ? {} : { delimiters: [] }
    const form = { kind: 'template', file: templateFile(loaded.parser, options) } as const
    known.set(key, form)
    return form
  }
}
