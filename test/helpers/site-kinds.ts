import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { give } from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import { repository, startWebsite, withDraft } from './publishing.ts'
import { serve } from './raw.ts'
import { type editor, temporaryFolder } from './stack.ts'

/** A site, and a draft of it. */
interface SiteSetup {
  readonly edit: ReturnType<typeof editor>
  /** Returns what the site stores. */
  stored(): unknown
}
/** Starts a site with entries; a draft that no site fills gets the pages `filled`. */
export type StartKind = (
  t: Test,
  entries: readonly unknown[],
  filled?: readonly unknown[],
) => Promise<SiteSetup>

/** Returns a draft of the site at an origin. */
export async function draftOf(t: Test, origin: string): Promise<ReturnType<typeof editor>> {
  const setup = await withDraft(t, { env: { ORCHESTRATOR_CORS_ORIGINS: origin } }, [])
  await setup.send('/sites/register', { name: 'Acme', previewUrl: origin })
  return setup
}

/** Returns the path of a content file. */
export const fileWith = (t: Test, content: unknown): string => {
  const path = join(temporaryFolder(t), 'pages.json')
  writeFileSync(path, JSON.stringify(content))
  return path
}
/** Returns what a content file has. */
export const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

const kinds: Readonly<Record<string, StartKind>> = {
  async 'a site that implements the routes itself'(t, pages) {
    const site = await startWebsite(t, { pages })
    return { edit: await draftOf(t, site.origin), stored: () => site.sent().at(-1)?.body['pages'] }
  },
  async 'a site of this package'(t, pages) {
    const path = fileWith(t, pages)
    const site = createSiteEditor({
      adapter: jsonFile(path),
      publish: jsonFilePublishHandler(path),
      logger: capturedLog().log,
    })
    t.teardown(() => site.close())
    const origin = await serve(t, (request, response) => void site.node(request, response))
    return { edit: await draftOf(t, origin), stored: () => read(path) }
  },
  async 'the adapter of a mount'(t, pages) {
    const path = fileWith(t, { pages })
    const edit = await withDraft(
      t,
      {
        env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' },
        seeds: [give(contentAdapter, jsonFile(path, { writeOnPublish: true }))],
      },
      [],
    )
    return { edit, stored: () => v.parse(v.looseObject({ pages: v.unknown() }), read(path)).pages }
  },
  async git(t, pages, filled) {
    const repo = repository(t, { content: JSON.stringify(pages) })
    const edit = await withDraft(t, { env: repo.env }, [])
    if (filled) await edit.bootstrap(filled)
    return { edit, stored: () => JSON.parse(repo.inRemote('content/pages.json')) }
  },
}

/** Runs a test once for each kind of site. */
export async function everyKind(t: Test, test: (t: Test, start: StartKind) => Promise<void>): Promise<void> {
  for (const [kind, start] of Object.entries(kinds)) await t.test(kind, (t) => test(t, start))
}
