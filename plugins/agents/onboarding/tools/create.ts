import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../loop/port.ts'
import { mapValues } from '../../../content/plain-object.ts'
import {
  addToEnvFile,
  inspectPath,
  integrate,
  planEnvFile,
  skeleton,
  skeletonVariables,
} from '../../scaffold/port.ts'
import { toSiteId } from '../../../sites/port.ts'
import { guardPath, writeGuarded } from '../files/guard.ts'
import { analyze } from '../install/analyze.ts'
import type { CreatedSite } from '../run/events.ts'
import { Problem } from '../problem.ts'
import { applyChanges, byRun, draftOf, logWrite, type SiteRun, type SiteSettings } from '../run/site-run.ts'
import { install } from './install.ts'
import { draftVariable, launchSite } from './sites.ts'

const noPlan = "A migration needs an approved plan. First ask with AskUserQuestion, header 'Plan'."

/** Creates the tool that creates a new site. */
export function createTool(run: SiteRun): LoopTool {
  const { copies, settings, drafts } = run
  return defineLoopTool(
    {
      name: 'create_site',
      description:
        'Creates a new website with the editor routes, installs its packages, starts it and registers it; ' +
        'a person is asked before an existing site is replaced. A migration needs a plan that the person ' +
        'approved with AskUserQuestion.',
      input: v.object({
        name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80)),
        siteId: v.optional(v.string()),
        purpose: v.optional(v.pipe(v.string(), v.maxLength(500)), ''),
        tone: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
        port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(65_535))),
      }),
    },
    async ({ name, siteId = toSiteId(name), purpose, tone, port = 3500 }) => {
      if (run.mode === 'migrate' && !run.isPlanApproved) throw new Problem(noPlan)
      await copies.retire(siteId)
      const folder = await copies.create(siteId)
      const files = skeleton({ siteId, name, packageSpec: settings.packageSpec, port })
      for (const { path, text } of files) await writeGuarded(await guardPath(folder, path), text)
      await addToEnvFile(join(folder, '.env.local'), siteVariables(skeletonVariables(siteId, name), settings))
      await logWrite(run, 'create_site', siteId, '.')
      await install(run, siteId, 'npm')
      run.ready.add(siteId)
      const { previewUrl } = await launchSite(run, { siteId, name, purpose, port })
      const edit = { kind: 'config', patch: { name } } as const
      await drafts.commit({ id: draftOf(run, siteId), edit, ...byRun(run) }, () => undefined)
      const details = { id: siteId, name, purpose, tone, previewUrl }
      const config: CreatedSite = { ...details, hosting: 'local', constraints: [] }
      run.created.push(config)
      run.emit({ type: 'site_created', config })
      run.outcome('creating', name)
      return toolAnswer({ ...config, status: 'created' })
    },
  )
}

const Places = v.object({
  layoutPath: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(300),
      v.description(
        'Next.js only: the root layout of the site, such as app/(site)/layout.tsx. Pages are created next to it.',
      ),
    ),
  ),
  useSrcDir: v.optional(
    v.pipe(
      v.boolean(),
      v.description(
        'Next.js only: whether the app folder is in src. Default: detected from the files of the site.',
      ),
    ),
  ),
})

/** Creates the tool that adds the editor routes to an existing site. */
export function integrateTool(run: SiteRun): LoopTool {
  const { copies, settings, clock } = run
  return defineLoopTool(
    {
      name: 'integrate_site',
      description:
        'Adds the editor routes, a page that shows drafts, a content file and the package to an existing ' +
        'site; shows a person the changes, then installs, starts and registers the site. A second call ' +
        'changes nothing.',
      input: v.object({
        siteId: v.string(),
        name: v.optional(v.string()),
        purpose: v.optional(v.string()),
        launch: v.optional(v.boolean(), true),
        ...Places.entries,
      }),
    },
    async ({ siteId, name, purpose, launch, ...places }) => {
      run.begin('integrating')
      const folder = await copies.folder(siteId)
      const home = await copies.home(siteId)
      const wanted = { siteId, packageSpec: settings.packageSpec, now: clock.now(), places }
      const { framework, files, steps, ...done } = await integrate(folder, wanted)
      const variables = siteVariables(done.variables, settings)
      await inspectPath(home, done.variablesFile)
      const file = join(home, done.variablesFile)
      const { added } = await planEnvFile(file, variables)
      const shown = added.map((variable) =>
        variable === draftVariable ? variable : `${variable}=${variables[variable]}`,
      )
      const further = added.length > 0 ? [`variables in ${done.variablesFile}: ${shown.join(', ')}`] : []
      const { packageManager } = await analyze(folder)
      await install(run, siteId, packageManager)
      run.begin('integrating')
      await applyChanges(run, siteId, 'Changing the site', further)
      const isSame = files.length === 0 && added.length === 0
      await addToEnvFile(file, variables)
      run.ready.add(siteId)
      run.outcome('integrating', isSame ? 'nothing to change' : `${files.length} files`)
      const site = launch ? await launchSite(run, { siteId, name, purpose }) : undefined
      const status = isSame ? 'unchanged' : 'integrated'
      return toolAnswer({ status, framework, files, variables: added, steps, ...site })
    },
  )
}

/** Returns the variables of a site, with the addresses and the draft secret of this service. */
function siteVariables(
  usual: Readonly<Record<string, string>>,
  settings: SiteSettings,
): Readonly<Record<string, string>> {
  const { orchestratorUrl, editorOrigin, draftSecret = randomBytes(32).toString('hex') } = settings
  // The studio is at the origin of this service.
  const editors = new Set(
    [editorOrigin, URL.parse(orchestratorUrl)?.origin].filter((each) => each !== undefined),
  )
  const [editor] = editors
  const addresses: Readonly<Record<string, string | undefined>> = {
    ORCHESTRATOR_URL: orchestratorUrl,
    EDITOR_CORS_ORIGINS: editor && [...editors].join(),
    NEXT_PUBLIC_EDITOR_ORIGIN: editor,
  }
  return { ...mapValues(usual, (value, name) => addresses[name] ?? value), [draftVariable]: draftSecret }
}
