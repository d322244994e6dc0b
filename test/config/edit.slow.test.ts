/** `edit`: a website of no known framework, its files, its development server, and a person in a browser. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { until } from '../helpers/until.ts'
import { inBrowser, openBrowser, openTab } from '../studio/browser.ts'
import { changedIn, changedLines, edited, git } from './edited.ts'
import { folderWith } from './helpers.ts'
import { cli } from './process.ts'

/** A development server that makes pages of Markdown, and loads them again when a file changes. */
const devServer = `
import { createServer } from 'node:http'
import { readFileSync, watch } from 'node:fs'
const streams = new Set()
watch('.', { recursive: true }, () => { for (const each of streams) each.write('data: changed\\n\\n') })
const toHtml = (text) => text.replace(/^---\\n[^]*?\\n---\\n/, '').trim().split(/\\n{2,}/).map((part) =>
  part.startsWith('# ') ? '<h1>' + part.slice(2) + '</h1>' : '<p>' + part.replace(/\\*(.+?)\\*/g, '<em>$1</em>') + '</p>').join('')
createServer((request, response) => {
  if (request.url === '/changes') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return streams.add(response)
  }
  const file = new URL(request.url, 'http://x').pathname.replace(/^\\/$/, '/index') + '.md'
  try {
    const body = toHtml(readFileSync('content' + file, 'utf8'))
    response.writeHead(200, { 'content-type': 'text/html', 'x-frame-options': 'DENY' })
    response.end('<!doctype html><html><head><title>Boats</title></head><body><main>' + body
      + '</main><footer>Since ' + (1900 + 99) + '</footer><script>new EventSource("/changes").onmessage = () => location.reload()</script></body></html>')
  } catch { response.writeHead(404).end() }
}).listen(process.env.PORT)
`
const files = {
  'boats/package.json': JSON.stringify({ name: 'boats', private: true, scripts: { dev: 'node dev.mjs' } }),
  'boats/dev.mjs': devServer,
  'boats/.gitignore': 'node_modules\n',
  'boats/content/index.md':
    '---\ntitle:   Boats   # of wood\n---\n\n# Boats\n\nWe build *wooden* boats for people who sail on lakes.\n\nEach one takes a winter, and is oiled by hand in the spring.\n',
  'boats/content/oak.md':
    '---\ntitle: Oak\n---\n\nOak is heavy, and it lasts longer than the one who has planted it.\n',
  'boats/content/elm.md':
    '---\ntitle: Elm\n---\n\nElm does not split, so that the old builders took it for the keel.\n',
}

t.test('a change of the draft is in the checkout, a publish in the folder, and nothing else', async (t) => {
  const { folder, call, out, stop } = await edited(t, files)
  t.match(out(), /^Command {4}npm run dev$/m)
  t.match(out(), /^Content {4}3 documents$/m)
  t.match(out(), /^Starting {3}.*\nStudio {5}/m)
  t.equal(git(folder, 'status', '--porcelain'), '', 'nothing of the repository is changed')
  const { sites } = (await call('/sites?session=dev')) as {
    sites: readonly { previewUrl: string; id: string }[]
  }
  const [site = { id: '', previewUrl: '' }] = sites
  const id = { siteId: site.id, session: 'dev' }
  const host = new URL(site.previewUrl)
  const ask = async (path: string): Promise<number | undefined> => {
    const asked = get({ host: '127.0.0.1', port: host.port, path, headers: { host: host.host } })
    const [response]: IncomingMessage[] = await once(asked, 'response')
    response?.resume()
    return response?.statusCode
  }
  t.equal(await ask('/'), 403, 'a browser that the studio has not let in')
  t.equal(await ask('/~editor/config'), 403)
  t.equal(await ask('/~editor/files/boat.png'), 403)
  t.equal(await ask('/api/editor/draft?secret=wrong&redirect=/'), 401)

  const slug = '/~content/index.md'
  const page = (await call(`/draft/pages?${new URLSearchParams({ ...id, slug })}`)) as {
    blocks: readonly { id: string; type: string; props: { text?: string } }[]
  }
  const paragraph = page.blocks.find(({ props }) => props.text?.startsWith('We build'))
  const op = {
    op: 'update_props',
    pageSlug: slug,
    blockId: paragraph?.id,
    patch: { text: 'We build *wooden* boats for people who sail at sea.' },
  }
  t.match(await call('/ops', { ...id, ops: [op] }), { status: 'applied' })
  const name = readdirSync(dirname(folder)).find((each) => each.startsWith('.orchestrator-')) ?? ''
  const [copy = ''] = readdirSync(join(dirname(folder), name))
  const inCopy = () => readFileSync(join(dirname(folder), name, copy, 'content/index.md'), 'utf8')
  await until(() => inCopy().includes('sail at sea'), 'the checkout')
  t.equal(git(folder, 'status', '--porcelain'), '')

  writeFileSync(join(folder, 'content/oak.md'), files['boats/content/oak.md'].replace('heavy', 'hard'))
  await until(
    async () =>
      JSON.stringify(
        await call(`/draft/pages?${new URLSearchParams({ ...id, slug: '/~content/oak.md' })}`),
      ).includes('hard'),
    'the change of the developer',
  )

  t.match(await call('/publish', id), { status: 'ready' })
  t.strictSame(changedLines(folder), [
    '-We build *wooden* boats for people who sail on lakes.',
    '+We build *wooden* boats for people who sail at sea.',
    '-Oak is heavy, and it lasts longer than the one who has planted it.',
    '+Oak is hard, and it lasts longer than the one who has planted it.',
  ])
  await stop()
  await t.rejects(ask('/'), 'nothing listens any more')
})

t.test('a website in a folder of a repository has the packages of that', async (t) => {
  const within = 'sites/my lake'
  const site = Object.entries(files).map(([path, text]) => [path.replace('boats', `boats/${within}`), text])
  const { folder, call } = await edited(
    t,
    {
      ...Object.fromEntries(site),
      'boats/package.json': '{ "private": true, "workspaces": ["sites/*"] }',
      'boats/.gitignore': 'node_modules\n',
      'boats/node_modules/oak/index.js': 'export const wood = 1',
      [`boats/${within}/package.json`]: JSON.stringify({
        scripts: { dev: 'node dev.mjs' },
        dependencies: { oak: '1' },
      }),
      [`boats/${within}/dev.mjs`]: `import 'oak'\n${devServer}`,
    },
    [],
    within,
  )
  const { sites } = (await call('/sites?session=dev')) as { sites: readonly { id: string }[] }
  const id = { siteId: sites[0]?.id, session: 'dev' }
  const op = { op: 'rename_page', pageSlug: '/~content/oak.md', newTitle: 'Oaks' }
  t.match(await call('/ops', { ...id, ops: [op] }), { status: 'applied' })
  t.match(await call('/publish', id), { status: 'ready' })
  t.strictSame(changedLines(folder), ['-title: Oak', '+title: Oaks'])
})

t.test('a person types on the page itself', inBrowser, async (t) => {
  const { folder, studio, call } = await edited(t, files)
  const path = join(folder, 'content/index.md')
  writeFileSync(path, readFileSync(path, 'utf8').replace('in the spring', 'in'))
  const query = new URLSearchParams({ siteId: 'boats', session: 'dev', slug: '/~content/index.md' })
  const hasUnfinished = async () =>
    JSON.stringify(await call(`/draft/pages?${query}`)).includes('by hand in.')
  await until(hasUnfinished, 'the unfinished line')
  const browser = await openBrowser(t)
  const { page } = await openTab(await browser.newContext(), studio, { width: 2100, height: 1100 })
  const frame = page.frameLocator('iframe.frame')
  const text = frame.locator('p[data-editable-target]', { hasText: 'We build' })
  await text.waitFor()
  t.equal(await text.getAttribute('data-block-slug'), '/~content/index.md')
  const area = await text.boundingBox()
  if (!area) return t.fail('the paragraph is not on the page')
  const click = () => page.mouse.click(area.x + 20, area.y + area.height / 2)
  await click()
  await page.getByRole('heading', { name: /^Paragraph/ }).waitFor()
  await click()
  await page.keyboard.press('End')
  await page.keyboard.type(' In winter.')
  await page.keyboard.press('Enter')
  await frame.locator('p', { hasText: 'sail on lakes. In winter.' }).waitFor()
  t.equal(await frame.locator('em', { hasText: 'wooden' }).count(), 1, 'the emphasis stays')
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await page.locator('main.whole').getByText('In winter.').first().waitFor()
  await page.locator('main.whole summary', { hasText: /^1 file, 1 line$/ }).click()
  const lines = page.getByRole('region', { name: 'content/index.md' })
  t.strictSame(await lines.locator('ins, del').allTextContents(), [
    'We build *wooden* boats for people who sail on lakes.\n',
    'We build *wooden* boats for people who sail on lakes. In winter.\n',
  ])
  await page.getByLabel('Commit to main').check()
  await page.getByRole('button', { name: /^Publish 1 change/ }).click()
  await page.getByText(/^Commit [0-9a-f]{7} on main\.$/).waitFor()
  t.strictSame(changedIn(git(folder, 'show', '--format=', '--unified=0')), [
    '-We build *wooden* boats for people who sail on lakes.',
    '+We build *wooden* boats for people who sail on lakes. In winter.',
  ])
  t.strictSame(changedIn(git(folder, 'diff', '--unified=0')), [
    '-Each one takes a winter, and is oiled by hand in the spring.',
    '+Each one takes a winter, and is oiled by hand in.',
  ])
})

t.test('a server that does not start ends the command with its last lines', async (t) => {
  const scripts = { dev: 'echo the lake is frozen && exit 3' }
  const folder = join(
    folderWith(t, { ...files, 'boats/package.json': JSON.stringify({ name: 'boats', scripts }) }),
    'boats',
  )
  const { PATH = '', HOME = '' } = process.env
  const run = (...more: readonly string[]) =>
    spawnSync(process.execPath, [cli, 'edit', folder, ...more], { env: { PATH, HOME }, encoding: 'utf8' })
  const checked = run('--check', '--json')
  t.equal(checked.status, 0)
  t.strictSame(JSON.parse(checked.stdout), {
    folder: realpathSync(folder),
    command: 'npm run dev',
    content: { document: 3 },
  })
  t.notOk(existsSync(join(folder, '.orchestrator')), 'a check writes nothing')
  // The second one has another port.
  for (const start of ['first', 'second']) {
    const { status, stdout, stderr } = run('--port', '0')
    t.equal(status, 1)
    const words = stdout.split('\n').map((line) => line.split(' ', 1)[0])
    t.strictSame(words, ['Website', 'Framework', 'Command', 'Content', 'The', 'Starting', ''], start)
    t.match(stderr, /the lake is frozen/)
  }
  t.end()
})

t.test('a folder that does not exist, and a file, are refused', async (t) => {
  const folder = folderWith(t, { 'page.md': '# Boats\n' })
  const { PATH = '', HOME = '' } = process.env
  for (const name of ['gone', 'page.md']) {
    const args = [cli, 'edit', join(folder, name)]
    const { status, stderr } = spawnSync(process.execPath, args, { env: { PATH, HOME }, encoding: 'utf8' })
    t.equal(status, 1)
    t.match(stderr, `${name} is not a folder; name the folder of the website\n`)
  }
})
