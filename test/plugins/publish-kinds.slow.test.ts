import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { give } from '../../kernel/index.ts'
import { capturedLog, mountForTest } from '../../kernel/testing.ts'
import { contentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import type { Page } from '../../plugins/content/page.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import {
  done,
  inHouse,
  page,
  publishing,
  repository,
  startWebsite,
  type PublishingOptions,
} from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { editor, temporaryFolder } from '../helpers/stack.ts'

const siteId = 'acme'
const own = { ORCHESTRATOR_DEFAULT_SITE_ID: siteId }
const before = [page('/'), page('/about'), page('/prices')]
const Pages = v.array(v.custom<Page>((value) => typeof value === 'object'))
const Content = v.object({ pages: Pages })
type KindDraft = ReturnType<typeof editor>

/** A kind of site and target. */
interface SiteKind {
  readonly options: PublishingOptions
  /** The origin under which the site is registered. */
  readonly origin?: string
  /** What the site has now; `undefined` for what only the service knows. */
  stored(draft: KindDraft): Promise<readonly Page[]> | readonly Page[]
  /** Changes the site without the service; absent where that is not possible. */
  deploy?(pages: readonly Page[]): void
  /** Whether the service fills the drafts; else a client does. */
  readonly fills: boolean
  readonly isUnread?: true
}

const registered = (origin: string): Pick<SiteKind, 'options' | 'origin' | 'fills'> => ({
  options: { env: { ORCHESTRATOR_CORS_ORIGINS: origin } },
  origin,
  fills: true,
})

/** A site that stores what is published; an earlier release of the package knows no entity tag. */
async function plainSite(t: Test): Promise<SiteKind> {
  let pages: readonly Page[] = before
  const origin = await serve(t, async (request, response) => {
    const answer = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url?.startsWith('/api/editor/pages')) return answer({ pages })
    if (request.url !== '/api/editor/publish') return response.writeHead(404).end()
    pages = v.parse(Content, JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())).pages
    return answer({ ok: true })
  })
  return { ...registered(origin), stored: () => pages, deploy: (next) => void (pages = next) }
}

async function ownSite(t: Test): Promise<SiteKind> {
  const path = join(temporaryFolder(t), 'pages.json')
  const write = (pages: readonly Page[]) => writeFileSync(path, JSON.stringify(pages))
  write(before)
  const site = createSiteEditor({
    adapter: jsonFile(path),
    publish: jsonFilePublishHandler(path),
    logger: capturedLog('silent').log,
  })
  t.teardown(() => site.close())
  const origin = await serve(t, (request, response) => void site.node(request, response))
  const stored = () => v.parse(Pages, JSON.parse(readFileSync(path, 'utf8')))
  return { ...registered(origin), stored, deploy: write }
}

function fileOfMount(t: Test): SiteKind {
  const path = join(temporaryFolder(t), 'pages.json')
  const write = (pages: readonly Page[]) => writeFileSync(path, JSON.stringify(pages))
  write(before)
  const options = { env: own, seeds: [give(contentAdapter, jsonFile(path, { writeOnPublish: true }))] }
  return {
    options,
    fills: true,
    stored: () => v.parse(Pages, JSON.parse(readFileSync(path, 'utf8'))),
    deploy: write,
  }
}

function inHouseAdapter(): SiteKind {
  let content: SiteContent = { pages: before }
  const adapter = {
    readContent: async () => content,
    writeContent: async (next: SiteContent) => void (content = next),
  }
  return {
    options: { env: own, seeds: [give(contentAdapter, adapter)] },
    fills: true,
    stored: () => content.pages,
    deploy: (pages) => void (content = { pages }),
  }
}

function repositoryOf(t: Test): SiteKind {
  const repo = repository(t, { content: JSON.stringify(before) })
  return {
    options: { env: repo.env },
    fills: false,
    stored: () => v.parse(Pages, JSON.parse(repo.inRemote('content/pages.json'))),
    deploy: (pages) => repo.pushed(JSON.stringify(pages)),
  }
}

/** A site whose build is started by a hook and fetches the draft of the session that published. */
async function hookedSite(t: Test): Promise<SiteKind> {
  let pages: readonly Page[] = before
  const site = await startWebsite(t, { pages: before })
  const hook = await serve(t, (_request, response) => void response.writeHead(200).end('{}'))
  const env = {
    ORCHESTRATOR_CORS_ORIGINS: site.origin,
    PUBLISH_MODE: 'deploy_hook',
    VERCEL_DEPLOY_HOOK_URL: hook,
  }
  const build = async (draft: KindDraft) => {
    pages = v.parse(Content, (await draft.get('/publish/content')).json()).pages
    site.answers.pages.body = { pages }
    return pages
  }
  const deploy = (next: readonly Page[]) => void (site.answers.pages.body = { pages: (pages = next) })
  return { options: { env }, origin: site.origin, fills: true, stored: build, deploy }
}

/** A site that nothing can be read from. */
function withoutSource(): SiteKind {
  let pages: readonly Page[] = []
  const target = inHouse({ name: 'own', publish: async (sent) => ((pages = sent.pages), done) })
  return { options: { plugins: [target], targets: [] }, fills: false, isUnread: true, stored: () => pages }
}

const kinds: Readonly<Record<string, (t: Test) => SiteKind | Promise<SiteKind>>> = {
  'a site of this package': ownSite,
  'a site without an entity tag': plainSite,
  'the content file of a mount': fileOfMount,
  'an adapter of the host': inHouseAdapter,
  git: repositoryOf,
  'a deploy hook': hookedSite,
  'no source': withoutSource,
}

const headingsOf = (pages: readonly Page[]) =>
  Object.fromEntries(pages.map(({ slug, blocks }) => [slug, blocks[0]?.props['heading']]))

/** The drafts `dev` and `review` of a site, both filled before either changes anything. */
async function draftsOf(t: Test, { options, origin, fills, isUnread }: SiteKind) {
  const mounted = mountForTest(t, publishing(options))
  const open = async (session: string) => {
    const edit = editor((request) => mounted.inject(request), { siteId, session })
    if (!fills) await edit.bootstrap(before)
    await edit.get('/draft/slugs')
    const publish = async (body: object = {}) => {
      const answer = await edit.send('/publish', body)
      t.equal(answer.status, 200, JSON.stringify(answer.json()))
    }
    const heading = (slug: string, text: string) =>
      edit.ops([{ op: 'update_props', pageSlug: slug, blockId: `b${slug}`, patch: { heading: text } }])
    return { ...edit, publish, heading }
  }
  const register = editor((request) => mounted.inject(request), { siteId, session: 'dev' })
  if (origin !== undefined) await register.send('/sites/register', { name: 'Acme', previewUrl: origin })
  const [dev, review] = [await open('dev'), await open('review')]
  // What clients push and what nothing can be read of agree with the first publish.
  if (isUnread) for (const each of [dev, review]) await each.publish()
  return { dev, review }
}

for (const [name, start] of Object.entries(kinds)) {
  t.test(`${name}: each publish brings its own changes`, async (t) => {
    const kind = await start(t)
    const { dev, review } = await draftsOf(t, kind)
    await dev.heading('/', 'From dev')
    await dev.publish()
    await dev.ops([{ op: 'create_page', page: page('/jobs') }])
    await dev.publish()
    await kind.stored(dev)
    await review.heading('/about', 'From review')
    await review.publish()
    t.strictSame(headingsOf(await kind.stored(review)), {
      '/': 'From dev',
      '/about': 'From review',
      '/prices': 'Hello',
      '/jobs': 'Hello',
    })
    await dev.publish()
    t.strictSame(headingsOf(await kind.stored(dev))['/about'], 'From review', 'nothing goes back')
  })

  t.test(`${name}: what is deployed stays`, async (t) => {
    const kind = await start(t)
    if (!kind.deploy) return
    const { dev } = await draftsOf(t, kind)
    await dev.publish()
    await dev.heading('/about', 'From the editor')
    const now = await kind.stored(dev)
    kind.deploy([...now.filter(({ slug }) => slug === '/about'), page('/', 'Deployed'), page('/new')])
    await dev.publish()
    t.strictSame(headingsOf(await kind.stored(dev)), {
      '/': 'Deployed',
      '/about': 'From the editor',
      '/new': 'Hello',
    })
  })
}
