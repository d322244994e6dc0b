import type { RouteFacts } from './framework.ts'

/** An import as a line of source text. */
export const importing = (what: string, from: string): string => `import ${what} from '${from}'\n`

/** The doors of this package that every route file goes through. */
export const imports = [
  importing('{ jsonFile }', 'content-orchestrator/adapters/json-file'),
  importing('{ createSiteEditor }', 'content-orchestrator/site'),
  importing('{ jsonFilePublishHandler }', 'content-orchestrator/site/publish'),
].join('')

/** Where the content of the site lies, from the folder of the project. */
export const contentFile = 'content/pages.json'

/** Makes the editor routes; `keyword` is what stands before the constant. */
export const editor = ({ siteId, publishOptions }: RouteFacts, keyword: 'const' | 'export const'): string => `
const content = '${contentFile}'

${keyword} editor = createSiteEditor({
  siteId: '${siteId}',
  adapter: jsonFile(content),
  publish: jsonFilePublishHandler(content, ${publishOptions}),
})
`

/** For frameworks that leave the files of variables to whoever starts them. Nothing that is set is replaced. */
export const loadVariables = `
for (const file of ['.env.local', '.env']) {
  if (existsSync(file)) process.loadEnvFile(file)
}
`
export const loadImports = importing('{ existsSync }', 'node:fs')

/** A module for servers that are put together by hand: it exports the editor routes. */
export const editorModule = (facts: RouteFacts): string =>
  `${loadImports}${imports}${loadVariables}${editor(facts, 'export const')}`
