import type { Project } from './project.ts'

/** What a route file has to say. */
export interface RouteFacts {
  readonly siteId: string
  /** What a publish is told beside the content file, as source text. */
  readonly publishOptions: string
}

/** How one framework takes the editor routes in, as data. */
export interface Framework {
  readonly name: string
  /** The dependency by which a project is known to use it; plain Node is known by none. */
  readonly dependency?: string
  /** Where the route file lies, from the folder of the project. */
  routeFile(project: Project): string
  route(facts: RouteFacts): string
  /** The file of variables that this framework's projects have. */
  readonly variablesFile: '.env' | '.env.local'
  /** Variables that are no secrets. */
  variables(siteId: string): Readonly<Record<string, string>>
  /** What a person has to do by hand, one sentence or line of code each. */
  steps(project: Project, routeFile: string): readonly string[]
}

/** The addresses of a service and an editor that nobody moved. */
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
