import type { CmsName, ContentSource } from './content-source.ts'
import type { Project } from './project.ts'

/** What the generated files depend on. */
export interface SiteFacts {
  readonly siteId: string
  readonly content: ContentSource
  /** The site gets a file for its own block types. */
  readonly blocks: boolean
  readonly cms: CmsName | undefined
  readonly places?: ChosenPlaces | undefined
}

/** Where the pages of a Next.js site go; omitted values are detected. Other frameworks have a fixed place. */
export interface ChosenPlaces {
  /** Its root layout: pages go next to it, and no other layout is created. */
  readonly layoutPath?: string | undefined
  /** Whether the app folder is in src. */
  readonly useSrcDir?: boolean | undefined
}

/** A file of a website, with its path relative to the project; its text may be one of `sourceFor`. */
export interface SiteFile {
  readonly path: string
  readonly text: string
}

/** How to add the editor routes to a framework. */
export interface Framework {
  readonly name: 'next' | 'astro' | 'express' | 'fastify' | 'hono' | 'node'
  /** The dependency that identifies the framework; plain Node has none. */
  readonly dependency?: string
  /** The editor routes, and a page that shows the content. */
  files(project: Project, facts: SiteFacts): readonly SiteFile[]
  /** The file of variables that the framework uses. */
  readonly variablesFile: '.env' | '.env.local'
  /** Variables that are not secret. */
  variables(siteId: string): Readonly<Record<string, string>>
  /** Additional variables for content in a CMS. */
  readonly cmsVariables?: readonly string[]
  /** What a person has to do to run the site, one sentence or line of code each. */
  steps(project: Project, files: readonly PlannedFile[]): readonly string[]
}

/** The default addresses of the service and the editor. */
const orchestratorUrl = 'http://localhost:4200'
export const editorOrigin = 'http://localhost:4100'

/** Variables of a site whose framework has no own names for them. */
export const usualVariables = (): Readonly<Record<string, string>> => ({
  ORCHESTRATOR_URL: orchestratorUrl,
  EDITOR_CORS_ORIGINS: editorOrigin,
})

/** Variables of a Next.js site, some of which also reach the browser. */
export const publicVariables = (siteId: string): Readonly<Record<string, string>> => ({
  ORCHESTRATOR_URL: orchestratorUrl,
  NEXT_PUBLIC_DEFAULT_SITE_ID: siteId,
  NEXT_PUBLIC_EDITOR_ORIGIN: editorOrigin,
})

/** A file that a website needs, and what happens to it. */
export interface PlannedFile {
  /** Relative to the project. */
  readonly path: string
  readonly action: 'create' | 'append' | 'skip'
  /** The existing file has the wanted content. */
  readonly isSame?: boolean
  /** The text to add; empty if the file exists. */
  readonly text: string
}
