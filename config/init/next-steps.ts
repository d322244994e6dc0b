import type { Framework } from './framework.ts'
import type { Project } from './project.ts'

interface Done {
  readonly project: Project
  readonly framework: Framework
  readonly routeFile: string
  readonly siteId: string
}

/** What is left to do by hand, in order. */
export function nextSteps({ project, framework, routeFile, siteId }: Done): readonly string[] {
  const isInstalled = project.dependencies.has('content-orchestrator')
  return [
    ...(isInstalled ? [] : ['Install the package: npm install content-orchestrator']),
    ...framework.steps(project, routeFile),
    'Start the service: npx orchestrator serve',
    `Make the secrets of this site, and make it known to the service: npx orchestrator register --id ${siteId}`,
  ]
}
