import { type CmsName, contentFile, publicDir } from './cms.ts'
import type { Project } from './project.ts'
import { fill, type TemplateValues } from './template.ts'

/** The facts that determine the generated files. */
export interface SiteFacts {
  readonly siteId: string
  /** Where the content is; default: a file of the project. */
  readonly cms: CmsName | undefined
  /** True if the content file is a plain array of pages. */
  readonly isArray?: boolean
  /** True if the site gets a file for its own block types. */
  readonly blocks: boolean
  readonly places?: ChosenPlaces | undefined
  /** True if the framework prerenders pages. */
  readonly prerendered?: boolean
  /** True if the site has a page of its own for unknown addresses. */
  readonly ownNotFound?: boolean
}

/** The location of pages in a Next.js site; default: detected. Other frameworks have a fixed one. */
export interface ChosenPlaces {
  /** Its root layout: pages are created next to it, without another layout. */
  readonly layoutPath?: string | undefined
  /** True if the app folder is in src. */
  readonly useSrcDir?: boolean | undefined
}

/** A file of a website, with its path relative to the project. */
export interface SiteFile {
  readonly path: string
  readonly text: string
}

/** Adds the editor routes to a framework. */
export interface Framework {
  readonly name: 'next' | 'astro' | 'express' | 'fastify' | 'hono' | 'node' | 'other'
  /** The dependency that identifies the framework; plain Node and a folder of files have none. */
  readonly dependency?: string
  /** The editor routes, and a page that shows the content. */
  files(project: Project, facts: SiteFacts): readonly SiteFile[]
  /** The variables file of the framework. */
  readonly variablesFile: '.env' | '.env.local'
  /** Returns the variables that are not secret. */
  variables(siteId: string): Readonly<Record<string, string>>
  /** Additional variables for content in a CMS. */
  readonly cmsVariables?: readonly string[]
  /** Returns the steps for a person to run the site, one sentence or line of code each. */
  steps(project: Project, files: readonly PlannedFile[]): readonly string[]
}

/** Fills in a template for a site. */
export function fillFor(
  name: string,
  { code }: Pick<Project, 'code'>,
  facts: SiteFacts,
  values: TemplateValues = {},
): string {
  const { siteId, cms, isArray = false, blocks, prerendered = false, ownNotFound = false } = facts
  const options = `{ ${isArray ? '' : "shape: 'wrapper', "}assetsDir: '${publicDir}/generated-images' }`
  const publish = cms === undefined ? `jsonFilePublishHandler(content, ${options})` : 'publish'
  const given = { siteId, cms, blocks, prerendered, ownNotFound, publish, contentFile, publicDir }
  return fill(name, code, { ...given, ...values })
}

/** The default address of the service, which has the studio. */
const orchestratorUrl = 'http://localhost:4200'

/** Returns the variables of a site whose framework has no own names for them. */
export const usualVariables = (): Readonly<Record<string, string>> => ({
  ORCHESTRATOR_URL: orchestratorUrl,
  EDITOR_CORS_ORIGINS: orchestratorUrl,
})

/** Returns the variables of a Next.js site, some of which are public in the browser. */
export const publicVariables = (siteId: string): Readonly<Record<string, string>> => ({
  ...usualVariables(),
  NEXT_PUBLIC_DEFAULT_SITE_ID: siteId,
  NEXT_PUBLIC_EDITOR_ORIGIN: orchestratorUrl,
})

/** A file that a website needs, and the planned action. */
export interface PlannedFile {
  /** The path relative to the project. */
  readonly path: string
  readonly action: 'create' | 'append' | 'skip'
  /** True if the existing file has the wanted content. */
  readonly isSame?: boolean
  /** The text to add; empty if the file exists. */
  readonly text: string
}
