import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { give } from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { contentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import type { Page } from '../../plugins/content/page.ts'
import { outbound } from '../../plugins/outbound/port.ts'
import { createGitBranch, listTargets, PublishEnvironment } from '../../plugins/publish/testing.ts'
import { contentfulContent } from '../../plugins/site/adapters/cms/contentful.ts'
import { sanityContent } from '../../plugins/site/adapters/cms/sanity.ts'
import { strapiContent } from '../../plugins/site/adapters/cms/strapi.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { type CmsContent, storingHandler } from '../../plugins/site/testing.ts'
import { startContentful, startSanity, startStrapi, type ContentServer } from '../helpers/content-servers.ts'
import { done, inHouse, log, page, repository, twoPages, withDraft } from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { draftOf, fileWith } from '../helpers/site-kinds.ts'
import { type editor, temporaryFolder } from '../helpers/stack.ts'

/** A draft, and a way to have its storage lose what it is sent, while it answers as before. */
interface Losing {
  readonly edit: ReturnType<typeof editor>
  lose(): void
}
type StorageKind = (t: Test) => Promise<Losing>

/** A draft of a site of this package with a storage of its own. */
async function siteWith(t: Test, site: CmsContent): Promise<Losing['edit']> {
  const routes = createSiteEditor({ ...site, logger: capturedLog().log })
  t.teardown(() => routes.close())
  const edit = await draftOf(t, await serve(t, (request, response) => void routes.node(request, response)))
  await edit.bootstrap(twoPages)
  return edit
}

const cms =
  (
    start: (t: Test, token: string) => Promise<ContentServer>,
    content: typeof sanityContent,
    variables: (origin: string) => Readonly<Record<string, string>>,
  ): StorageKind =>
  async (t) => {
    const server = await start(t, 'token')
    const assetsDir = temporaryFolder(t)
    return { edit: await siteWith(t, content(variables(server.origin), { assetsDir })), lose: server.lose }
  }

/** A storage in memory. */
function memory() {
  let [content, isLosing]: [SiteContent, boolean] = [{ pages: [] }, false]
  return {
    read: async () => content,
    store: async (next: SiteContent) => void (isLosing ? undefined : (content = next)),
    lose: () => void (isLosing = true),
  }
}

const kinds: Readonly<Record<string, StorageKind>> = {
  async git(t) {
    const repo = repository(t, { content: JSON.stringify([]) })
    const lose = (): void => {
      const undo = `#!/bin/sh\nwhile read old new ref; do git update-ref "$ref" "$old"; done\n`
      mkdirSync(join(repo.remote, 'hooks'), { recursive: true })
      writeFileSync(join(repo.remote, 'hooks', 'post-receive'), undo, { mode: 0o755 })
    }
    return { edit: await withDraft(t, { env: repo.env }), lose }
  },
  async 'an adapter of the host'(t) {
    const { read, store, lose } = memory()
    const seeds = [give(contentAdapter, { readContent: read, writeContent: store })]
    return { edit: await withDraft(t, { env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' }, seeds }), lose }
  },
  async 'a target of a plugin'(t) {
    const { read, store, lose } = memory()
    const publish = async (sent: SiteContent) => (await store(sent), done)
    return { edit: await withDraft(t, { plugins: [inHouse({ name: 'own', stored: read, publish })] }), lose }
  },
  async 'a handler of a site'(t) {
    const path = fileWith(t, [])
    let isLosing = false
    const publish = storingHandler({
      source: path,
      assetsDir: temporaryFolder(t),
      read: async () => jsonFile(path).readContent(),
      async store(sent) {
        if (!isLosing) writeFileSync(path, JSON.stringify(sent.pages))
        return []
      },
    })
    const edit = await siteWith(t, { adapter: jsonFile(path), publish })
    return { edit, lose: () => void (isLosing = true) }
  },
  Sanity: cms(startSanity, sanityContent, (origin) => ({
    SANITY_PROJECT_ID: 'p',
    SANITY_API_TOKEN: 'token',
    SANITY_API_URL: origin,
  })),
  Contentful: cms(startContentful, contentfulContent, (origin) => ({
    CONTENTFUL_SPACE_ID: 's',
    CONTENTFUL_DELIVERY_TOKEN: 'token',
    CONTENTFUL_MANAGEMENT_TOKEN: 'token',
    CONTENTFUL_BASE_URL: origin,
    CONTENTFUL_MANAGEMENT_URL: origin,
  })),
  Strapi: cms(startStrapi, strapiContent, (origin) => ({ STRAPI_URL: origin, STRAPI_TOKEN: 'token' })),
}

for (const [name, start] of Object.entries(kinds))
  t.test(`${name}: what is not where it was sent is not published`, async (t) => {
    const { edit, lose } = await start(t)
    const publish = () => edit.send('/publish', {})
    t.match((await publish()).json(), { status: /ready|triggered/ })
    await edit.ops([{ op: 'rename_page', pageSlug: '/about', newTitle: 'Changed' }])
    t.match((await publish()).json(), { status: /ready|triggered/ }, 'what arrives')

    lose()
    const changes = {
      'a change': { op: 'rename_page', pageSlug: '/about', newTitle: 'Lost' },
      'a new page': { op: 'create_page', page: page('/new') },
      'a removal': { op: 'remove_page', pageSlug: '/about' },
    }
    for (const [what, op] of Object.entries(changes)) {
      await edit.ops([op])
      const answer = await publish()
      t.ok(answer.status >= 400, what)
      t.match(
        answer.json(),
        { status: 'failed', error: /not where it was published to: .*\/(about|new)|unpublish it first/ },
        what,
      )
      t.match((await log(edit)).at(-1), { status: 'failed' })
      const diff = (await edit.get('/publish/diff')).json()
      t.notMatch(diff, { summary: { pagesModified: 0, pagesAdded: 0, pagesRemoved: 0 } }, 'it is still to do')
    }
  })

t.test('a storage that drops a block is said to have the page in part', async (t) => {
  const without = ({ blocks, ...each }: Page) => ({
    ...each,
    blocks: blocks.filter(({ id }) => id !== 'lost'),
  })
  const { read, store } = memory()
  const seeds = [
    give(contentAdapter, {
      readContent: read,
      writeContent: ({ pages, ...rest }) => store({ ...rest, pages: pages.map(without) }),
    }),
  ]
  const edit = await withDraft(t, { env: { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' }, seeds })
  const block = { id: 'lost', type: 'RichText', props: { title: 'Lost', body: 'Text' } }
  await edit.ops([
    { op: 'rename_page', pageSlug: '/about', newTitle: 'Stored' },
    { op: 'add_block', pageSlug: '/about', afterBlockId: 'b/about', block },
  ])
  const notes = [/^Not all blocks that were sent are stored: those of \/about differ\./]
  t.match((await edit.publish()).json(), { status: 'ready', notes })
})

t.test('a handler that a developer writes is checked by the read of its site', async (t) => {
  const path = fileWith(t, twoPages)
  const edit = await siteWith(t, {
    adapter: jsonFile(path),
    async publish({ pages }) {
      writeFileSync(path, JSON.stringify(pages.filter(({ slug }) => slug !== '/new')))
      return { ok: true, slugs: pages.map(({ slug }) => String(slug)) }
    },
  })
  await edit.ops([
    { op: 'rename_page', pageSlug: '/about', newTitle: 'Stored' },
    { op: 'create_page', page: page('/new') },
  ])
  const notes = [/^The site still shows the older \/new\./]
  t.match((await edit.send('/publish', {})).json(), { status: 'ready', notes })
  t.match((await log(edit)).at(-1), { status: 'success', notes })
})

t.test('every target reads back what it has stored, or states who does', async (t) => {
  const elsewhere = {
    'site-contract': 'the read of the site after the publish; a site of this package in storingHandler',
    'deploy-hook': 'the build reads later, and the answer is triggered',
  }
  const path = fileWith(t, [])
  const env = v.parse(PublishEnvironment, { PUBLISHED_CONTENT_PATH: path })
  const targets = listTargets({
    own: [],
    adapter: jsonFile(path),
    adapterSiteId: 'acme',
    outbound: await (await withDraft(t)).mounted.get(outbound),
    env,
    remote: createGitBranch(path, env),
    redact: undefined,
    log: capturedLog().log,
  })
  const without = [...targets.values()].filter(({ stored }) => !stored).map(({ name }) => name)
  t.strictSame(without.toSorted(), Object.keys(elsewhere).toSorted())
})
