import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { eventsIn } from '../helpers/stack.ts'
import { enterDraft, post, secrets, type HostSite } from './start-site.ts'

const token = { 'x-access-token': secrets.ORCHESTRATOR_ACCESS_TOKEN }
const query = new URLSearchParams({ siteId: 'acme', session: 'dev' })
/** More streams than a caller may have open, and how many of them are opened concurrently. */
const [manyStreams, atOnce] = [1050, 50]

/** The behaviour of a website with a mounted orchestrator, for any framework. */
export async function scenario(
  t: Test,
  site: HostSite,
  { exitCode = 0 }: { readonly exitCode?: number } = {},
): Promise<void> {
  const { origin } = site
  const send = (path: string, body: object, headers?: Readonly<Record<string, string>>) =>
    post(origin, path, body, headers)
  const setProps = (blockId: string, patch: object, headers?: Readonly<Record<string, string>>) =>
    send('/ops', { ops: [{ op: 'update_props', pageSlug: '/', blockId, patch }] }, headers)
  const listen = (
    headers: Readonly<Record<string, string>> = {},
    search = `${query}&accessToken=${token['x-access-token']}`,
  ): Promise<Response> =>
    fetch(`${origin}/api/orchestrator/events?${search}`, { headers, signal: AbortSignal.timeout(10_000) })
  /** The text of a page, without white space and comments between words. */
  const look = async (path = '/', cookie?: string): Promise<string> => {
    const answer = await fetch(`${origin}${path}`, { headers: cookie === undefined ? {} : { cookie } })
    t.match(answer.headers.get('content-type'), 'text/html')
    return answer.text()
  }

  await t.test('a visitor sees the published content, at any address', async (t) => {
    for (const path of ['/', '/?__editor=1', `/?__editor=1&${query}`])
      t.match(await look(path), 'Tools that last', path)
    t.match(await look('/about'), 'Five people and a dog.')
    t.equal((await fetch(`${origin}/nothing-here`)).status, 404)
  })

  await t.test('an edit requires a token', async (t) => {
    for (const headers of [{}, { 'x-access-token': 'a-guess' }]) {
      const answer = await setProps('b_hero', { heading: 'By a stranger' }, headers)
      t.equal(answer.status, 401)
      t.match(await answer.json(), { error: 'unauthorized' })
    }
    t.equal((await listen({}, String(query))).status, 401)
  })

  const framing = async (cookie: string): Promise<string> => {
    const { headers } = await fetch(origin, { headers: { cookie } })
    return `${headers.get('content-security-policy')} ${headers.get('referrer-policy')}`
  }
  let cookie = ''
  await t.test('a visitor with the secret enters the draft', async (t) => {
    t.equal((await fetch(`${origin}/api/editor/draft?secret=a-guess&redirect=/`)).status, 401)
    cookie = await enterDraft(origin)
    t.match(cookie, /editor_draft=/)
    t.match(await framing(cookie), /frame-ancestors 'self'.* no-referrer$/, 'only editors may frame it')
  })

  await t.test('an edit appears in the draft and in open event streams', async (t) => {
    const streams = await Promise.all([listen(), listen({ cookie }, String(query))])
    const events = streams.map(eventsIn)
    for (const [at, { next, take }] of events.entries()) {
      t.match(streams[at]?.headers.get('content-type'), 'text/event-stream')
      t.match(await next(), { retry: Number })
      t.match(await take(1), [{ data: { type: 'hello' } }])
    }
    const answer = await setProps('b_hero', { heading: 'Tools <that> last' })
    t.equal(answer.status, 200, await answer.text())
    for (const { take, close } of events) {
      t.match(await take(1), [{ data: { type: 'draft', slugs: ['/'] } }])
      await close()
    }
    t.match(
      await look('/', cookie),
      /<section [^>]*data-block-id="b_hero"[^>]*>.*Tools &(?:#60|lt);that(?:&(?:#62|gt);|>) last/,
    )
    t.match(await look(), 'Tools that last')
  })

  await t.test('an edit is undone and redone', async (t) => {
    t.match(await (await send('/history/undo', { slug: '/' })).json(), { status: 'applied' })
    t.match(await look('/', cookie), 'Tools that last')
    t.match(await (await send('/history/redo', { slug: '/' })).json(), { status: 'applied' })
    t.notMatch(await look('/', cookie), 'Tools that last')
  })

  await t.test('a long text arrives completely', async (t) => {
    const body = 'A good tool is handed on. '.repeat(800)
    t.ok(body.length > 20_000)
    t.equal((await setProps('b_text', { body })).status, 200)
    t.match(await look('/', cookie), body.trim())
    const headers = { 'content-type': 'application/json', 'x-publish-token': secrets.PUBLISH_TOKEN }
    const large = await fetch(`${origin}/api/editor/publish`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ pages: 'x'.repeat(3_000_000) }),
    })
    t.match(
      [large.status, await large.json()],
      [400, { reason: /pages must be an array/ }],
      'no framework limits its length',
    )
  })

  await t.test('the draft is published to the content of the site', async (t) => {
    const publishToken = { 'x-publish-token': secrets.PUBLISH_TOKEN }
    t.equal((await send('/publish', { siteOrigin: origin })).status, 401)
    t.equal((await send('/publish', { siteOrigin: origin }, publishToken)).status, 401)
    const elsewhere = await send(
      '/publish',
      { siteOrigin: 'http://127.0.0.1:1' },
      { ...token, ...publishToken },
    )
    t.match([elsewhere.status, await elsewhere.json()], [400, { code: 'site_origin_not_allowed' }])
    t.match(await look(), 'Tools that last')
    const published = await send('/publish', { siteOrigin: origin }, { ...token, ...publishToken })
    t.match([published.status, await published.json()], [200, { status: 'ready', slugs: ['/', '/about'] }])
    t.notMatch(await look(), 'Tools that last')
    t.match(await (await fetch(`${origin}/api/editor/pages`)).json(), {
      pages: [{ blocks: [{ props: { heading: 'Tools <that> last' } }] }],
    })
  })

  await t.test('without the address of a site, the adapter writes the content', async (t) => {
    t.equal((await setProps('b_hero', { heading: 'Straight into the file' })).status, 200)
    const published = await send('/publish', {}, { ...token, 'x-publish-token': secrets.PUBLISH_TOKEN })
    t.match([published.status, await published.json()], [200, { status: 'ready' }])
    t.match(await look(), 'Straight into the file')
  })

  await t.test('a former address leads to the page, also with a query', async (t) => {
    const rename = (pageSlug: string, newPageSlug: string) =>
      send('/ops', { ops: [{ op: 'rename_page', pageSlug, newPageSlug }] })
    const publish = async () => {
      const answer = await send(
        '/publish',
        { siteOrigin: origin },
        { ...token, 'x-publish-token': secrets.PUBLISH_TOKEN },
      )
      t.match([answer.status, await answer.json()], [200, { status: 'ready' }])
    }
    t.equal((await rename('/about', '/who-we-are')).status, 200)
    t.equal(
      (await fetch(`${origin}/about`, { redirect: 'manual' })).status,
      200,
      'not before it is published',
    )
    await publish()
    const moved = await fetch(`${origin}/about?from=mail`, { redirect: 'manual' })
    t.equal(moved.status, 308)
    t.equal(new URL(moved.headers.get('location') ?? '', origin).href, `${origin}/who-we-are?from=mail`)
    t.match(await look('/about'), 'Five people and a dog.', 'and it is followed')
    t.equal((await rename('/who-we-are', '/about')).status, 200)
    await publish()
    t.equal((await fetch(`${origin}/about`, { redirect: 'manual' })).status, 200)
    t.match(await look('/who-we-are'), 'Five people and a dog.')
  })

  const moveTo = async (pageSlug: string, newPageSlug: string): Promise<void> => {
    const renamed = await send('/ops', { ops: [{ op: 'rename_page', pageSlug, newPageSlug }] })
    t.equal(renamed.status, 200, `${pageSlug} to ${newPageSlug}`)
    const tokens = { ...token, 'x-publish-token': secrets.PUBLISH_TOKEN }
    t.match(await (await send('/publish', { siteOrigin: origin }, tokens)).json(), { status: 'ready' })
  }

  await t.test('a page has an address in any script, in every spelling', async (t) => {
    const moves = [
      ['/about', '/über-が日本'],
      ['/über-が日本', '/日本'],
      ['/日本', '/über-uns/ñ'],
      ['/über-uns/ñ', '/about'],
    ] as const
    for (const [from, to] of moves) {
      await moveTo(from, to)
      for (const former of new Set([from, from.normalize('NFD')])) {
        const moved = await fetch(`${origin}${encodeURI(former)}?from=mail`, { redirect: 'manual' })
        t.equal(moved.status, 308, former)
        const location = moved.headers.get('location') ?? ''
        t.match(location, /^[\x21-\x7e]+$/, `encoded: ${location}`)
        t.equal(new URL(location, origin).href, `${origin}${encodeURI(to)}?from=mail`)
      }
      for (const path of [to, to.normalize('NFD')].map(encodeURI))
        for (const spelling of [path, path.toLowerCase()])
          t.match(await look(spelling), 'Five people and a dog.', spelling)
    }
    t.match(await look(encodeURI('/über-が日本')), 'Five people and a dog.', 'and it is led back')
  })

  await t.test('an address at which a draft may have a page is served, and others are refused', async (t) => {
    let slug = '/about'
    for (const next of ['/about.html', '/feed.json', '/~team/v1.2', '/_private', '/about']) {
      await moveTo(slug, next)
      slug = next
      t.match(await look(slug), 'Five people and a dog.', slug)
    }
    const refused = ['/robots.txt', '/Sitemap-1.xml', '/index', '/404', '/_next/x', '/_astro/x', '/api/x']
    for (const newPageSlug of refused) {
      const answer = await send('/ops', { ops: [{ op: 'rename_page', pageSlug: '/about', newPageSlug }] })
      t.match([answer.status, await answer.json()], [400, { reason: /choose another slug/ }], newPageSlug)
    }
  })

  await t.test('a visitor who leaves the draft sees the published content', async (t) => {
    t.equal((await setProps('b_hero', { heading: 'Not yet' })).status, 200)
    t.match(await look('/', cookie), 'Not yet')
    const left = await fetch(`${origin}/api/editor/draft/disable`, {
      headers: { cookie },
      redirect: 'manual',
    })
    t.equal(left.status, 307)
    const ended = left.headers.getSetCookie()
    t.ok(ended.length > 0 && ended.every((line) => /=; Max-Age=0/.test(line)), `${ended}`)
    t.notMatch(await look('/'), 'Not yet')
  })

  await t.test('an unknown path is reported, and HEAD has no body', async (t) => {
    const unknown = await fetch(`${origin}/api/orchestrator/nope`)
    t.match(
      [unknown.status, await unknown.json()],
      [405, { error: 'Method GET /nope not handled by the mount' }],
    )
    for (const path of ['/', '/api/orchestrator/health', '/api/editor/blocks']) {
      const head = await fetch(`${origin}${path}`, { method: 'HEAD' })
      t.match([head.status, await head.text()], [200, ''], path)
    }
    const preflight = { origin, 'access-control-request-method': 'POST' }
    const allowed = await fetch(`${origin}/api/orchestrator/ops`, { method: 'OPTIONS', headers: preflight })
    t.equal(allowed.headers.get('access-control-allow-origin'), origin)
  })

  await t.test('a closed stream no longer counts against the limit', async (t) => {
    const answers = new Set<string>()
    for (let opened = 0; opened < manyStreams; opened += atOnce) {
      const some = await Promise.all(Array.from({ length: atOnce }, () => openAndLeave(origin)))
      for (const answer of some) answers.add(answer)
    }
    t.strictSame([...answers], ['HTTP/1.1 200 OK'])
  })

  await t.test('it stops on a signal, and closes its store', async (t) => {
    const { next, rest } = eventsIn(await listen())
    t.match(await next(), { retry: Number })
    const [code, last] = await Promise.all([site.stop(), rest()])
    t.match(last.at(-1), { retry: Number }, 'streams end with a retry delay')
    t.equal(code, exitCode)
    t.ok(existsSync(join(site.dataDir, 'orchestrator.db')))
    t.notOk(existsSync(join(site.dataDir, 'orchestrator.db-wal')), 'the store was closed')
  })
}

/** Opens a stream, disconnects after the response headers, and returns the status line. */
async function openAndLeave(origin: string): Promise<string> {
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /api/orchestrator/events?${query}&accessToken=${token['x-access-token']} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  )
  const [bytes]: Buffer[] = await once(socket, 'data')
  socket.destroy()
  return String(bytes).split('\r\n', 1).join()
}
