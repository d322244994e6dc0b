import type { CmsName, ContentSource } from './content-source.ts'
import type { Project } from './project.ts'

/** What the files of a website have to say. */
export interface SiteFacts {
  readonly siteId: string
  readonly content: ContentSource
  /** The site has block types of its own, in a file that the framework names. */
  readonly blocks: boolean
  readonly cms: CmsName | undefined
  readonly places?: ChosenPlaces | undefined
}

/** Where the pages of a site with Next.js are to lie; its files tell what is left out. Other frameworks have one place. */
export interface ChosenPlaces {
  /** Its root layout: pages come beside it, and no other layout is made. */
  readonly layoutPath?: string | undefined
  /** Whether the folder app is in src. */
  readonly useSrcDir?: boolean | undefined
}

/** A file of a website, and its path from the folder of the project. */
export interface SiteFile {
  readonly path: string
  readonly text: string
}

/** How one framework takes the editor routes in, as data. */
export interface Framework {
  readonly name: string
  /** The dependency by which a project is known to use it; plain Node is known by none. */
  readonly dependency?: string
  /** The editor routes, and a page that shows the content. */
  files(project: Project, facts: SiteFacts): readonly SiteFile[]
  /** The file of variables that this framework's projects have. */
  readonly variablesFile: '.env' | '.env.local'
  /** Variables that are no secrets. */
  variables(siteId: string): Readonly<Record<string, string>>
  /** Further variables where a CMS holds the content. */
  readonly cmsVariables?: readonly string[]
  /** What a person has to do by hand to have the site run, one sentence or line of code each. */
  steps(project: Project, files: readonly PlannedFile[]): readonly string[]
}

/** The default addresses of the service and the editor. */
const orchestratorUrl = 'http://localhost:4200'
export const editorOrigin = 'http://localhost:4100'

/** Variables of a site whose framework has no names of its own for them. */
export const usualVariables = (): Readonly<Record<string, string>> => ({
  ORCHESTRATOR_URL: orchestratorUrl,
  EDITOR_CORS_ORIGINS: editorOrigin,
})

/** Variables that reach the browser of a Next.js site as well. */
export const publicVariables = (siteId: string): Readonly<Record<string, string>> => ({
  ORCHESTRATOR_URL: orchestratorUrl,
  NEXT_PUBLIC_DEFAULT_SITE_ID: siteId,
  NEXT_PUBLIC_EDITOR_ORIGIN: editorOrigin,
})

/** One file that a website needs, and what becomes of it. */
export interface PlannedFile {
  /** From the folder of the project. */
  readonly path: string
  readonly action: 'create' | 'append' | 'skip'
  /** What is there is what would have been written. */
  readonly isSame?: boolean
  /** The text that is added; nothing where the file is there already. */
  readonly text: string
}
