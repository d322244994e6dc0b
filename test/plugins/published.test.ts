import t from 'tap'
import * as v from 'valibot'
import { use, type Injected } from '../../kernel/index.ts'
import { everyWayIn, mountForTest } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import published from '../../plugins/publish/published/index.ts'
import { publishedPages } from '../../plugins/publish/published/port.ts'
import { draftsInMemory, editor, type SmallOptions } from '../helpers/stack.ts'

function page(slug: string, title: string): Page {
  return { id: `p${slug}`, slug, title, updatedAt: '2026-01-01T12:00:00.000Z', blocks: [] }
}

const setting = (options: SmallOptions = {}) => draftsInMemory({ ...options, plugins: [use(published)] })
const titleIn = (answer: Injected) => v.parse(v.looseObject({ title: v.string() }), answer.json()).title
const own = { session: 'dev' }

t.test('a page is returned as last published for its site, from any session', (t) =>
  everyWayIn(t, setting, async (t, ask) => {
    const ofSite = (query: string) => ask({ url: `/published/pages?${query}` })
    for (const query of ['', 'slug=', 'siteId=acme']) {
      const refused = await ofSite(query)
      t.equal(refused.status, 400)
      t.match(refused.json(), {
        error: 'slug is required',
        reason: 'slug is required',
        code: 'invalid_request',
      })
    }
    const acme = editor(ask, { session: 'dev', siteId: 'acme' })
    await acme.bootstrap([page('/', 'First'), page('/about', 'About')])
    const before = await ofSite('slug=/&siteId=acme')
    t.equal(before.status, 404, 'a draft is not published')
    t.match(before.json(), { error: /'\/'/, code: 'not_found', reason: /'\/'/ })

    await acme.send('/publish')
    await acme.retitle('/', 'Later')
    t.equal(titleIn(await ofSite('slug=/&siteId=ACME')), 'First')
    t.equal(titleIn(await ofSite('slug=%2Fabout&siteId=acme')), 'About')
    t.equal((await ofSite('slug=/none&siteId=acme')).status, 404)
    t.equal((await ofSite('slug=about&siteId=acme')).status, 404, 'slugs are compared exactly')

    const preview = editor(ask, { session: 'preview', siteId: 'acme' })
    await preview.bootstrap([page('/', 'Of the preview')])
    await preview.send('/publish')
    t.equal(titleIn(await ofSite('slug=/&siteId=acme')), 'Of the preview')
    t.equal((await ofSite('slug=/about&siteId=acme')).status, 404)
    t.equal((await ofSite('slug=/')).status, 404, 'another site')
  }),
)

t.test('enabled demo pages count as published until the first publish', async (t) => {
  const mounted = mountForTest(t, setting({ sites: { demoContent: true } }))
  const count = async (siteId: string) => (await mounted.get(publishedPages)).count(siteId)
  const read = (query: string) => mounted.inject({ url: `/published/pages?${query}` })
  t.equal((await read('slug=/pricing')).status, 200)
  t.equal((await read('slug=/pricing&siteId=acme')).status, 404, 'for the site of the mount only')
  t.strictSame([await count('avocado-stories'), await count('acme')], [5, 0])
  const edit = editor((request) => mounted.inject(request), own)
  await edit.ops([{ op: 'remove_page', pageSlug: '/pricing' }])
  t.equal((await read('slug=/pricing')).status, 200)
  await edit.send('/publish')
  t.equal((await read('slug=/pricing')).status, 404)
  t.equal(await count('avocado-stories'), 4)
})
