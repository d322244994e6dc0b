import t, { type Test } from 'tap'
import * as v from 'valibot'
import { stillClock } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import { lastRow, log, noon, page, withDraft } from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { bodyOf, editor } from '../helpers/stack.ts'
import { until } from '../helpers/until.ts'

const minute = 60_000
type Query = Readonly<Record<string, string>>
const Hooked = v.object({ publication: v.string() })
const Content = v.object({
  session: v.string(),
  slugs: v.array(v.string()),
  pages: v.array(v.custom<Page>((value) => typeof value === 'object')),
})
const before = [page('/'), page('/about'), page('/prices')]
const headingsOf = (pages: readonly Page[]) =>
  Object.fromEntries(pages.map(({ slug, blocks }) => [slug, blocks[0]?.props['heading']]))

/** A site whose builds are started by a hook; each build reads its content while the hook is called. */
async function hooked(t: Test) {
  let live: unknown = { pages: before }
  const site = await serve(
    t,
    (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(live)),
  )
  const called: { publication: string; named: unknown; unnamed: unknown }[] = []
  let status = 200
  const hook = await serve(t, async (request, response) => {
    const text = Buffer.concat(await Array.fromAsync(request)).toString()
    const { publication } = v.parse(Hooked, JSON.parse(text))
    const content = async (query: Query) => headingsOf((await read(query)).pages)
    called.push({ publication, named: await content({ publication }), unnamed: await content({}) })
    response.writeHead(status).end('{}')
  })
  const env = {
    ORCHESTRATOR_CORS_ORIGINS: site,
    PUBLISH_MODE: 'deploy_hook',
    VERCEL_DEPLOY_HOOK_URL: hook,
    PUBLISH_GRACE_SECONDS: '120',
  }
  const time = stillClock(noon)
  const setup = await withDraft(t, { env, time, publish: { lookEveryMs: 20 } }, [])
  await setup.send('/sites/register', { name: 'Acme', previewUrl: site })
  await setup.get('/draft/slugs')
  const read = async (query: Query = {}, session = 'dev') => {
    const other = editor((request) => setup.mounted.inject(request), { siteId: 'acme', session })
    return v.parse(Content, (await other.get('/publish/content', query)).json())
  }
  const heading = (slug: string, text: string) =>
    setup.ops([{ op: 'update_props', pageSlug: slug, blockId: `b${slug}`, patch: { heading: text } }])
  return {
    ...setup,
    time,
    called,
    read,
    heading,
    headings: async (query: Query = {}) => headingsOf((await read(query)).pages),
    deploy: (pages: readonly Page[]) => void (live = { pages }),
    answers: (next: number) => void (status = next),
  }
}

t.test('a build gets what was merged for its publish, whatever is edited meanwhile', async (t) => {
  const { heading, publish, called, headings, read, time, get, ...setup } = await hooked(t)
  await heading('/', 'First')
  setup.deploy([page('/'), page('/about', 'Deployed'), page('/prices')])
  t.equal((await publish()).status, 200)
  const first = { '/': 'First', '/about': 'Deployed', '/prices': 'Hello' }
  t.match(called, [{ named: first, unnamed: first }], 'also before the hook has answered')
  const publication = called[0]?.publication ?? ''
  t.equal((await lastRow({ get }))?.id, publication)

  await heading('/', 'Later')
  t.strictSame(await headings({ publication }), first)
  t.strictSame(await headings(), first, 'a build that names none gets the newest publish')
  t.match(await read({ publication }, 'other'), { session: 'dev' }, 'of whichever draft')
  time.advance(3 * minute)
  t.strictSame(await headings(), { ...first, '/': 'Later' }, 'and after its end the draft')
  t.strictSame(await headings({ publication }), first)

  await setup.send('/sites/register', { siteId: 'other', name: 'Other', previewUrl: 'https://other.test' })
  const foreign = editor((request) => setup.mounted.inject(request), { siteId: 'other', session: 'dev' })
  for (const answer of [
    await get('/publish/content', { publication: 'none' }),
    await foreign.get('/publish/content', { publication }),
  ])
    t.match([answer.status, answer.json()], [404, { code: 'not_found', reason: /GET \/publish\/log/ }])
})

t.test('what a failed publish would have sent is no content of a build', async (t) => {
  const { heading, publish, called, headings, answers, get, ...setup } = await hooked(t)
  await heading('/', 'First')
  await publish()
  await heading('/', 'Refused')
  answers(500)
  t.match((await publish()).json(), { status: 'failed' })
  t.match(called[1], { named: { '/': 'Refused' } })
  const gone = await get('/publish/content', { publication: called[1]?.publication ?? '' })
  t.equal(gone.status, 404)
  t.match(await headings(), { '/': 'First' }, 'the earlier publish is still under way')
  t.match(await bodyOf(get('/restore/snapshots')), { snapshots: [{}, { message: /^before/ }] })
  setup.time.advance(3 * minute)
  t.match(await headings(), { '/': 'Refused' }, 'then it is the draft')
})

t.test('a build gets rows that only got ids when they were read as the site has them', async (t) => {
  const { publish, called, ...setup } = await hooked(t)
  const faq = (slug: string): Page => {
    const items = ['One?', 'Two?'].map((q) => ({ q, a: 'Yes' }))
    return {
      ...page(slug),
      blocks: [{ id: `f${slug}`, type: 'FAQAccordion', props: { title: 'FAQ', items } }],
    }
  }
  const pages = ['/', '/about', '/prices'].map(faq)
  setup.deploy(pages)
  await setup.send('/draft/follow', { confirm: true })
  await setup.ops([{ op: 'rename_page', pageSlug: '/about', newTitle: 'Other' }])
  t.match((await publish()).json(), { status: 'triggered' })
  const { pages: built } = await setup.read({ publication: called[0]?.publication ?? '' })
  t.match(built[1], { title: 'Other' })
  t.strictSame([built[0], built[1]?.blocks, built[2]], [pages[0], pages[1]?.blocks, pages[2]])
})

t.test('a deploy hook publishes single pages, at a time, and an earlier publish again', async (t) => {
  const { heading, publish, called, time, get, read, deploy } = await hooked(t)
  await heading('/', 'First')
  await heading('/about', 'Not yet')
  t.equal((await publish({ pages: ['/'] })).status, 200)
  deploy((await read()).pages)
  t.match(called.at(-1), { named: { '/': 'First', '/about': 'Hello' } })
  const commit = (await lastRow({ get }))?.['snapshot']

  const at = new Date(time.now().getTime() + minute).toISOString()
  t.equal((await publish({ at })).status, 202)
  await heading('/about', 'After that')
  time.advance(2 * minute)
  await until(async () => (await log({ get })).length === 2)
  t.match(called.at(-1), { named: { '/': 'First', '/about': 'Not yet' } })

  t.equal((await publish({ commit })).status, 200)
  t.match(called.at(-1), { named: { '/': 'First', '/about': 'Hello' } })
  t.match(await bodyOf(publish({ remove: ['/broken'] })), { code: 'target_reads_draft' })
})

t.test('what a stopped process was about to publish is sent until its time is over', async (t) => {
  const { heading, headings, time, mounted, publish } = await hooked(t)
  await heading('/', 'First')
  const { snapshots } = await import('../../plugins/publish/port.ts')
  const stored = await mounted.get(snapshots)
  const id = { siteId: 'acme', session: 'dev' }
  await stored.keepAhead(id, { pages: [page('/', 'Sent')] }, { publishId: 'p', at: noon })
  t.strictSame(await stored.newestCommit({ siteId: 'acme' }), undefined, 'it is not published')
  t.strictSame(await headings(), { '/': 'Sent' })
  time.advance(3 * minute)
  t.match(await headings(), { '/': 'First' })
  await publish()
  t.equal(await stored.ahead(id), undefined)
  t.equal(await stored.sentBy('acme', 'p'), undefined)
})
