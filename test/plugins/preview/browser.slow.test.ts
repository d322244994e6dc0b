/** Previews in a real browser: screenshots of the service, and the pages behind its links, in the folder of `frameworks.ts`. */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as playwright } from 'playwright-core'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import type { Ask } from '../../../kernel/testing.ts'
import { listen } from '../../helpers/raw.ts'
import { serveDemo } from '../../helpers/serve-demo.ts'
import { askOver, editor, refused, startStack } from '../../helpers/stack.ts'
import { startSite } from '../../helpers/upstream.ts'
import { chromium, inBrowser } from '../../helpers/chromium.ts'

const pictures = join(tmpdir(), 'orchestrator-pages')
const env = { PREVIEW_BROWSER: chromium ?? '', PREVIEW_SANDBOX: process.getuid?.() === 0 ? 'off' : 'on' }
const Screenshot = v.object({
  url: v.string(),
  mode: v.string(),
  mimeType: v.literal('image/jpeg'),
  base64: v.string(),
  width: v.literal(1440),
  height: v.pipe(v.number(), v.minValue(900)),
})
const shootBy = (ask: Ask, json: object) => ask({ method: 'POST', url: '/preview/screenshot', json })
const draft = { siteId: 'demo', session: 'dev' }

await mkdir(pictures, { recursive: true })

/** A draft of the demo site with this heading. */
async function openDraft(t: Test, heading: string) {
  const { origin } = await serveDemo(t, env)
  const ask: Ask = (request) => askOver(origin, request)
  const client = editor(ask, draft)
  await client.ops([{ op: 'update_props', pageSlug: '/', blockId: 'b_hero_home', patch: { heading } }])
  return { origin, ask, ...client }
}

t.test('the demo site, published and as a draft', inBrowser, async (t) => {
  const { ask } = await openDraft(t, 'Only in the draft')
  const shoot = async (json: object) =>
    v.parse(Screenshot, (await shootBy(ask, { ...draft, ...json })).json())
  const [published, drafted] = [await shoot({ published: true }), await shoot({})]
  t.match([published.mode, drafted.mode], ['published', 'draft'])
  t.notMatch(drafted.url, /secret/)
  const bytes = [published, drafted].map(({ base64 }) => Buffer.from(base64, 'base64'))
  for (const [at, picture] of bytes.entries()) {
    t.strictSame([...picture.subarray(0, 3)], [0xff, 0xd8, 0xff])
    await writeFile(join(pictures, `screenshot-${at}.jpg`), picture)
  }
  t.notOk(bytes[0]?.equals(bytes[1] ?? Buffer.alloc(0)), 'they differ')
})

t.test('a hostile page reaches only its own site', inBrowser, async (t) => {
  const reached: string[] = []
  const inside = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.end('a secret')
  })
  inside.on('upgrade', (request, socket) => void (reached.push(`upgrade ${request.url}`), socket.destroy()))
  const port = await listen(t, inside)
  const at = `127.0.0.1:${port}`
  const datagrams = createSocket('udp4', () => void reached.push('a datagram')).bind(port, '127.0.0.1')
  await once(datagrams, 'listening')
  t.teardown(() => datagrams.close())
  const markup = `<!doctype html><link rel="preconnect" href="http://${at}"><link rel="prefetch" href="http://${at}/prefetch"><link rel="stylesheet" href="http://${at}/style">
<img src="http://${at}/image"><img src="/moved"><iframe src="http://${at}/frame"></iframe><iframe src="/moved"></iframe><iframe src="file:///etc/passwd"></iframe><video src="http://${at}/video" autoplay></video>
<script src="http://${at}/script"></script><script>
fetch('http://${at}/fetch', { mode: 'no-cors' }).catch(() => 0); fetch('/moved').catch(() => 0); navigator.sendBeacon('http://${at}/beacon', 'x'); fetch('/own', { method: 'POST', body: 'x' }).catch(() => 0)
new WebSocket('ws://${at}/socket'); new EventSource('http://${at}/events'); window.open('http://${at}/window'); navigator.serviceWorker?.register('/worker').catch(() => 0)
new Worker(URL.createObjectURL(new Blob(['fetch("http://${at}/worker")']))); const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${at}' }] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
try { new WebTransport('https://${at}/transport') } catch {}
fetch('/seen').catch(() => 0); localStorage.setItem('kept', 'yes'); document.cookie = 'kept=yes'
</script>`
  const site = await startSite(t, ({ url }, response) => {
    if (url === '/moved') return void response.writeHead(302, { location: `http://${at}/moved` }).end()
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'own=1' }).end(markup)
  })
  const { ask } = await startStack(t, { env: { ...env, FETCH_ALLOWED_ORIGINS: site.origin } })
  for (const time of ['once', 'twice'])
    t.equal((await shootBy(ask, { previewUrl: site.origin, published: true })).status, 200, time)
  t.strictSame(reached, [])
  t.ok(
    site.seen.some(({ url }) => url === '/seen'),
    'its script ran',
  )
  t.strictSame(
    site.seen.filter(({ method, headers }) => method !== 'GET' || headers.cookie !== undefined),
    [],
    'only GET requests, and no stored state',
  )
})

t.test('a page that hangs or never finishes loading ends at its timeout', inBrowser, async (t) => {
  const site = await startSite(t, ({ url }, response) => {
    const script = url?.startsWith('/hang')
      ? 'for (;;);'
      : 'setInterval(() => fetch("/again?" + Math.random()), 50)'
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(url === '/fine' ? 'fine' : `<script>${script}</script>`)
  })
  const { ask } = await startStack(t, {
    env: { ...env, FETCH_ALLOWED_ORIGINS: site.origin },
    plugins: [['preview', { timeoutMs: 4000 }]],
  })
  const shoot = (slug: string) => shootBy(ask, { previewUrl: site.origin, slug, published: true })
  const [hanging, busy] = await Promise.all([shoot('/hang'), shoot('/busy')])
  t.match(refused(hanging), { status: 502, code: 'page_not_idle' })
  t.match({ status: busy.status, body: busy.json() }, { status: 200, body: { incomplete: true } })
  t.equal((await shoot('/fine')).status, 200)
})

t.test('two states of a page of the demo site side by side', inBrowser, async (t) => {
  const { origin, get, send } = await openDraft(t, 'Bread that is worth getting up for')
  const message = 'Change the headline to "Bread before dawn"'
  await send('/chat', { slug: '/', message, executionMode: 'plan_only' })
  const { plans } = Object((await get('/chat/plans')).json())
  const compared = { before: { what: 'draft' }, after: { what: 'plan', planId: plans[0].id } }
  const { url } = Object((await send('/preview/links', { what: 'compare', ...compared })).json())
  const sandbox = { chromiumSandbox: env.PREVIEW_SANDBOX === 'on' }
  const browser = await playwright.launch({ executablePath: chromium ?? '', ...sandbox })
  t.teardown(() => browser.close())
  for (const [name, width] of [
    ['wide', 1440],
    ['phone', 390],
  ] as const) {
    const page = await browser.newPage({ viewport: { width, height: 900 } })
    const complaints: string[] = []
    page.on('console', (message) => void complaints.push(message.text()))
    await page.goto(url.replace(/^http:\/\/[^/]+/, origin), { waitUntil: 'networkidle' })
    const [, ...frames] = page.frames()
    const headings = await Promise.all(frames.map((each) => each.textContent('h1')))
    t.strictSame(headings, ['Bread that is worth getting up for', 'Bread before dawn'])
    const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    t.equal(fits, true, `no overflow at ${width} pixels`)
    t.strictSame(complaints, [])
    const [frame] = frames
    const before = frame?.url()
    await frame?.click('main a')
    t.equal(frame?.url(), before, 'links of a preview are disabled')
    await page.screenshot({ path: join(pictures, `preview-${name}.png`), fullPage: true })
    await page.close()
  }
})
