import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { Refusal, systemClock, withLoopbackTwin } from '../../../kernel/index.ts'
import { capturedLog } from '../../../kernel/testing.ts'
import { outbound } from '../../../plugins/outbound/port.ts'
import { createOutbound } from '../../../plugins/outbound/testing.ts'
import {
  NoBrowser,
  createCamera,
  type CameraOptions,
  type PageToCapture,
  createScreenshot,
} from '../../../plugins/preview/testing.ts'
import { draftAccess } from '../../../plugins/site/testing.ts'
import { scope } from '../../../plugins/scope/port.ts'
import { sites } from '../../../plugins/sites/port.ts'
import { chromium, inBrowser } from '../../helpers/chromium.ts'
import { fakeBrowser, type PageRequest } from '../../helpers/fake-browser.ts'
import { refused, startStack, temporaryFolder } from '../../helpers/stack.ts'
import { startSite } from '../../helpers/upstream.ts'

const signal = new AbortController().signal

/** A target as `toTarget` makes it for a draft. */
const draftOf = (origin: string, path = '/preview-draft'): PageToCapture => ({
  origin,
  tries: [path, '/'].map((each) => ({
    url: new URL(`${each}?secret=s`, origin),
    pageInfo: { url: `${origin}${each}`, mode: 'draft' },
  })),
})

function openCamera(t: Test, start: CameraOptions['start'], options: Partial<CameraOptions> = {}) {
  const outbound = createOutbound({ allowedOrigins: [] })
  const { log, lines } = capturedLog()
  const limits = { maxAtOnce: 2, maxWaiting: 1, timeoutMs: 5000, maxBytes: 10_000, idleMs: 60_000 }
  const camera = createCamera({ start, outbound, log, ...limits, ...options })
  t.teardown(async () => {
    await camera.close()
    await outbound.close()
  })
  const take = (origin: string, path?: string, caller = signal) => camera.take(draftOf(origin, path), caller)
  return {
    camera,
    lines,
    take,
    /** The refusal of a page that cannot be shown. */
    async refusal(origin: string, path?: string): Promise<Refusal> {
      const error = await take(origin, path).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      if (!(error instanceof Refusal)) throw new Error('no refusal', { cause: error })
      return error
    },
  }
}

/** A website that answers every request with a word. */
const startPage = (t: Test) => startSite(t, (_, response) => void response.end('page'))

t.test('all requests of a page go through the outbound guard', async (t) => {
  const secret = await startSite(t, (_, response) => void response.end('a secret of the network'))
  const site = await startSite(t, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x')
    if (pathname === '/out') return void response.writeHead(302, { location: `${secret.origin}/out` }).end()
    if (pathname === '/moved.png') return void response.writeHead(302, { location: '/here.png' }).end()
    if (pathname === '/round') return void response.writeHead(302, { location: '/round' }).end()
    response
      .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=1', 'x-kept': 'yes' })
      .end(pathname)
  })
  const referer = `${site.origin}/?secret=s`
  const sent = { accept: 'image/png', cookie: 'b=2', referer, origin: site.origin }
  const requests: readonly PageRequest[] = [
    { url: `${site.origin}/moved.png`, headers: sent },
    { url: `${site.origin}/out` },
    { url: `${site.origin}/round` },
    { url: `${secret.origin}/direct` },
    { url: 'http://169.254.169.254/latest/meta-data' },
    { url: 'file:///etc/passwd', isNavigation: true },
    { url: 'http://[bad' },
    { url: `${site.origin}/post`, method: 'POST' },
    { url: `${site.origin}/events`, type: 'eventsource' },
    { url: `${site.origin}/moved.png?in=frame`, isNavigation: true, type: 'document' },
  ]
  const fake = fakeBrowser({ requests })
  const { take } = openCamera(t, async () => fake.browser)
  t.strictSame(await take(site.origin), {
    pageInfo: { url: `${site.origin}/preview-draft`, mode: 'draft' },
    jpeg: Buffer.from('a picture').toString('base64'),
    width: 1440,
    height: 2000,
  })
  const page = { status: 200, body: '/preview-draft', headers: { 'x-kept': 'yes', 'set-cookie': undefined } }
  const aborted = { aborted: 'failed' }
  t.match(Object.fromEntries(fake.outcomes), {
    [`GET ${site.origin}/preview-draft?secret=s`]: page,
    [`GET ${site.origin}/moved.png`]: { status: 200, body: '/here.png' },
    [`GET ${site.origin}/out`]: aborted,
    [`GET ${site.origin}/round`]: aborted,
    [`GET ${secret.origin}/direct`]: aborted,
    'GET http://169.254.169.254/latest/meta-data': aborted,
    'GET file:///etc/passwd': aborted,
    'GET http://[bad': aborted,
    [`POST ${site.origin}/post`]: { aborted: 'blockedbyclient' },
    [`GET ${site.origin}/events`]: { status: 204 },
    [`GET ${site.origin}/moved.png?in=frame`]: { status: 200 },
    'another page': { aborted: 'closed' },
  })
  t.strictSame(secret.seen, [], 'no request to the private network')
  const loads = site.seen.filter(({ url }) => url?.startsWith('/preview-draft'))
  t.equal(loads.length, 1, 'the page itself is loaded once')
  const image = site.seen.find(({ url }) => url === '/moved.png')
  t.match(image?.headers, { accept: 'image/png', origin: site.origin, cookie: undefined, referer: undefined })
  t.strictSame(fake.clips, [{ x: 0, y: 0, width: 1440, height: 2000, scale: 1 }])
})

t.test('the bytes that a page loads are limited', async (t) => {
  const { origin } = await startSite(t, ({ url }, response) => {
    response.end(url?.startsWith('/heavy') ? 'x'.repeat(6000) : 'page')
  })
  const heavy = [`${origin}/heavy/1`, `${origin}/heavy/2`]
  const fake = fakeBrowser({ requests: heavy.map((url) => ({ url })) })
  await openCamera(t, async () => fake.browser).take(origin)
  const outcomes = heavy.map((url) => fake.outcomes.get(`GET ${url}`))
  t.strictSame(outcomes.map((each) => each?.aborted ?? each?.status).toSorted(), [200, 'failed'])
})

t.test('a frame does not get the content of another origin through a redirect', async (t) => {
  const other = await startSite(t, (_, response) => void response.end('other'))
  const { origin } = await startSite(t, ({ url }, response) => {
    if (url === '/frame') response.writeHead(302, { location: other.origin })
    response.end('page')
  })
  const url = `${origin}/frame`
  const fake = fakeBrowser({ requests: [{ url, isNavigation: true, type: 'document' }] })
  const outbound = createOutbound({ allowedOrigins: [other.origin] })
  t.teardown(() => outbound.close())
  await openCamera(t, async () => fake.browser, { outbound }).take(origin, '/')
  t.strictSame(fake.outcomes.get(`GET ${url}`), { aborted: 'blockedbyclient' })
})

t.test('a site without a draft address shows drafts at the page itself', async (t) => {
  const { origin } = await startSite(t, ({ url }, response) => {
    response.writeHead(url?.startsWith('/preview-draft') ? 404 : 200).end('page')
  })
  const fake = fakeBrowser({ height: 1e6 })
  const { take } = openCamera(t, async () => fake.browser)
  t.match(await take(origin), { pageInfo: { url: `${origin}/`, mode: 'draft' } })
  t.match(fake.clips, [{ height: 16_384 }], 'an endless page is captured in part')
})

t.test('a page that cannot be shown is a refusal that names the address without the secret', async (t) => {
  const site = await startSite(t, ({ url }, response) => {
    if (url?.startsWith('/large')) return void response.end('x'.repeat(20_000))
    if (url?.startsWith('/away'))
      return void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
    if (url?.startsWith('/down')) return void response.destroy()
    if (url?.startsWith('/fine')) return void response.end('fine')
    response.writeHead(500).end('a secret of the site')
  })
  const never = () => new Promise(() => undefined)
  const timeoutMs = 300
  const slow = openCamera(t, async () => fakeBrowser({ opening: never }).browser, { timeoutMs })
  const incomplete = { incomplete: true, height: 2000 }
  t.match(await slow.take(site.origin, '/fine'), incomplete, 'a page that does not come to rest')

  const fake = fakeBrowser({ capturing: never })
  const { lines, refusal } = openCamera(t, async () => fake.browser, { timeoutMs })
  for (const [path, expected] of [
    ['/broken', { code: 'page_failed', reason: /answered 500/, url: `${site.origin}/broken`, mode: 'draft' }],
    ['/large', { code: 'page_too_large' }],
    ['/away', { code: 'page_failed', reason: /could not be opened/ }],
    ['/down', { code: 'page_failed' }],
    ['/fine', { code: 'page_not_idle', reason: /within 0\.3 s/ }],
  ] as const)
    t.match((await refusal(site.origin, path)).toBody(), expected, path)
  t.strictSame([fake.count.contexts, fake.count.closed], [1, 1], 'a page that hangs is closed')
  const failing = async () =>
    Promise.reject(new Error(`net::ERR_FAILED at ${site.origin}/?secret=s\nCall log:`))
  const other = openCamera(t, async () => fakeBrowser({ opening: failing }).browser)
  t.equal((await other.refusal(site.origin, '/fine')).code, 'page_failed')
  t.match(other.lines.join(), /net::ERR_FAILED at an address"/)
  t.notMatch([...lines, ...other.lines].join(), /secret=s/)
})

t.test('a caller that disconnects aborts the screenshot', async (t) => {
  const { origin } = await startPage(t)
  const caller = new AbortController()
  const leaving = fakeBrowser({ opening: async () => caller.abort() })
  const { take, lines } = openCamera(t, async () => leaving.browser)
  await t.rejects(take(origin, undefined, caller.signal), { name: 'AbortError' })
  t.strictSame(lines, [])
})

t.test('two screenshots run at once, a few are queued, and one more is rejected', async (t) => {
  const site = await startPage(t)
  const { promise: end, resolve: go } = Promise.withResolvers<void>()
  const { promise: busy, resolve: isBusy } = Promise.withResolvers<void>()
  let [open, most] = [0, 0]
  const opening = async (): Promise<void> => {
    most = Math.max(most, ++open)
    if (open === 2) isBusy()
    await end
    open--
  }
  let started = 0
  const fake = fakeBrowser({ opening })
  const { take, refusal } = openCamera(t, async () => (started++, fake.browser))
  const three = [1, 2, 3].map(() => take(site.origin))
  await busy
  const { status, headers } = await refusal(site.origin)
  t.strictSame([status, headers], [429, { 'retry-after': '10' }])
  go()
  await Promise.all(three)
  t.strictSame([most, started, fake.count.contexts, fake.count.closed], [2, 1, 3, 3], 'all in one browser')
})

t.test('a crashed browser is restarted, an idle one ends, and none is left after close', async (t) => {
  const site = await startPage(t)
  const fakes: ReturnType<typeof fakeBrowser>[] = []
  const start = async () => {
    const fake = fakeBrowser()
    fakes.push(fake)
    return fake.browser
  }
  const { camera, take, refusal } = openCamera(t, start)
  await take(site.origin)
  fakes[0]?.crash()
  await take(site.origin)
  t.equal(fakes.length, 2)
  await camera.close()
  t.strictSame(
    fakes.map(({ count }) => count.ended),
    [0, 1],
  )
  t.equal((await refusal(site.origin)).code, 'page_failed', 'no browser starts after close')

  const { promise: idle, resolve } = Promise.withResolvers<void>()
  const closing = async () => ({ ...fakeBrowser().browser, close: async () => resolve() })
  const holding = setTimeout(() => undefined, 5000)
  await openCamera(t, closing, { idleMs: 1 }).take(site.origin)
  await idle
  clearTimeout(holding)
})

t.test('without a browser the answer says what to install', async (t) => {
  const site = await startPage(t)
  for (const kind of ['library_missing', 'browser_missing', 'browser_failed'] as const) {
    const missing = new NoBrowser(kind, { cause: new Error('why') })
    const { refusal } = openCamera(t, async () => Promise.reject(missing))
    const reason = /npm install playwright-core|PREVIEW_BROWSER|PREVIEW_SANDBOX/
    for (const time of ['at first', 'on the next request']) {
      const refused = await refusal(site.origin)
      const url = `${site.origin}/preview-draft`
      t.match([refused.status, refused.toBody()], [503, { code: kind, reason, url }], time)
    }
    t.strictSame(site.seen, [], 'the page is not fetched in vain')
  }
})

t.test('a program that is not a browser gets no variables, and is reported as failing', async (t) => {
  const folder = temporaryFolder(t)
  const program = join(folder, 'browser')
  await writeFile(program, `#!/bin/sh\nenv > ${folder}/env\nexit 1\n`)
  await chmod(program, 0o755)
  const site = await startPage(t)
  process.env['A_KEY_OF_THE_TEST'] = 'a-secret-key'
  t.teardown(() => delete process.env['A_KEY_OF_THE_TEST'])
  const env = {
    PREVIEW_BROWSER: program,
    DRAFT_MODE_SECRET: 'a-secret-of-drafts',
    FETCH_ALLOWED_ORIGINS: site.origin,
  }
  const { ask } = await startStack(t, { env })
  const json = { previewUrl: site.origin }
  const answer = await ask({ method: 'POST', url: '/preview/screenshot', json })
  t.match(refused(answer), { status: 503, code: 'browser_failed', reason: /PREVIEW_SANDBOX/ })
  t.notMatch(await readFile(join(folder, 'env'), 'utf8'), /secret/)
  t.strictSame(site.seen, [])
})

t.test('a page learns nothing lasting, and a restless one is captured', inBrowser, async (t) => {
  const learned = Promise.withResolvers<URL>()
  const site = await startSite(t, ({ url = '' }, response) => {
    if (url.startsWith('/never')) return
    if (url.startsWith('/away'))
      learned.resolve(new URL(new URL(url, 'http://x').searchParams.get('at') ?? ''))
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        '<body style="margin:0;height:2345px"><script>fetch("/never");fetch("/away?at=" + encodeURIComponent(location))</script>',
      )
  })
  const secret = 'a-secret-of-drafts'
  const env = {
    PREVIEW_BROWSER: chromium ?? '',
    PREVIEW_SANDBOX: 'off',
    DRAFT_MODE_SECRET: secret,
    FETCH_ALLOWED_ORIGINS: site.origin,
  }
  const { ask } = await startStack(t, { env, plugins: [['preview', { timeoutMs: 5_000 }]] })
  const json = { siteId: 'acme', session: 'review', previewUrl: site.origin }
  const answer = await ask({ method: 'POST', url: '/preview/screenshot', json })
  const size = { width: 1440, height: 2345 }
  t.match(answer.json(), { ...size, incomplete: true })
  const { base64 } = Object(answer.json())
  t.match(await sharp(Buffer.from(base64, 'base64')).metadata(), size)
  const { search } = await learned.promise
  t.notMatch(search, secret)
  const access = (more: object = {}) => draftAccess({ cookie: undefined, search }, { secret, ...more })
  t.strictSame(access(), { siteId: 'acme', session: 'review' })
  t.equal(access({ siteId: 'other' }), undefined)
  const clock = { now: () => new Date(Date.now() + 61 * 60 * 1000) }
  t.equal(access({ clock }), undefined, 'an hour later')
})

t.test('only known sites are opened, and only configured ones get a signed access', async (t) => {
  const [listed, own, other] = [await startPage(t), await startPage(t), await startPage(t)]
  const settings = {
    FETCH_ALLOWED_ORIGINS: listed.origin,
    DRAFT_MODE_SECRET: 'a-secret-of-drafts',
    PREVIEW_BROWSER: '/none/chromium',
  }
  const { ask, get } = await startStack(t, { env: settings })
  const post = (url: string, json: object, asking = ask) =>
    asking({ method: 'POST', url, json: { session: 'dev', siteId: 'acme', ...json } })
  const shoot = (json: object) => post('/preview/screenshot', json)
  const register = (asking = ask) => post('/sites/register', { name: 'Acme', previewUrl: own.origin }, asking)

  t.match(refused(await shoot({})), { status: 400, code: 'preview_url_missing' })
  await register()
  for (const slug of ['https://x.example', '//x.example/a', '/\\x.example', '/a\n'])
    t.match(refused(await shoot({ slug })), { status: 400, code: 'slug_is_url' }, slug)
  t.match(refused(await shoot({ session: 'a\nb' })), { status: 400, code: 'invalid_request' })
  const notAllowed = { status: 400, code: 'preview_url_not_allowed' }
  const hostile = ['http://169.254.169.254', 'javascript:alert(1)', 'file:///etc', 'x']
  for (const previewUrl of [other.origin, `http://a:b@127.0.0.1:${own.port}`, ...hostile])
    t.match(refused(await shoot({ previewUrl })), notAllowed, previewUrl)
  for (const previewUrl of withLoopbackTwin(own.origin))
    t.match(refused(await shoot({ previewUrl, published: true })), { status: 503 }, previewUrl)
  t.strictSame(other.seen, [])

  t.match(refused(await shoot({ slug: 'pricing' })), {
    status: 503,
    url: `${own.origin}/preview-draft/pricing?session=dev&siteId=acme`,
    mode: 'draft',
  })
  t.match(refused(await shoot({ slug: '/x.example/a?b#c', published: true })), {
    status: 503,
    url: `${own.origin}/x.example/a%3Fb%23c`,
    mode: 'published',
  })
  const opened = async (previewUrl?: string) => {
    const asked = Promise.withResolvers<PageToCapture>()
    const camera = {
      take: async (target: PageToCapture) => (asked.resolve(target), Promise.reject(new Error('no picture'))),
    }
    const screenshot = createScreenshot({
      scope: await get(scope),
      sites: await get(sites),
      outbound: await get(outbound),
      camera,
      clock: systemClock,
      production: false,
    })
    await t.rejects(
      screenshot({ session: 'dev', siteId: 'acme', slug: '/', published: false, previewUrl }, signal),
      { message: 'no picture' },
    )
    return (await asked.promise).tries.map(({ url, pageInfo }) => ({ opened: url.href, named: pageInfo.url }))
  }
  const at = `${own.origin}/preview-draft?session=dev&siteId=acme`
  t.match(await opened(), [{ opened: at, named: at }, {}], 'any caller may have registered it')
  const listedAt = `${listed.origin}/shop/preview-draft?session=dev&siteId=acme`
  const [first] = await opened(`${listed.origin}/shop//`)
  t.equal(first?.named, listedAt)
  t.match(first?.opened, `${listedAt}&secret=`)
  t.notMatch(first?.opened, 'a-secret-of-drafts')

  const { ask: inProduction } = await startStack(t, { env: { ...settings, NODE_ENV: 'production' } })
  await register(inProduction)
  t.match(refused(await post('/preview/screenshot', {}, inProduction)), notAllowed)
})
