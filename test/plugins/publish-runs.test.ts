import t, { type Test } from 'tap'
import * as v from 'valibot'
import { capturedLog, mountForTest, stillClock } from '../../kernel/testing.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import type { Page } from '../../plugins/content/page.ts'
import { drafts } from '../../plugins/draft/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { noon, page, publishing, type PublishingOptions } from '../helpers/publishing.ts'
import { eventsIn } from '../helpers/stack.ts'
import { until } from '../helpers/until.ts'
import { draftOf, siteId, threePages, withWebsite } from '../helpers/website.ts'

const id = { siteId, session: 'dev' }
const History = v.object({
  entries: v.array(v.looseObject({ version: v.number(), source: v.string(), summary: v.string() })),
})

/** A draft in which a run has changed the home page. */
async function withRun(t: Test, options: PublishingOptions = {}, pages: readonly Page[] = threePages) {
  const site = await withWebsite(t, options, [...pages])
  const dev = site.draft('dev')
  await dev.fill()
  const service = await site.mounted.get(drafts)
  const step = async (slug: string, heading: string, continues = true) => {
    const op = { op: 'update_props', pageSlug: slug, blockId: `b${slug}`, patch: { heading } }
    const parsed = parseOperations([op])
    if (!parsed.ok) throw new Error(parsed.message)
    const edit = { kind: 'operations', ops: parsed.ops, source: 'planner', summary: 'A run' } as const
    const request = { id, edit, run: 'a', continues, actor: { kind: 'agent' }, channel: 'agent' } as const
    await service.commit(request, () => undefined)
  }
  await step('/', 'First step')
  const history = async () =>
    v.parse(History, await (await dev.get('/history/log')).json()).entries.map(({ summary }) => summary)
  const deploy = (slug = '/about', heading = 'Deployed') =>
    void (site.website.pages = site.website.pages.map((each) =>
      each.slug === slug ? page(slug, heading) : each,
    ))
  return { ...site, dev, step, history, deploy, end: () => service.endRun(id, 'a') }
}

const ofSite = 'From the site: heading of Hero on about changed'

t.test('a draft follows its site after a run, which stays one change', async (t) => {
  const { dev, step, history, deploy, end } = await withRun(t)
  deploy()
  t.match(await dev.follow(), { status: 'unchanged', taken: { length: 0 }, conflicts: { length: 0 } })
  await step('/prices', 'Second step')
  t.match(await dev.follow(), { status: 'unchanged' })
  t.equal(await dev.headingOf('/about'), 'Hello', 'it waits')
  await end()
  t.match(await dev.follow(), { status: 'followed' })
  t.equal(await dev.headingOf('/about'), 'Deployed')
  t.strictSame((await history()).slice(1), ['A run', ofSite])
  t.equal((await dev.undo('/')).status, 200)
  t.equal(await dev.headingOf('/prices'), 'Hello', 'all steps are undone as one')
})

t.test('a diff in a run compares what the draft will have, and writes nothing', async (t) => {
  const { website, dev, step, history, deploy, end } = await withRun(t)
  const about = (version: number) => ({ previewVersion: version, conflicts: { length: 0 } })
  website.pages = [...threePages.slice(0, 2), page('/jobs')]
  website.siteConfig = { name: 'Acme' }
  deploy()
  const pages = [{ slug: '/', status: 'modified' }]
  t.match(await dev.diff(), { ...about(2), pages, siteConfig: { fieldDiffs: { length: 0 } } })
  t.match(await dev.diff(), { ...about(2), pages }, 'again')
  await step('/about', 'Second step')
  const [conflict] = (await dev.diff()).conflicts
  t.match(conflict, { slug: '/about', ours: 'Second step', theirs: 'Deployed' })
  await end()
  t.match((await dev.diff()).conflicts, [{ id: conflict?.id }])
  t.strictSame(await dev.slugs(), ['/', '/about', '/jobs'])
  t.equal((await history()).length, 3)
})

t.test('a publish in a run brings what the draft has changed, and writes nothing to it', async (t) => {
  const { website, headingOf, dev, step, history, deploy, end } = await withRun(t)
  website.pages = [...threePages, page('/jobs')]
  deploy()
  t.match(await dev.publish(), { status: 'ready' })
  t.strictSame(['/', '/about', '/jobs'].map(headingOf), ['First step', 'Deployed', 'Hello'])
  await step('/', 'Second step')
  t.match(await dev.publish(), { status: 'ready' }, 'what was published is no conflict')
  t.strictSame(['/', '/about', '/jobs'].map(headingOf), ['Second step', 'Deployed', 'Hello'])
  t.equal(await dev.headingOf('/about'), 'Hello')
  await end()
  t.match(await dev.diff(), { summary: { pagesModified: 0, pagesAdded: 0, pagesRemoved: 0 } })
  t.equal(await dev.headingOf('/about'), 'Deployed')
  t.equal((await history()).filter((summary) => summary === 'A run').length, 1)
})

t.test('what comes from the site counts for the limit of a publish in a run', async (t) => {
  const { dev, deploy } = await withRun(t, { publish: { maxPublishBytes: 2_000 } })
  deploy('/about', 'long '.repeat(400))
  t.match(await dev.publish(), { code: 'publish_too_large' })
})

t.test('a part that is published in a run is agreed on at once', async (t) => {
  const { headingOf, dev, step, deploy } = await withRun(t)
  deploy()
  t.match(await dev.publish({ pages: ['/'] }), { status: 'ready' })
  await step('/', 'Second step')
  t.match(await dev.publish({ pages: ['/'] }), { status: 'ready' })
  t.strictSame(['/', '/about'].map(headingOf), ['Second step', 'Deployed'])
})

t.test('a decision in a run holds at once, and a change of a person ends its entry', async (t) => {
  const { dev, step, history, deploy } = await withRun(t)
  deploy('/', 'Deployed')
  const [conflict] = (await dev.diff()).conflicts
  t.match(await dev.decide([{ id: conflict?.id, take: 'site' }]), { conflicts: { length: 0 } })
  t.equal(await dev.headingOf('/'), 'Deployed')
  await step('/prices', 'Second step')
  await dev.heading('/about', 'Of a person')
  deploy('/prices', 'Deployed')
  t.match(await dev.follow(), { status: 'unchanged', conflicts: [{ slug: '/prices' }] })
  t.equal((await history()).length, 5)
})

t.test('a value that is typed in a run after its conflict was shown is decided by that', async (t) => {
  const { dev, step, deploy, end } = await withRun(t)
  deploy('/', 'Deployed')
  t.equal((await dev.diff()).conflicts.length, 1)
  await dev.heading('/', 'Typed again')
  await step('/prices', 'Second step')
  deploy()
  t.equal((await dev.diff()).conflicts.length, 0)
  await end()
  t.equal((await dev.diff()).conflicts.length, 0)
})

t.test('a value that is typed again in a run, beside another, decides its conflict', async (t) => {
  const { dev, deploy } = await withRun(t)
  deploy('/', 'By the site')
  deploy()
  t.equal((await dev.diff()).conflicts.length, 1)
  const heading = (pageSlug: string, text: string) => ({
    op: 'update_props',
    pageSlug,
    blockId: `b${pageSlug}`,
    patch: { heading: text },
  })
  const edited = await dev.ops([heading('/', 'First step'), heading('/prices', 'Of a person')])
  t.equal(edited.status, 200, edited.text)
  t.strictSame((await dev.diff()).conflicts, [])
  t.equal(await dev.headingOf('/'), 'First step')
  t.equal(await dev.headingOf('/about'), 'Deployed', 'what a person does ends the run')
})

t.test('an open stream of the draft makes it follow when the run ends', async (t) => {
  const { mounted, dev, deploy, end } = await withRun(t)
  deploy()
  const stream = eventsIn(
    await mounted.fetch(new Request(`http://localhost/events?${new URLSearchParams(id)}`)),
  )
  t.teardown(() => stream.close())
  await end()
  await until(async () => (await dev.headingOf('/about')) === 'Deployed', 'the draft has followed')
})

t.test('another process waits for a run as well, but not for one whose process has died', async (t) => {
  const time = stillClock(noon)
  const storage = { ...createMemoryStore(), shared: true }
  const { origin, dev, deploy } = await withRun(t, { storage, time })
  const env = { ORCHESTRATOR_CORS_ORIGINS: origin }
  const other = mountForTest(t, publishing({ env, storage, time }))
  const elsewhere = draftOf((request) => other.inject(request), 'dev')
  deploy()
  t.match(await elsewhere.follow(), { status: 'unchanged' })
  time.advance(5 * 60_000)
  t.match(await elsewhere.follow(), { status: 'followed' })
  t.equal(await dev.headingOf('/about'), 'Deployed')
})

t.test('the last step of a run ends it', async (t) => {
  const { dev, step, deploy, end, history } = await withRun(t)
  await step('/prices', 'Second step', false)
  await end()
  deploy()
  t.match(await dev.follow(), { status: 'followed' })
  t.strictSame((await history()).slice(1), ['A run', ofSite])
})

t.test('an end that cannot be stored is logged, and the run ends by its time', async (t) => {
  const storage = createMemoryStore()
  const { log, lines } = capturedLog('warn')
  const { end } = await withRun(t, { storage, more: { log } })
  storage.transaction = async () => {
    throw new Error('The disk is full.')
  }
  await end()
  t.match(lines, [/the end of a run could not be stored/])
})

t.test('a run that has changed nothing delays no follow', async (t) => {
  const { website, draft, mounted } = await withWebsite(t, {}, threePages)
  website.siteConfig = { name: 'Acme' }
  const dev = draft('dev')
  await dev.fill()
  const service = await mounted.get(drafts)
  for (const patch of [{ navLabels: { '/about': '' } }, { navGroups: {} }]) {
    const parsed = parseOperations([{ op: 'update_site_config', patch }])
    if (!parsed.ok) throw new Error(parsed.message)
    const edit = { kind: 'operations', ops: parsed.ops, source: 'planner', summary: 'A run' } as const
    const request = {
      id,
      edit,
      run: 'a',
      continues: true,
      actor: { kind: 'agent' },
      channel: 'agent',
    } as const
    await service.commit(request, () => undefined)
  }
  website.pages = website.pages.map((each) => (each.slug === '/about' ? page('/about', 'Deployed') : each))
  t.match(await dev.follow(), { status: 'followed' })
  t.equal(await dev.headingOf('/about'), 'Deployed')
})
