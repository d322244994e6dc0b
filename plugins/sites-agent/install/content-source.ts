import type { Project } from './project.ts'

/** A constant, so that searches in our own sources do not find generated code. */
export const exporting = 'export default'

/** Returns an import as a line of source text. */
export const importing = (what: string, from: string): string => `import ${what} from '${from}'\n`

/** Returns source code; text between `«` and `»` is only for TypeScript. */
export const sourceFor = (code: Project['code'], text: string): string =>
  text.replaceAll(/«([^«»]*)»/g, code === 'ts' ? '$1' : '')

/** The content file of a site without a CMS, relative to the project. */
export const contentFile = 'content/pages.json'
/** The folder of public files. */
export const publicDir = 'public'

/** The environment of the website, not of this process. */
export const env = 'process.env'

export const cmsNames = ['sanity', 'contentful', 'strapi'] as const
export type CmsName = (typeof cmsNames)[number]

/** The content source of a website, as source text for its files. */
export interface ContentSource {
  /** The imports of a page, and its declaration of `adapter`. */
  readonly pageImports: string
  readonly pageSource: string
  /** The imports of the editor routes, their declaration of `adapter`, and the publish handler. */
  readonly imports: string
  readonly source: string
  readonly publish: string
  /** Variables whose values a person has to provide. */
  readonly variables: readonly string[]
  /** Steps for a person in the CMS. */
  readonly steps: readonly string[]
}

const importJsonFile = importing('{ jsonFile }', 'content-orchestrator/adapters/json-file')

/** Reads a JSON file of the project; `publishOptions` is source text for its publish handler. */
export const fileSource = (publishOptions: string): ContentSource => ({
  pageImports: importJsonFile,
  pageSource: `const adapter = jsonFile('${contentFile}')\n`,
  imports: importJsonFile + importing('{ jsonFilePublishHandler }', 'content-orchestrator/site/publish'),
  source: `const content = '${contentFile}'\nconst adapter = jsonFile(content)\n`,
  publish: `jsonFilePublishHandler(content, ${publishOptions})`,
  variables: [],
  steps: [],
})

/** Returns the facts of a site whose content is in a new file. */
export const factsInFile = (siteId: string) => ({ siteId, content: fileSource(`{ shape: 'wrapper', assetsDir: '${publicDir}/generated-images' }`), blocks: false, cms: undefined })

const variablesOf: Readonly<Record<CmsName, readonly string[]>> = {
  sanity: ['SANITY_PROJECT_ID', 'SANITY_DATASET', 'SANITY_API_TOKEN'],
  contentful: ['CONTENTFUL_SPACE_ID', 'CONTENTFUL_ENVIRONMENT', 'CONTENTFUL_DELIVERY_TOKEN', 'CONTENTFUL_MANAGEMENT_TOKEN'],
  strapi: ['STRAPI_URL', 'STRAPI_TOKEN'],
}

const typeSteps: Readonly<Record<CmsName, string>> = {
  sanity: 'Add a document type editorDocument to the schema of Sanity: key and title of type string, position of type number, document of type text',
  contentful: 'Make a content type editorDocument in Contentful: key and title as short text, position as integer, document as JSON object',
  strapi: 'Make a collection type editor-document in Strapi: key and title as text, position as integer, document as JSON; give the token find, create, update and delete',
}

/** Reads documents of a CMS. `caching` is source text that replaces the fetch options of a page. */
export function cmsSource(cms: CmsName, caching = ''): ContentSource {
  const name = `${cms}Content`
  const imports = importing(`{ ${name} }`, `content-orchestrator/adapters/${cms}`)
  return {
    pageImports: imports,
    pageSource: `const { adapter } = ${name}(${env}${caching && `, ${caching}`})\n`,
    imports,
    source: `const { adapter, publish } = ${name}(${env}, { assetsDir: '${publicDir}/generated-images' })\n`,
    publish: 'publish',
    variables: variablesOf[cms],
    steps: [typeSteps[cms], `Fill in the variables: ${variablesOf[cms].join(', ')}`],
  }
}
