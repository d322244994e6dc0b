import { toSiteId } from '../../../plugins/sites/site-id.ts'
import { cmsSource, type CmsName } from '../../../plugins/sites-agent/install/content-source.ts'
import type { Framework } from '../../../plugins/sites-agent/install/framework.ts'
import type { PlannedFile } from '../../../plugins/sites-agent/install/plan.ts'
import type { Project } from '../../../plugins/sites-agent/install/project.ts'

interface Done {
  readonly project: Project
  readonly framework: Framework
  readonly files: readonly PlannedFile[]
  readonly siteId: string
  readonly cms: CmsName | undefined
}

/** What is left to do by hand, in order. */
export function nextSteps({ project, framework, files, siteId, cms }: Done): readonly string[] {
  const isInstalled = project.dependencies.has('content-orchestrator')
  const id = siteId === toSiteId(project.name ?? '') ? '' : ` --id ${siteId}`
  return [
    ...(cms === undefined ? [] : cmsSource(cms).steps),
    ...(isInstalled ? [] : ['Install the package: npm install content-orchestrator']),
    'Start the service, in a terminal of its own: npx content-orchestrator serve',
    `Register the site, which makes its secret and prints the address of its draft: npx content-orchestrator register${id}`,
    ...framework.steps(project, files),
  ]
}
