import t from 'tap'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { createLogger } from '../../kernel/index.ts'
import { sitePages } from '../../plugins/site/adapters/pages.ts'
import { startSite } from '../helpers/upstream.ts'

const updatedAt = '2026-01-01T12:00:00.000Z'
const page = (slug: string) => ({
  id: `p_${slug}`,
  slug,
  title: 'A page',
  updatedAt,
  blocks: [],
  theme: 'kept',
})
const content = {
  pages: [page('/'), page('/über')],
  siteConfig: { name: 'Bakery', previewUrl: 'https://bakery.example' },
}

t.test('it reads the complete answer of the editor routes of a site', async (t) => {
  const editor = createSiteEditor({
    adapter: { readContent: async () => content },
    siteId: 'bakery',
    logger: createLogger({ level: 'silent' }),
  })
  t.teardown(() => editor.close())
  const site = await startSite(t, (request, response) => void editor.node(request, response))
  t.strictSame(await sitePages(site.origin).readContent(), content)
  t.strictSame(await sitePages(`${site.origin}/`, { siteId: 'bakery' }).readContent(), content)
  t.strictSame(await sitePages(site.origin, { siteId: ' Bakery ' }).readContent(), content)
  await t.rejects(sitePages(site.origin, { siteId: 'other one' }).readContent(), {
    message: /: it is the site 'bakery', not 'other one'\.$/,
  })
  t.same(
    site.seen.map(({ url }) => url),
    [
      '/api/editor/pages',
      '/api/editor/pages?siteId=bakery',
      '/api/editor/pages?siteId=+Bakery+',
      '/api/editor/pages?siteId=other+one',
    ],
  )
  t.notOk('writeContent' in sitePages(site.origin), 'it does not write')
})

t.test('a website that knows its routes with a slash at the end only is read, too', async (t) => {
  const site = await startSite(t, ({ url = '' }, response) => {
    response.writeHead(/\/(?:\?|$)/.test(url) ? 200 : 404).end(JSON.stringify(content))
  })
  const { readContent } = sitePages(site.origin, { siteId: 'bakery' })
  for (const _ of ['first', 'again']) t.match(await readContent(), { pages: content.pages })
  t.strictSame(
    site.seen.map(({ url }) => url),
    ['', '/', '/'].map((slash) => `/api/editor/pages${slash}?siteId=bakery`),
  )
})

t.test('another base path and a plain array of pages are accepted', async (t) => {
  const site = await startSite(t, (_, response) => response.end(JSON.stringify(content.pages)))
  t.strictSame(await sitePages(site.origin, { basePath: '/edit' }).readContent(), { pages: content.pages })
  t.equal(site.seen[0]?.url, '/edit/pages')
})

t.test('a response that is not site content is an error with address and reason', async (t) => {
  const answers: Readonly<Record<string, readonly [status: number, body: string | Buffer]>> = {
    '/closed': [503, '{"error":"content_unavailable"}'],
    '/markup': [200, '<!doctype html>'],
    '/empty': [200, ''],
    '/null': [200, 'null'],
    '/latin': [200, Buffer.from('[{"id":"caf\xe9"}]', 'latin1')],
  }
  const site = await startSite(t, (request, response) => {
    const [status, body] = answers[(request.url ?? '').replace(/\/pages$/, '')] ?? [200, '[]']
    // One of them never ends.
    if (request.url !== '/slow/pages') response.writeHead(status).end(body)
    else response.writeHead(200).write('[')
  })
  const fails = (basePath: string, why: RegExp, options = {}) => {
    const message = new RegExp(
      `^The pages of the site cannot be read from ${site.origin}${basePath}/pages: .*${why.source}`,
    )
    return t.rejects(sitePages(site.origin, { basePath, ...options }).readContent(), { message }, basePath)
  }
  await fails('/closed', /it answered 503\.$/)
  await fails('/markup', /that is not JSON\.$/)
  await fails('/empty', /that is not JSON\.$/)
  await fails('/null', /must be an object|content/i)
  await fails('/latin', /not valid/)
  await fails('/slow', /it took too long\.$/, { timeoutMs: 50 })
  const offline = sitePages('http://127.0.0.1:1')
  await t.rejects(offline.readContent(), {
    message: /from http:\/\/127\.0\.0\.1:1\/api\/editor\/pages: it cannot be reached\.$/,
  })
  for (const origin of ['', 'example.com', 'ftp://example.com', 'file:///etc'])
    t.throws(() => sitePages(origin), { name: 'TypeError', message: /is not the address of a site/ }, origin)
})
