import { createOrchestrator } from 'content-orchestrator'
import { jsonFile } from 'content-orchestrator/adapters/json-file'
import { createSiteEditor } from 'content-orchestrator/site'
import { jsonFilePublishHandler } from 'content-orchestrator/site/publish'

const file = 'content/pages.json'

export const siteId = 'acme'
export const adapter = jsonFile(file)
export const orchestrator = createOrchestrator({ adapter, siteId, basePath: '/api/orchestrator', livePreview: true })
export const editor = createSiteEditor({ adapter, siteId, publish: jsonFilePublishHandler(file) })

// The server of Astro ends at once when it is told to.
process.once('SIGTERM', async () => {
  await Promise.all([orchestrator.close(), editor.close()])
  process.exit()
})
