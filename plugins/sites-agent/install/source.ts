import { importing, publicDir } from './content-source.ts'
import type { SiteFacts } from './framework.ts'

const importEditor = importing('{ createSiteEditor }', 'content-orchestrator/site')
/** Imports the block types of the site, if it has any of its own. */
const importBlocks = ({ blocks }: SiteFacts, from: string): string => (blocks ? importing('{ blocks }', from) : '')

/** Returns the imports of the editor routes; `manifest` is the module with the block types of the site. */
export const imports = (facts: SiteFacts, manifest: string): string =>
  [...facts.content.imports.split(/(?<=\n)/), importEditor].toSorted(byAddress).join('') + importBlocks(facts, manifest)

/** Returns the imports of a page; `render` is its render function. */
export const pageImports = (facts: SiteFacts, render: string, manifest: string): string =>
  [facts.content.pageImports, importing('{ fetchEditorPage, livePreviewScript }', 'content-orchestrator/site'), importing(`{ ${render} }`, 'content-orchestrator/site/render')].join('') +
  importBlocks(facts, manifest)

const byAddress = (a: string, b: string): number => (addressIn(a) < addressIn(b) ? -1 : 1)
const addressIn = (line: string): string => line.slice(line.indexOf(" from '"))

/** Returns the render options of a page, as source text. */
export const rendering = ({ blocks }: SiteFacts): string => `{ script: livePreviewScript(shown)${blocks ? ', blocks' : ''} }`

/** Declares the editor routes with `keyword`; `published` is the publish handler. */
export const editor = ({ siteId, content, blocks }: SiteFacts, keyword: 'const' | 'export const', published = content.publish): string => `
const siteId = '${siteId}'
${content.source}
${keyword} editor = createSiteEditor({
  siteId,
  adapter,
${blocks ? '  blocks,\n' : ''}  publish: ${published},
})
`

/** The source of a module with the block types of a site, including one example. */
export const manifestSource = `${importing('{ builtinBlocks, defineBlocks }', 'content-orchestrator/site')
}${importing('{ html }', 'content-orchestrator/site/render')}
/** The block types for editors: the built-in ones, and those of this site. */
export const blocks = defineBlocks({
  ...builtinBlocks,
  Notice: {
    component: ({ text }«: { readonly text: string }») => html\`<p class="notice">\${text}</p>\`,
    propsSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    meta: { displayName: 'Notice', fields: { text: { kind: 'text', label: 'Text' } } },
  },
})
`

/** For frameworks that do not load variables files themselves. Keeps variables that are already set. */
export const loadVariables = `
for (const file of ['.env.local', '.env']) {
  if (existsSync(file)) process.loadEnvFile(file)
}
`
export const loadImports = importing('{ existsSync }', 'node:fs')

/** Describes a page in comments of generated files. */
export const aboutPage = 'of the draft for a visitor who was let into it, otherwise as it is published.'

const show = (facts: SiteFacts, hasFiles: boolean): string => `
/** Answers with an image of the folder ${publicDir}, or else with a page: ${aboutPage}${hasFiles ? ' What the editor has no page for is a file of the site.' : ''} */
export async function show(request«: Visit») {
  const path = URL.parse(request.url ?? '/', 'http://localhost')?.pathname ?? '/'
  const image = await readImage('${publicDir}', path)
  if (image) return answer(200, image.type, image.body)
  const shown = await fetchEditorPage(path, request, { adapter, siteId })
${hasFiles ? `  const file = shown.page ? undefined : await readSiteFile('.', path)
  if (file) return answer(200, file.type, file.body)
` : ''}  const page = renderEditorPage(shown, ${rendering(facts)})
  return answer(shown.page ? 200 : 404, 'text/html; charset=utf-8', page, shown.headers)
}
`
const answer = `
const answer = «<Body>»(status«: number», type«: string», body«: Body», headers = {}) =>
  ({ status, headers: { ...headers, 'content-type': type, 'cache-control': 'no-store' }, body })
`

/** Generates a module for handwritten servers, which exports the editor routes and a page renderer; it serves the files of a site that has its own. */
export const editorModule = (facts: SiteFacts, manifest: string, hasFiles = false): string => [
  loadImports,
  imports(facts, manifest)
    .replace('createSiteEditor', '$&, fetchEditorPage, livePreviewScript«, type Visit»'),
  importing(`{ readImage, ${hasFiles ? 'readSiteFile, ' : ''}renderEditorPage }`, 'content-orchestrator/site/render'),
  loadVariables,
  editor(facts, 'export const'),
  show(facts, hasFiles),
  answer,
].join('')
