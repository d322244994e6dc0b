/** Apart from what follows, so that no search of our own sources takes it for theirs. */
export const exporting = 'export default'

/** An import as a line of source text. */
export const importing = (what: string, from: string): string => `import ${what} from '${from}'\n`

/** Where the content of a site lies, from the folder of the project, while no CMS holds it. */
export const contentFile = 'content/pages.json'
/** Where its public files lie. */
export const publicDir = 'public'

/** The environment of the website, which is not ours. */
export const env = 'process.env'

export const cmsNames = ['sanity', 'contentful', 'strapi'] as const
export type CmsName = (typeof cmsNames)[number]

/** Where the content of a website lies, as source text of its files. */
export interface ContentSource {
  /** What a page imports, and how it declares `adapter`. */
  readonly pageImports: string
  readonly pageSource: string
  /** What the editor routes import, how they declare `adapter`, and the handler that publishes. */
  readonly imports: string
  readonly source: string
  readonly publish: string
  /** Variables that have to be filled in by hand. */
  readonly variables: readonly string[]
  /** What is to be done in the CMS. */
  readonly steps: readonly string[]
}

const importJsonFile = importing('{ jsonFile }', 'content-orchestrator/adapters/json-file')

/** A JSON file of the project; `publishOptions` is what its publish handler is told, as source text. */
export const fileSource = (publishOptions: string): ContentSource => ({
  pageImports: importJsonFile,
  pageSource: `const adapter = jsonFile('${contentFile}')\n`,
  imports: importJsonFile + importing('{ jsonFilePublishHandler }', 'content-orchestrator/site/publish'),
  source: `const content = '${contentFile}'\nconst adapter = jsonFile(content)\n`,
  publish: `jsonFilePublishHandler(content, ${publishOptions})`,
  variables: [],
  steps: [],
})

/** What the files of a site say whose content lies in a new file. */
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

/** Documents of a CMS. `caching` is what stands for the fetch of a page, as source text, where a framework caches. */
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
