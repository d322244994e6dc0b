import { existsSync } from 'node:fs'
import { createOrchestrator } from 'content-orchestrator'
import { jsonFile } from 'content-orchestrator/adapters/json-file'
import { createSiteEditor } from 'content-orchestrator/site'
import { jsonFilePublishHandler } from 'content-orchestrator/site/publish'

// Astro does not expose the variables of these files to pages and routes.
for (const variables of ['.env.local', '.env']) if (existsSync(variables)) process.loadEnvFile(variables)

const file = 'content/pages.json'

export const siteId = 'acme'
export const adapter = jsonFile(file, { writeOnPublish: true })
export const orchestrator = createOrchestrator({ adapter, siteId, basePath: '/api/orchestrator', livePreview: true })
export const editor = createSiteEditor({ adapter, siteId, publish: jsonFilePublishHandler(file) })

// The server of Astro exits at once on SIGTERM.
process.once('SIGTERM', async () => {
  await Promise.all([orchestrator.close(), editor.close()])
  process.exit()
})
