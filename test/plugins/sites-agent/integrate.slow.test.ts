import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { integrate } from '../../../plugins/agents/scaffold/port.ts'
import { askOver } from '../../helpers/stack.ts'
import { alone } from '../../helpers/built-package.ts'
import { installSources } from '../../helpers/install-sources.ts'
import {
  agreeing,
  askedIn,
  changesIn,
  endOf,
  errorsOf,
  secret,
  sitesAgent,
  writeSite,
  type SitesAgentSetup,
} from '../../helpers/sites-agent.ts'
import { freePort } from '../../helpers/raw.ts'
import { emptyList } from '../../helpers/plain.ts'

const nextManifest = {
  name: 'my-shop',
  private: true,
  scripts: { dev: 'next dev', build: 'next build' },
  dependencies: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
}
/** Writes a Next.js website. */
const nextSite = {
  'package.json': JSON.stringify(nextManifest, null, 2),
  'app/page.js':
    "export const metadata = { title: 'Shop' }\nexport default function Page() { return <h1>Shop</h1> }\n",
  '.env.local': '# mine\nSTRIPE_KEY=sk_live_of_the_site\n',
}
const writeNextSite = (setting: SitesAgentSetup): string => writeSite(setting, nextSite, 'my-shop')

const request = { message: 'Connect my-shop to the editor', mode: 'integrate' }
const integration = [
  ['list_sites', {}],
  ['analyze_codebase', { siteId: 'my-shop' }],
  ['integrate_site', { siteId: 'my-shop', name: 'My shop' }],
] as const

t.test('a Next.js site is integrated after approval, and a second run changes nothing', async (t) => {
  const setting = await sitesAgent(t, { env: { DRAFT_MODE_SECRET: 'the-draft-secret-of-the-service' } })
  const site = writeNextSite(setting)
  const own = join(setting.workspace, '.sites-agent')
  const read = (path: string): string => readFileSync(join(site, path), 'utf8')
  const before = read('package.json')
  const words = 'It is connected.\n\nNext steps\n- Open the editor at port 4100'
  setting.script(integration, { words })
  const events = await setting.run(request, (asked) => {
    if (asked.input.changes) t.equal(read('package.json'), before, 'nothing changed before the answer')
    return agreeing(asked)
  })
  const said = { summary: 'It is connected.', suggestions: ['Open the editor at port 4100'] }
  const result = { status: 'applied', ...said, toolCallCount: 3, usage: { numTurns: 4 } }
  t.match(endOf(events), { type: 'final', result })
  t.match(askedIn(events), [
    /Install these packages[^]*\ncontent-orchestrator@\^0\.13\.1\n/,
    /added: app\/api\/editor\/\[\.\.\.path\]\/route\.js[^]*variables in \.env\.local: ORCHESTRATOR_URL.*DRAFT_MODE_SECRET/,
    /without a sandbox/,
  ])
  const manifest = changesIn(events).find(({ path }) => path === 'package.json')
  t.match(manifest?.patch, /\+ +"content-orchestrator": "\^0\.13\.1"/)
  const phases = events.flatMap((event) => (event.type === 'phase' ? [event.phase] : []))
  t.match(phases, ['analyzing', 'integrating', 'installing', 'launching'])
  const firstTool = events.find((event) => event.type === 'tool_use')
  t.match(firstTool, { toolName: 'mcp__sites-agent__list_sites' })

  t.match(read('app/page.js'), /import Original from '.\/original-page'\n[^]*\nexport \{ metadata \} from/)
  t.notMatch(read('app/page.js'), /[«»]|\{\{\w|: string/, 'it is JavaScript')
  t.match(read('app/original-page.js'), /<h1>Shop/)
  const content = JSON.parse(read('content/pages.json'))
  t.match(content, { pages: emptyList }, 'the home page of the site is shown until it is replaced')
  t.match(read('.env.local'), /^# mine\nSTRIPE_KEY=sk_live_of_the_site\nORCHESTRATOR_URL=/)
  t.match(read('.env.local'), /DRAFT_MODE_SECRET=the-draft-secret-of-the-service/)
  const installed = readFileSync(join(own, 'packages/my-shop/npm.log'), 'utf8')
  t.match(installed, /^install --ignore-scripts[^\n]*--allow-git=none[^\n]*\n$/)
  // Once more for each port that another process took.
  t.match(read('npm.log'), /^(run dev -- --port \d+\n)+$/)
  const child = read('node_modules/variables.json')
  t.notMatch(child, new RegExp(`${secret}|draft-secret|ANTHROPIC`), 'no secret reaches a child process')
  const registered = { id: 'my-shop', name: 'My shop', previewUrl: /^http:\/\/localhost:35\d\d$/ }
  const sites = await setting.stack.ask({ url: '/sites?session=dev' })
  t.match(sites.json(), { sites: [registered] })
  const emitted = JSON.stringify(events) + readFileSync(join(own, 'log.jsonl'), 'utf8')
  t.notMatch(emitted, new RegExp(`${secret}|the-draft-secret|sk_live`), 'no secret is emitted or logged')
  const left = ['runs', 'homes'].flatMap((name) => readdirSync(join(own, name)))
  t.strictSame(left, ['server-my-shop'], 'nothing of the run is left')

  const written = ['app/page.js', 'package.json', 'content/pages.json', '.env.local']
  const stamps = () => written.map((path) => [read(path), statSync(join(site, path)).mtimeMs])
  const files = stamps()
  setting.script([['Write', { siteId: 'my-shop', path: 'note.txt', content: 'x' }], ...integration])
  const again = await setting.run(request)
  t.match(endOf(again), { type: 'final', result: { status: 'applied' } })
  const paths = changesIn(again).map(({ path }) => path)
  t.strictSame(paths, ['note.txt'], 'only another file has changed')
  t.strictSame(stamps(), files)
})

t.test('a static site without package.json is onboarded, and shows its own pages', async (t) => {
  const setting = await sitesAgent(t)
  const files = {
    'index.html': '<h1>Our boats</h1>',
    'about.html': '<h1>About us</h1>',
    'css/main.css': 'h1 { color: navy }',
    'main.js': 'hello()',
    'notes.md': 'private',
    '.env': 'KEY=of-the-site',
    '.htpasswd.txt': 'private',
  }
  const site = writeSite(setting, files, 'brochure')
  const message = { message: 'Integrate the repository brochure', mode: 'integrate' }
  setting.script([
    ['analyze_codebase', { siteId: 'brochure' }],
    ['integrate_site', { siteId: 'brochure', launch: false }],
    ['Read', { siteId: 'brochure', path: 'package.json' }],
    ['launch_site', { siteId: 'brochure' }],
  ])
  const events = await setting.run(message)
  t.match(endOf(events), { type: 'final', result: { status: 'applied' } })
  t.strictSame(errorsOf(events), [])
  const answers = () => setting.model.seen.at(-1)?.raw ?? ''
  for (const part of [/framework\W+other/, /status\W+integrated/, /routes\W+about\.html\W+index\.html/])
    t.match(answers(), part)
  t.notOk((answers() + JSON.stringify(events)).includes(setting.workspace), 'no path of this machine')
  for (const [name, text] of Object.entries(files))
    if (name !== '.env') t.equal(readFileSync(join(site, name), 'utf8'), text, name)

  rmSync(join(site, 'node_modules'), { recursive: true })
  installSources(site)
  const port = await freePort()
  const env = { ...process.env, PORT: String(port) }
  const server = spawn(...alone(process.execPath, ['server.js']), { cwd: site, env })
  t.teardown(() => void server.kill())
  await once(server.stdout, 'data')
  const get = async (url: string) => {
    const { status, headers, text } = await askOver(`http://127.0.0.1:${port}`, { url })
    return { status, type: headers.get('content-type'), text }
  }
  for (const [path, type, name] of [
    ['/', /^text\/html/, 'index.html'],
    ['/about', /^text\/html/, 'about.html'],
    ['/about.html', /^text\/html/, 'about.html'],
    ['/css/main.css', /^text\/css/, 'css/main.css'],
    ['/main.js', /javascript/, 'main.js'],
  ] as const)
    t.match(await get(path), { status: 200, type, text: files[name] }, path)
  const hidden =
    '/.env /.htpasswd.txt /notes.md /package.json /server.js /editor-routes.js /content/pages.json ' +
    '/node_modules/content-orchestrator/package.json /%2e%2e/brochure/about.html/../../../etc/passwd /nothing /%00 /%'
  for (const path of hidden.split(' ')) t.match(await get(path), { status: 404 }, path)
  t.match(JSON.parse((await get('/api/editor/blocks')).text), { blocks: Array })
  const content = JSON.parse(readFileSync(join(site, 'content/pages.json'), 'utf8'))
  const blocks = [{ id: 'b', type: 'RichText', props: { title: 'From the editor', body: 'x' } }]
  const home = { id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T00:00:00Z', blocks }
  writeFileSync(join(site, 'content/pages.json'), JSON.stringify({ ...content, pages: [home] }))
  t.match(await get('/'), { status: 200, text: /From the editor/ })
  t.match(await get('/about'), { text: files['about.html'] })

  setting.script([['integrate_site', { siteId: 'brochure', launch: false }]])
  t.strictSame(changesIn(await setting.run(message)), [])
  t.match(answers(), /status\W+unchanged/)
})

t.test('a problem of a site is reported without a path of this machine, and nothing changes', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeNextSite(setting)
  writeSite(setting, { 'package.json': '{' }, 'broken')
  setting.script([
    ['analyze_codebase', { siteId: 'broken' }],
    ['integrate_site', { siteId: 'my-shop', useSrcDir: true }],
    ['Bash', { siteId: 'my-shop', command: "node -p 'process.cwd()'" }],
    ['Read', { siteId: 'my-shop', path: 'none/../../..' }],
  ])
  const events = await setting.run(request)
  t.match(errorsOf(events), [/: (?:broken\/)?package\.json is invalid/, /omit useSrcDir/, /outside/])
  t.notOk(existsSync(join(site, 'src')))
  const seen = setting.model.seen.map(({ raw }) => raw).join('') + JSON.stringify(events)
  t.notOk(seen.includes(setting.workspace))
})

t.test('a declined change is not applied, and the model is informed', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeNextSite(setting)
  setting.script(integration)
  const events = await setting.run(request, (event) => (event.input.changes ? 'No' : agreeing(event)))
  t.match(errorsOf(events), [/^integrate_site: .*declined, and nothing has changed/])
  for (const path of ['app/api', 'npm.log']) t.notOk(existsSync(join(site, path)), path)
  t.match(setting.model.seen.at(-1)?.raw, /declined/)
})

t.test('a port used by another process is left alone', async (t) => {
  const foreign = createServer((_, response) => response.end('foreign')).listen(3500, '127.0.0.1')
  const isMine = await once(foreign, 'listening').then(Boolean, () => false)
  t.teardown(() => foreign.close())
  const setting = await sitesAgent(t)
  writeNextSite(setting)
  setting.script([['launch_site', { siteId: 'my-shop', port: 3500 }]])
  t.match(endOf(await setting.run(request)), { result: { status: 'applied' } })
  const { servers } = await setting.status()
  // Another test may have the port, and leave it in the meantime.
  const url = isMine ? /^http:\/\/localhost:35(?!00)\d\d$/ : /^http:\/\/localhost:35\d\d$/
  t.match(servers, [{ siteId: 'my-shop', url }])
  if (isMine) t.equal(await (await fetch('http://127.0.0.1:3500')).text(), 'foreign')
})

t.test('Next.js pages are added next to the root layout, or to src on request', async (t) => {
  const options = { siteId: 'acme', packageSpec: '^0.13.1', now: new Date('2026-01-01T12:00:00Z') }
  const original = 'export default function Page() { return null }\n'
  const group = { app: { '(site)': { 'layout.js': '// the layout', 'page.js': original } } }
  const next = (files: object = {}) =>
    t.testdir({ 'package.json': '{"name":"acme","dependencies":{"next":"^16.0.0"}}', ...files })

  const grouped = next(group)
  const places = { layoutPath: 'app/(site)/layout.js' }
  await integrate(grouped, { ...options, places })
  for (const path of ['app/(site)/[...path]/page.js', 'app/api/editor/[...path]/route.js'])
    t.ok(existsSync(join(grouped, path)), path)
  const page = readFileSync(join(grouped, 'app/(site)/page.js'), 'utf8')
  t.match(page, /import Original from '.\/original-page'/)
  t.notOk(existsSync(join(grouped, 'app/layout.js')), 'the site keeps its single layout')
  t.strictSame((await integrate(grouped, { ...options, places })).files, [])
  for (const [useSrcDir, path] of [
    [true, 'src/app/[...path]/page.js'],
    [false, 'app/layout.js'],
  ] as const) {
    const folder = next()
    await integrate(folder, { ...options, places: { useSrcDir } })
    t.ok(existsSync(join(folder, path)), path)
  }
  const noLayout = /is not a root layout of this site/
  for (const [wrong, message] of [
    [{ layoutPath: 'app/none/layout.js' }, noLayout],
    [{ layoutPath: 'app/layout.js' }, noLayout],
    [{ layoutPath: '../app/layout.js' }, noLayout],
    [{ layoutPath: 'package.json' }, noLayout],
    [{ useSrcDir: true }, /already uses app; omit useSrcDir/],
    [{ ...places, useSrcDir: true }, /omit useSrcDir/],
  ] as const)
    await t.rejects(integrate(next(group), { ...options, places: wrong }), {
      name: 'SiteFilesError',
      message,
    })
})
