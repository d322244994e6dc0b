import { join } from 'node:path'
import * as v from 'valibot'
import { defineLoopTool, type LoopTool } from '../../agent/port.ts'
import { toSiteId } from '../../sites/port.ts'
import { placeOf, writePlace } from '../files/guard.ts'
import { addToEnvFile } from '../install/env-file.ts'
import { skeleton, skeletonVariables } from '../install/skeleton.ts'
import { refusals } from '../refusals.ts'
import { draftOf, told, type SiteParts, type SiteRun } from '../site-run.ts'
import { install } from './install.ts'
import { siteVariables } from './integrate.ts'
import { launchSite, usable } from './sites.ts'

/** Makes a new site. */
export function createTool(run: SiteRun, parts: SiteParts): LoopTool {
  const { settings, agentLog, drafts, scope } = parts
  return defineLoopTool(
    {
      name: 'create_site',
      description: 'Makes a new website with the editor routes, installs its packages, starts and registers it; a person is asked before it takes the place of one that is there. A migration needs a plan that the person approved with AskUserQuestion.',
      input: v.object({
        name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80)),
        siteId: v.optional(v.string()),
        purpose: v.optional(v.pipe(v.string(), v.maxLength(500)), ''),
        tone: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
        port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(65_535))),
      }),
    },
    async ({ name, siteId = toSiteId(name), purpose, tone, port = 3500 }) => {
      if (run.mode === 'migrate' && !run.isPlanApproved) throw refusals.wrongOrder("A migration needs an approved plan. Ask with AskUserQuestion, header 'Plan', first.")
      await run.sites.retire(siteId)
      const folder = await run.sites.create(siteId)
      for (const { path, text } of skeleton({ siteId, name, packageSpec: settings.packageSpec, port })) await writePlace(await placeOf(folder, path), text)
      await usable(addToEnvFile(join(folder, '.env.local'), siteVariables(skeletonVariables(siteId, name), parts)))
      await agentLog.append({ stream: run.streamId, tool: 'create_site', siteId, path: '.' })
      await install(run, parts, { siteId, packageManager: 'npm' })
      run.ready.add(siteId)
      const site = await launchSite(run, parts, { siteId, name, purpose, port })
      const id = draftOf(run, siteId, scope)
      await drafts.commit({ id, edit: { kind: 'config', patch: { name } }, actor: { kind: 'agent', id: run.streamId }, channel: 'agent' }, () => undefined)
      const config = { id: siteId, name, purpose, tone, hosting: 'local', previewUrl: site.previewUrl, constraints: [] } as const
      run.created.push({ ...config, constraints: [] })
      run.tell({ type: 'site_created', config: { ...config, constraints: [] } })
      run.outcome('creating', name)
      return told({ ...config, status: 'created' })
    },
  )
}
