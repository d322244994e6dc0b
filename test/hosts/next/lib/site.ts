import { createOrchestrator } from 'content-orchestrator'
import { jsonFile } from 'content-orchestrator/adapters/json-file'
import { createSiteEditor } from 'content-orchestrator/site'
import { jsonFilePublishHandler } from 'content-orchestrator/site/publish'

const file = 'content/pages.json'

export const siteId = 'acme'
export const adapter = jsonFile(file, { writeOnPublish: true })
export const editor = createSiteEditor({ adapter, siteId, publish: jsonFilePublishHandler(file) })

// Next.js loads this module several times in one process, for pages and for routes, and again while you develop.
// There must be only one orchestrator, because it caches drafts.
const shared = globalThis as typeof globalThis & { orchestrator?: ReturnType<typeof mountOrchestrator> }
export const orchestrator = (shared.orchestrator ??= mountOrchestrator())

function mountOrchestrator() {
  const mounted = createOrchestrator({ adapter, siteId, basePath: '/api/orchestrator', livePreview: true, plugins: ['studio'] })
  // Next.js stops when every connection is closed, and event streams end only with the orchestrator.
  process.once('SIGTERM', () => mounted.close())
  return mounted
}
