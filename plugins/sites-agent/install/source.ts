import type { SiteFacts } from './framework.ts'
import type { Project } from './project.ts'

/** An import as a line of source text. */
export const importing = (what: string, from: string): string => `import ${what} from '${from}'\n`

const importAdapter = importing('{ jsonFile }', 'content-orchestrator/adapters/json-file')
const importPublish = importing('{ jsonFilePublishHandler }', 'content-orchestrator/site/publish')

/** The doors of this package that the editor routes go through. */
export const imports = [importAdapter, importing('{ createSiteEditor }', 'content-orchestrator/site'), importPublish].join('')

/** Those that a page goes through; `render` is what shows it. */
export const pageImports = (render: string): string =>
  [importAdapter, importing('{ fetchEditorPage, livePreviewScript }', 'content-orchestrator/site'), importing(`{ ${render} }`, 'content-orchestrator/site/render')].join('')

/** Where the content of the site lies, from the folder of the project. */
export const contentFile = 'content/pages.json'
/** Where its public files lie. */
export const publicDir = 'public'

const facts = ({ siteId }: SiteFacts): string => `
const siteId = '${siteId}'
const content = '${contentFile}'
const adapter = jsonFile(content)
`

/** Makes the editor routes; `keyword` is what stands before the constant. */
export const editor = (given: SiteFacts, keyword: 'const' | 'export const'): string => `${facts(given)}
${keyword} editor = createSiteEditor({
  siteId,
  adapter,
  publish: jsonFilePublishHandler(content, ${given.publishOptions}),
})
`

/** For frameworks that leave the files of variables to whoever starts them. Nothing that is set is replaced. */
export const loadVariables = `
for (const file of ['.env.local', '.env']) {
  if (existsSync(file)) process.loadEnvFile(file)
}
`
export const loadImports = importing('{ existsSync }', 'node:fs')

/** What a page is, in the words of the file that shows it. */
export const aboutPage = 'of the draft for a visitor who was let into it, otherwise as it is published.'

const show = (request: string): string => `
/** Answers with an image of the folder ${publicDir}, or else with a page: ${aboutPage} */
export async function show(${request}) {
  const path = URL.parse(request.url ?? '/', 'http://localhost')?.pathname ?? '/'
  const image = await readImage('${publicDir}', path)
  if (image) return answer(200, image.type, image.body)
  const shown = await fetchEditorPage(path, request, { adapter, siteId })
  const page = renderEditorPage(shown, { script: livePreviewScript(shown) })
  return answer(shown.page ? 200 : 404, 'text/html; charset=utf-8', page, shown.headers)
}
`
const answer = (parameters: string): string => `
const answer = ${parameters} =>
  ({ status, headers: { ...headers, 'content-type': type, 'cache-control': 'no-store' }, body })
`

/** A module for servers that are put together by hand: it exports the editor routes, and what shows pages. */
export function editorModule(given: SiteFacts, { isTypeScript }: Project): string {
  const site = ['createSiteEditor', 'fetchEditorPage', 'livePreviewScript', ...(isTypeScript ? ['type Visit'] : [])].join(', ')
  return [
    loadImports, importAdapter, importing(`{ ${site} }`, 'content-orchestrator/site'), importPublish,
    importing('{ readImage, renderEditorPage }', 'content-orchestrator/site/render'),
    loadVariables,
    editor(given, 'export const'),
    show(isTypeScript ? 'request: Visit' : 'request'),
    answer(isTypeScript ? '<Body>(status: number, type: string, body: Body, headers = {})' : '(status, type, body, headers = {})'),
  ].join('')
}
