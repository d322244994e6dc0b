import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { contentAdapterContract } from '../../config/testing.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { contentfulContent } from '../../plugins/site/adapters/cms/contentful.ts'
import { sanityContent } from '../../plugins/site/adapters/cms/sanity.ts'
import { strapiContent } from '../../plugins/site/adapters/cms/strapi.ts'
import type { CmsContent } from '../../plugins/site/testing.ts'
import {
  startContentful,
  startSanity,
  startStrapi,
  type CmsFields,
  type ContentServer,
} from '../helpers/content-servers.ts'
import { serve } from '../helpers/raw.ts'
import { draftOf } from '../helpers/site-kinds.ts'
import { toStored } from '../../plugins/content/carry.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import type { SeenRequest } from '../helpers/upstream.ts'
import { parseExactly } from '../../plugins/content/numbers.ts'
import { emptyList } from '../helpers/plain.ts'

const token = 'secret-token-of-the-cms'
const pageOf = (slug: string, title: string) => ({
  id: `p_${title}`,
  slug,
  title,
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [],
})
const home = pageOf('/', 'Home')
const faq = (slug: string) => ({
  ...pageOf(slug, `Page ${slug}`),
  blocks: [
    { id: `b${slug}`, type: 'FAQAccordion', props: { title: 'Questions', items: [{ q: 'One?', a: '1' }] } },
  ],
})
const context = { baseline: undefined, published: undefined, siteConfig: undefined, session: undefined }
const isWrite = ({ method, url }: SeenRequest): boolean => method !== 'GET' || /mutate/.test(url ?? '')
interface NamedFault {
  readonly slug: string | RegExp
  readonly reason: RegExp
}
interface Kind {
  readonly name: string
  readonly start: (t: Test, token: string) => Promise<ContentServer>
  readonly variables: (origin: string) => Readonly<Record<string, string>>
  readonly content: typeof sanityContent
  readonly missing: RegExp
}

const kinds: readonly Kind[] = [
  {
    name: 'Sanity',
    start: startSanity,
    content: sanityContent,
    missing: /SANITY_PROJECT_ID is not set/,
    variables: (origin) => ({ SANITY_PROJECT_ID: 'p', SANITY_API_TOKEN: token, SANITY_API_URL: origin }),
  },
  {
    name: 'Contentful',
    start: startContentful,
    content: contentfulContent,
    missing: /CONTENTFUL_SPACE_ID is not set/,
    variables: (origin) => ({
      CONTENTFUL_SPACE_ID: 's',
      CONTENTFUL_DELIVERY_TOKEN: token,
      CONTENTFUL_MANAGEMENT_TOKEN: token,
      CONTENTFUL_BASE_URL: origin,
      CONTENTFUL_MANAGEMENT_URL: origin,
    }),
  },
  {
    name: 'Strapi',
    start: startStrapi,
    content: strapiContent,
    missing: /STRAPI_URL is not set/,
    variables: (origin) => ({ STRAPI_URL: `${origin}/`, STRAPI_TOKEN: token }),
  },
]

for (const { name, start, content, variables, missing } of kinds) {
  const stored = (document: object) => (name === 'Sanity' ? JSON.stringify(document) : document)
  const opened = async (
    t: Test,
  ): Promise<CmsContent & { readonly server: ContentServer; readonly assetsDir: string }> => {
    const server = await start(t, token)
    const assetsDir = join(temporaryFolder(t), 'images')
    return { ...content(variables(server.origin), { assetsDir }), server, assetsDir }
  }

  t.test(`${name}: the contract of adapters`, (t) =>
    contentAdapterContract(t, async (t, { pages, siteConfig }) => {
      const { adapter, server } = await opened(t)
      const add = (key: string, position: number, document: object) =>
        server.published.set(key, { key, title: key, position, document: stored(document) })
      for (const [at, page] of pages.entries()) add(`page:${page.slug}`, at, page)
      if (siteConfig) add('site-config', -1, siteConfig)
      return { adapter, breakSource: () => server.fail(500) }
    }),
  )

  t.test(`${name}: published content is read back in order, and only changes are written`, async (t) => {
    const { adapter, publish, server } = await opened(t)
    t.same(await adapter.readContent(), { pages: [] })
    const pages = [home, pageOf('/b', 'B'), pageOf('/a', 'A')]
    t.same(await publish({ pages, siteConfig: { name: 'Acme' } }, context), {
      ok: true,
      slugs: ['/', '/b', '/a'],
    })
    t.same(await adapter.readContent(), { pages, siteConfig: { name: 'Acme' } })

    const writes = (): number => server.seen.filter(isWrite).length
    const before = writes()
    await publish({ pages }, context)
    t.equal(writes(), before, 'nothing is written without changes')
    const changed = [home, pageOf('/b', 'B again')]
    t.match(await publish({ pages: changed }, context), { ok: true })
    t.same(await adapter.readContent(), { pages: changed, siteConfig: { name: 'Acme' } }, 'settings stay')
    t.equal(server.published.size, 3)
  })

  t.test(
    `${name}: sent files are written, and a name that points outside the folder is refused`,
    async (t) => {
      const { publish, assetsDir, server } = await opened(t)
      const asset = (fileName: string) => ({
        'http://draft/x.png': { data: 'aGVsbG8=', mimeType: 'image/png', fileName },
      })
      t.match(await publish({ pages: [home], assets: asset('../x.png') }, context), {
        ok: false,
        error: 'asset_refused',
        slugs: emptyList,
      })
      t.equal(server.published.size, 0)
      t.match(await publish({ pages: [home], assets: asset('x.png') }, context), { ok: true })
      t.ok(existsSync(join(assetsDir, 'x.png')))
    },
  )

  t.test(`${name}: a publish of one word writes one document, and no ids of rows`, async (t) => {
    const { adapter, publish, server } = await opened(t)
    const pages = ['/', '/a', '/b'].map(faq)
    await publish({ pages: toStored(pages) }, context)
    const site = createSiteEditor({ adapter, publish, logger: capturedLog().log })
    t.teardown(() => site.close())
    const origin = await serve(t, (request, response) => void site.node(request, response))
    const edit = await draftOf(t, origin)
    const before = [...server.published.values()].map((fields) => fields?.['document'])
    await edit.ops([{ op: 'rename_page', pageSlug: '/a', newTitle: 'Other' }])
    t.match((await edit.send('/publish', {})).json(), { status: 'ready' })
    const after = [...server.published.values()].map((fields) => fields?.['document'])
    t.strictSame([after[0], after[2]], [before[0], before[2]], 'other documents are as they were')
    const { pages: now } = await adapter.readContent()
    t.equal(now[1]?.title, 'Other')
    t.strictSame(now[1]?.blocks, pages[1]?.blocks, 'rows have no ids, as before')
  })

  t.test(`${name}: failures have a sentence with the remedy, and never the token`, async (t) => {
    const { adapter, publish, server } = await opened(t)
    await t.rejects(async () => content({}).adapter.readContent(), missing)
    const wrong = content({
      ...variables(server.origin),
      SANITY_API_TOKEN: 'guess',
      CONTENTFUL_DELIVERY_TOKEN: 'guess',
      STRAPI_TOKEN: 'guess',
    })
    await t.rejects(wrong.adapter.readContent(), {
      message: new RegExp(`^${name} answered 401: .*no such token.*Check the token`),
    })
    server.fail(500)
    t.match(await publish({ pages: [home] }, context), {
      ok: false,
      error: 'write_failed',
      reason: `${name} answered 500: <p>try later</p>.`,
    })
    server.fail(200)
    await t.rejects(adapter.readContent(), {
      message: `${name} answered something that is not JSON; check its address.`,
    })
    server.fail(429, 1, { 'retry-after': '0.01' })
    t.same(await adapter.readContent(), { pages: [] }, 'a rate-limited request is repeated')
    for (const status of [502, 503, 504, 'broken'] as const) {
      server.fail(status, 2, { 'retry-after': '0.01' })
      t.same(await adapter.readContent(), { pages: [] }, `a read is repeated after ${status}`)
    }
    server.fail(503, 9, { 'retry-after': '0' })
    const sent = server.seen.length
    await t.rejects(adapter.readContent(), { message: `${name} answered 503: <p>try later</p>.` })
    t.equal(server.seen.length - sent, 4, 'at most three times')
    server.fail(0, 0)
    await t.rejects(content(variables('http://127.0.0.1:1')).adapter.readContent(), {
      message: `${name} cannot be reached; check its address and try again.`,
    })
    await publish({ pages: [home] }, context)
    const [[id, fields] = ['', null]] = server.published
    server.published.set(id, { ...fields, document: stored({ slug: 5 }) })
    const { unreadable = [] } = await adapter.readContent()
    t.match(unreadable, [{ slug: '/', raw: { slug: 5 } }])
    await publish({ pages: toStored([...unreadable.map(({ raw }) => raw), pageOf('/b', 'B')]) }, context)
    t.match(await adapter.readContent(), { pages: [pageOf('/b', 'B')], unreadable }, 'it is stored as it was')
    t.match([server.published.size, server.published.get(id)], [2, { key: fields?.['key'] }])
    const bad = { ...pageOf('/', 'Home'), blocks: [{ id: 'b', type: null, props: {} }] }
    const second = pageOf('/', 'Second')
    const documents = [bad, second].map(stored)
    const before = [...server.published]
    before.forEach(([each, own], at) => server.published.set(each, { ...own, document: documents[at] }))
    await publish({ pages: toStored([bad, second, pageOf('/c', 'C')]) }, context)
    t.match(await adapter.readContent(), {
      pages: [{ slug: '/', blocks: [{ id: 'b', type: 'locked' }] }, { slug: '/c' }],
      unreadable: [{ slug: '/', repeated: true, raw: second }],
    })
  })

  t.test('an entry of a CMS that cannot be read costs itself, and only its name deletes it', (t) =>
    t.test(name, async (t) => {
      const { adapter, publish, server } = await opened(t)
      const log = capturedLog()
      const site = createSiteEditor({ adapter, publish, logger: log.log })
      t.teardown(() => site.close())
      const origin = await serve(t, (request, response) => void site.node(request, response))
      const entry = (slug: string, position: number) => ({
        key: `page:${slug}`,
        title: `Page ${slug}`,
        position,
        document: stored(pageOf(slug, `Page ${slug}`)),
      })
      const broken = name === 'Sanity' ? '{"slug": "/two",' : 'words'
      const faults: readonly (readonly [CmsFields | null, NamedFault])[] = [
        [
          { ...entry('/none', 1), document: null },
          { slug: '/none', reason: /has no document/ },
        ],
        [
          { ...entry('/text', 1), document: broken },
          { slug: '/text', reason: /is not a JSON object/ },
        ],
        [
          { ...entry('/list', 1), document: stored([]) },
          { slug: '/list', reason: /is not a JSON object/ },
        ],
        [
          { ...entry('/key', 1), key: null },
          { slug: 'pages[4]', reason: /has no key/ },
        ],
        [
          { ...entry('/kind', 1), key: 7 },
          { slug: 'pages[5]', reason: /has no key/ },
        ],
        [
          { key: 'site-config', document: broken },
          { slug: 'site-config', reason: /is not a JSON object/ },
        ],
        [null, { slug: 'pages[9]', reason: /has no key/ }],
        [
          { ...entry('/page', 1), document: stored({ slug: 5 }) },
          { slug: '/page', reason: /id is missing/ },
        ],
      ]
      const sides = ['/', ...faults.keys(), '/last'].map((slug) => pageOf(String(slug), `Page ${slug}`))
      await publish({ pages: sides }, context)
      const ids = [...server.published.keys()]
      const all = [entry('/', 0), ...faults.map(([fault]) => fault), entry('/last', 2)]
      all.forEach((each, at) => server.published.set(ids[at] ?? '', each))

      const edit = await draftOf(t, origin)
      const listed = faults.map(([, each]) => each)
      t.match((await edit.get('/draft/slugs')).json(), { slugs: ['/', '/last'], unreadable: listed })
      await edit.ops([{ op: 'rename_page', pageSlug: '/', newTitle: 'Edited' }])
      t.equal((await edit.ops([{ op: 'update_site_config', patch: { name: 'Acme' } }])).status, 200)
      const sent = server.seen.length
      t.match((await edit.send('/publish', {})).json(), {
        status: 'ready',
        notes: [/settings were not stored/],
      })
      const now = () => ids.map((id) => server.published.get(id))
      t.strictSame(now().slice(1), all.slice(1), 'they and the other page stay')
      t.match(now()[0], { title: 'Edited' })
      const writes = server.seen.slice(sent).filter(isWrite)
      t.notMatch(writes.map(({ url, body }) => `${url} ${body}`).join(), new RegExp(ids.slice(1).join('|')))

      const create = { op: 'create_page', page: { slug: '/none', title: 'New' } }
      t.match((await edit.ops([create])).json(), { code: 'slug_unreadable' })
      t.match(await publish({ pages: [pageOf('/none', 'New')] }, context), {
        ok: false,
        reason: /has an entry for \/none that cannot be read: its entry has no document\. Correct it in/,
      })
      t.strictSame(now().slice(1), all.slice(1))
      t.match((await edit.send('/publish', { remove: ['/text'] })).json(), { status: 'ready' })
      t.strictSame(now().slice(1), [all[1], undefined, ...all.slice(3)], 'its name deletes one')
    }),
  )

  t.test(`${name}: an entry without position or title is a page, and stays so`, async (t) => {
    const { adapter, publish, server } = await opened(t)
    const pages = ['/', '/two', '/three'].map((slug) => pageOf(slug, `Page ${slug}`))
    await publish({ pages }, context)
    const [id = ''] = [...server.published.keys()].slice(2)
    for (const part of ['position', 'title', 'both'])
      for (const value of [null, undefined, 'words']) {
        const lacking = Object.fromEntries(['position', 'title'].map((each) => [each, value]))
        const own = part === 'title' && value === 'words' ? {} : part === 'both' ? lacking : { [part]: value }
        server.published.set(id, { ...server.published.get(id), position: 2, title: 'Page /three', ...own })
        const before = { ...server.published.get(id) }
        const { pages: read, unreadable } = await adapter.readContent()
        t.same([read.map(({ slug }) => slug), unreadable], [['/', '/two', '/three'], undefined], part)
        const edited = read.map((page) => (page.slug === '/' ? { ...page, title: `${part} ${value}` } : page))
        t.match(await publish({ pages: edited }, context), { ok: true })
        t.strictSame(server.published.get(id), before, `${part} ${value}: it is not written`)
      }
    const [home, two, three] = (await adapter.readContent()).pages
    const moved = [three, home, pageOf('/new', 'New'), two].filter((page) => page !== undefined)
    t.match(await publish({ pages: moved }, context), { ok: true })
    t.same((await adapter.readContent()).pages, moved, 'a new order gives them positions')
  })
}

t.test('numbers in documents of a CMS stay as they are, and write nothing by themselves', async (t) => {
  const server = await startStrapi(t, token)
  const { adapter, publish } = strapiContent({ STRAPI_URL: server.origin, STRAPI_TOKEN: token })
  const large: unknown = parseExactly('{"id":12345678901234567890}')
  const [id, reference] = [12, { reference: large }]
  const block = { id: 1818, type: 'RichText', props: { title: 'Text', ...reference } }
  const documents = ['/', '/a'].map((slug) => ({ ...pageOf(slug, slug), id, updatedAt: 5, blocks: [block] }))
  documents.forEach((document, position) =>
    server.published.set(`d${position}`, { key: `page:${document.slug}`, title: 'T', position, document }),
  )
  const site = createSiteEditor({ adapter, publish, logger: capturedLog().log })
  t.teardown(() => site.close())
  const edit = await draftOf(t, await serve(t, (request, response) => void site.node(request, response)))
  await edit.ops([{ op: 'rename_page', pageSlug: '/a', newTitle: 'Other' }])
  t.match((await edit.send('/publish', {})).json(), { status: 'ready' })
  const writes = server.seen.filter(isWrite).map(({ url, body }) => `${url} ${body}`)
  t.match(writes, [/d1.*"id":12,.*"updatedAt":\d+,.*"id":1818,.*"id":12345678901234567890/])
  t.equal(writes.length, 1, 'the other page is not written')
})
