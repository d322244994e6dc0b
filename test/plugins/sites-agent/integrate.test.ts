import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import t from 'tap'
import { integrate } from '../../../plugins/scaffold/port.ts'
import { alone } from '../../helpers/built-package.ts'
import { installSources } from '../../helpers/install-sources.ts'
import { agreeing, endOf, secret, sitesAgent, type Setting } from '../../helpers/sites-agent.ts'

/** The files of a Next.js website. */
function writeNextSite({ workspace }: Pick<Setting, 'workspace'>): string {
  const site = join(workspace, 'my-shop')
  mkdirSync(join(site, 'app'), { recursive: true })
  writeFileSync(
    join(site, 'package.json'),
    JSON.stringify(
      {
        name: 'my-shop',
        private: true,
        scripts: { dev: 'next dev', build: 'next build' },
        dependencies: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
      },
      null,
      2,
    ),
  )
  writeFileSync(
    join(site, 'app/page.js'),
    "export const metadata = { title: 'Shop' }\nexport default function Page() { return <h1>Shop</h1> }\n",
  )
  writeFileSync(join(site, '.env.local'), '# mine\nSTRIPE_KEY=sk_live_of_the_site\n')
  return site
}

const integration = [
  ['list_sites', {}],
  ['analyze_codebase', { siteId: 'my-shop' }],
  ['integrate_site', { siteId: 'my-shop', name: 'My shop' }],
] as const

t.test(
  'a Next.js site is integrated after approval of the diff, and a second run changes nothing',
  async (t) => {
    const setting = await sitesAgent(t, { env: { DRAFT_MODE_SECRET: 'the-draft-secret-of-the-service' } })
    const site = writeNextSite(setting)
    const before = readFileSync(join(site, 'package.json'), 'utf8')
    setting.script(integration, {
      intent: 'integrate',
      words: 'It is connected.\n\nNext steps\n- Open the editor at port 4100',
    })
    const events = await setting.run(
      { message: 'Connect my-shop to the editor', mode: 'integrate' },
      (asked) => {
        if (asked.input.changes)
          t.equal(
            readFileSync(join(site, 'package.json'), 'utf8'),
            before,
            'nothing changed before the answer',
          )
        return agreeing(asked)
      },
    )
    t.match(endOf(events), {
      type: 'final',
      result: {
        status: 'applied',
        summary: 'It is connected.',
        suggestions: ['Open the editor at port 4100'],
        toolCallCount: 3,
        usage: { numTurns: 4 },
      },
    })
    const [installation, change, code] = events.filter((event) => event.type === 'approval_required')
    t.match(
      installation?.input.questions[0]?.question,
      /Install these packages[^]*\ncontent-orchestrator@\^0\.13\.1\n/,
    )
    t.match(
      change?.input.questions[0]?.question,
      /added: app\/api\/editor\/\[\.\.\.path\]\/route\.js[^]*variables in \.env\.local: ORCHESTRATOR_URL.*DRAFT_MODE_SECRET/,
    )
    t.match(
      change?.input.changes?.find(({ path }) => path === 'package.json')?.patch,
      /\+ +"content-orchestrator": "\^0\.13\.1"/,
    )
    t.match(code?.input.questions[0]?.question, /without a sandbox/)
    t.match(
      events.filter((event) => event.type === 'phase').map(({ phase }) => phase),
      ['analyzing', 'integrating', 'installing', 'launching'],
    )
    t.match(
      events.filter((event) => event.type === 'tool_use').map(({ toolName }) => toolName)[0],
      'mcp__sites-agent__list_sites',
    )

    t.match(
      readFileSync(join(site, 'app/page.js'), 'utf8'),
      /import Original from '.\/original-page'\n[^]*\nexport \{ metadata \} from/,
    )
    t.notMatch(readFileSync(join(site, 'app/page.js'), 'utf8'), /[«»]|\{\{\w|: string/, 'it is JavaScript')
    t.match(readFileSync(join(site, 'app/original-page.js'), 'utf8'), /<h1>Shop/)
    t.match(
      JSON.parse(readFileSync(join(site, 'content/pages.json'), 'utf8')),
      { pages: [] },
      'the home page of the site is shown until it is replaced',
    )
    const variables = readFileSync(join(site, '.env.local'), 'utf8')
    t.match(variables, /^# mine\nSTRIPE_KEY=sk_live_of_the_site\nORCHESTRATOR_URL=/)
    t.match(variables, /DRAFT_MODE_SECRET=the-draft-secret-of-the-service/)
    t.match(
      readFileSync(join(setting.workspace, '.sites-agent/packages/my-shop/npm.log'), 'utf8'),
      /^install --ignore-scripts[^\n]*--allow-git=none[^\n]*\n$/,
    )
    t.match(readFileSync(join(site, 'npm.log'), 'utf8'), /^run dev -- --port \d+\n$/)
    const child = readFileSync(join(site, 'node_modules/variables.json'), 'utf8')
    t.notMatch(child, new RegExp(`${secret}|draft-secret`), 'no secret reaches a child process')
    t.notOk('ANTHROPIC_API_KEY' in JSON.parse(child))
    const registered = await (await fetch(`${setting.stack.origin}/sites?session=dev`)).json()
    t.match(registered, {
      sites: [{ id: 'my-shop', name: 'My shop', previewUrl: /^http:\/\/localhost:35\d\d$/ }],
    })
    t.notMatch(
      JSON.stringify(events) + readFileSync(join(setting.workspace, '.sites-agent/log.jsonl'), 'utf8'),
      new RegExp(`${secret}|the-draft-secret|sk_live`),
      'no secret is emitted or logged',
    )
    t.strictSame(
      ['runs', 'homes'].flatMap((name) => readdirSync(join(setting.workspace, '.sites-agent', name))),
      ['server-my-shop'],
      'nothing of the run is left',
    )

    const files = ['app/page.js', 'package.json', 'content/pages.json', '.env.local'].map((path) => [
      path,
      statSync(join(site, path)).mtimeMs,
      readFileSync(join(site, path), 'utf8'),
    ])
    setting.script(integration, { intent: 'integrate' })
    const again = await setting.run({ message: 'Connect my-shop to the editor', mode: 'integrate' })
    t.match(endOf(again), { type: 'final', result: { status: 'applied' } })
    t.strictSame(
      again.filter((event) => event.type === 'approval_required').filter(({ input }) => input.changes),
      [],
      'no question',
    )
    t.strictSame(
      ['app/page.js', 'package.json', 'content/pages.json', '.env.local'].map((path) => [
        path,
        statSync(join(site, path)).mtimeMs,
        readFileSync(join(site, path), 'utf8'),
      ]),
      files,
    )
  },
)

t.test(
  'a static site without package.json is onboarded, and its server shows its own pages until the editor has one',
  async (t) => {
    const setting = await sitesAgent(t)
    const site = join(setting.workspace, 'brochure')
    const files = {
      'index.html': '<h1>Our boats</h1>',
      'about.html': '<h1>About us</h1>',
      'css/main.css': 'h1 { color: navy }',
      'main.js': 'hello()',
      'notes.md': 'private',
      '.env': 'KEY=of-the-site',
      '.htpasswd.txt': 'private',
    }
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(site, name)), { recursive: true })
      writeFileSync(join(site, name), text)
    }
    const calls = [
      ['analyze_codebase', { siteId: 'brochure' }],
      ['integrate_site', { siteId: 'brochure', launch: false }],
      ['Read', { siteId: 'brochure', path: 'package.json' }],
      ['launch_site', { siteId: 'brochure' }],
    ] as const
    setting.script(calls, { intent: 'integrate' })
    const events = await setting.run({ message: 'Integrate the repository brochure', mode: 'integrate' })
    t.match(endOf(events), { type: 'final', result: { status: 'applied' } })
    t.strictSame(
      events.filter(({ type }) => type === 'tool_error'),
      [],
    )
    const answers = () => setting.model.seen.at(-1)?.raw ?? ''
    t.match(answers(), /framework\W+other/)
    t.match(answers(), /status\W+integrated/)
    t.match(answers(), /routes\W+about\.html\W+index\.html/)
    t.notOk(
      (answers() + JSON.stringify(events)).includes(setting.workspace),
      'no answer has a path of this machine',
    )
    for (const [name, text] of Object.entries(files))
      if (name !== '.env') t.equal(readFileSync(join(site, name), 'utf8'), text, name)

    rmSync(join(site, 'node_modules'), { recursive: true })
    installSources(site)
    const held = createServer().listen(0, '127.0.0.1')
    await once(held, 'listening')
    const { port } = Object(held.address())
    await new Promise((resolve) => void held.close(resolve))
    const server = spawn(...alone(process.execPath, ['server.js']), {
      cwd: site,
      env: { ...process.env, PORT: String(port) },
    })
    t.teardown(() => void server.kill())
    await once(server.stdout, 'data')
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        text: await response.text(),
      }
    }
    t.match(await get('/'), { status: 200, type: /^text\/html/, text: files['index.html'] })
    t.match(
      [await get('/about'), await get('/about.html')],
      [{ text: files['about.html'] }, { text: files['about.html'] }],
    )
    t.match(await get('/css/main.css'), { type: /^text\/css/, text: files['css/main.css'] })
    t.match(await get('/main.js'), { type: /javascript/ })
    for (const path of [
      '/.env',
      '/.htpasswd.txt',
      '/notes.md',
      '/package.json',
      '/server.js',
      '/editor-routes.js',
      '/content/pages.json',
      '/node_modules/content-orchestrator/package.json',
      '/%2e%2e/brochure/about.html/../../../etc/passwd',
      '/nothing',
      '/%00',
      '/%',
    ])
      t.match(await get(path), { status: 404 }, path)
    t.match(JSON.parse((await get('/api/editor/blocks')).text), { blocks: Array })
    const content = JSON.parse(readFileSync(join(site, 'content/pages.json'), 'utf8'))
    writeFileSync(
      join(site, 'content/pages.json'),
      JSON.stringify({
        ...content,
        pages: [
          {
            id: 'p_home',
            slug: '/',
            title: 'Home',
            updatedAt: '2026-01-01T00:00:00Z',
            blocks: [{ id: 'b', type: 'RichText', props: { title: 'From the editor', body: 'x' } }],
          },
        ],
      }),
    )
    t.match(await get('/'), { status: 200, text: /From the editor/ })
    t.match(await get('/about'), { text: files['about.html'] })

    setting.script(
      [
        ['integrate_site', { siteId: 'brochure', launch: false }],
        ['Read', { siteId: 'brochure', path: 'none/../../..' }],
      ],
      { intent: 'integrate' },
    )
    const again = await setting.run({ message: 'Integrate the repository brochure', mode: 'integrate' })
    t.match(answers(), /status\W+unchanged/)
    t.strictSame(
      again.filter((event) => event.type === 'approval_required').filter(({ input }) => input.changes),
      [],
    )
  },
)

t.test(
  'an answer never has a path of this machine, and an integrated site is unchanged whatever else was written',
  async (t) => {
    const setting = await sitesAgent(t)
    const site = writeNextSite(setting)
    mkdirSync(join(setting.workspace, 'broken'))
    writeFileSync(join(setting.workspace, 'broken/package.json'), '{')
    setting.script(
      [
        ['analyze_codebase', { siteId: 'broken' }],
        ['integrate_site', { siteId: 'my-shop', launch: false }],
        ['Bash', { siteId: 'my-shop', command: 'node -p process.cwd()' }],
      ],
      { intent: 'integrate' },
    )
    const events = await setting.run({ message: 'Connect my-shop to the editor', mode: 'integrate' })
    t.match(
      events.find((event) => event.type === 'tool_error'),
      { error: /^broken\/package\.json is invalid|^package\.json is invalid/ },
    )
    t.notOk(
      (setting.model.seen.map(({ raw }) => raw).join('') + JSON.stringify(events)).includes(
        setting.workspace,
      ),
    )
    setting.script(
      [
        ['Write', { siteId: 'my-shop', path: 'note.txt', content: 'x' }],
        ['integrate_site', { siteId: 'my-shop', launch: false }],
      ],
      { intent: 'integrate' },
    )
    await setting.run({ message: 'Connect my-shop to the editor', mode: 'integrate' })
    t.match(setting.model.seen.at(-1)?.raw, /status\W+unchanged/, 'only another file has changed')
    t.ok(existsSync(join(site, 'note.txt')))
  },
)

t.test('a declined change is not applied, and the model is informed', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeNextSite(setting)
  setting.script(integration, { intent: 'integrate' })
  const events = await setting.run(
    { message: 'Connect my-shop to the editor', mode: 'integrate' },
    (event) => (event.input.changes ? 'No' : agreeing(event)),
  )
  t.match(
    events.find((event) => event.type === 'tool_error'),
    { toolName: 'integrate_site', error: /declined, and nothing has changed/ },
  )
  t.notOk(existsSync(join(site, 'app/api')))
  t.notOk(existsSync(join(site, 'npm.log')))
  t.match(setting.model.seen.at(-1)?.raw, /declined/)
})

t.test('a port used by another process is left alone', async (t) => {
  const foreign = createServer((_, response) => response.end('foreign')).listen(3500, '127.0.0.1')
  const isMine = await once(foreign, 'listening').then(
    () => true,
    () => false,
  )
  t.teardown(() => foreign.close())
  const setting = await sitesAgent(t)
  writeNextSite(setting)
  setting.script([['launch_site', { siteId: 'my-shop', port: 3500 }]], { intent: 'integrate' })
  const events = await setting.run({ message: 'Start my-shop', mode: 'integrate' })
  t.match(endOf(events), { result: { status: 'applied' } })
  const { servers } = await setting.status()
  // Another test may have the port, and leave it in the meantime.
  t.match(servers, [
    { siteId: 'my-shop', url: isMine ? /^http:\/\/localhost:35(?!00)\d\d$/ : /^http:\/\/localhost:35\d\d$/ },
  ])
  if (isMine) t.equal(await (await fetch('http://127.0.0.1:3500')).text(), 'foreign')
})

t.test('Next.js pages are added next to the root layout, or to src on request', async (t) => {
  const options = { siteId: 'acme', packageSpec: '^0.13.1', now: new Date('2026-01-01T12:00:00Z') }
  const next = (files: ReturnType<typeof group> | object = {}) =>
    t.testdir({ 'package.json': '{"name":"acme","dependencies":{"next":"^16.0.0"}}', ...files })
  const group = (at: 'app') => ({
    [at]: {
      '(site)': {
        'layout.js': '// the layout',
        'page.js': 'export default function Page() { return null }\n',
      },
    },
  })

  const grouped = next(group('app'))
  const places = { layoutPath: 'app/(site)/layout.js' }
  await integrate(grouped, { ...options, places })
  t.ok(existsSync(join(grouped, 'app/(site)/[...path]/page.js')))
  t.match(
    readFileSync(join(grouped, 'app/(site)/page.js'), 'utf8'),
    /import Original from '.\/original-page'/,
  )
  t.ok(existsSync(join(grouped, 'app/api/editor/[...path]/route.js')))
  t.notOk(existsSync(join(grouped, 'app/layout.js')), 'the site keeps its single layout')
  t.strictSame((await integrate(grouped, { ...options, places })).files, [])

  const inSource = next()
  await integrate(inSource, { ...options, places: { useSrcDir: true } })
  t.ok(existsSync(join(inSource, 'src/app/[...path]/page.js')))
  const plain = next()
  await integrate(plain, { ...options, places: { useSrcDir: false } })
  t.ok(existsSync(join(plain, 'app/layout.js')))

  for (const layoutPath of ['app/none/layout.js', 'app/layout.js', '../app/layout.js', 'package.json']) {
    await t.rejects(integrate(next(group('app')), { ...options, places: { layoutPath } }), {
      name: 'SiteFilesError',
      message: /is not a root layout of this site/,
    })
  }
  await t.rejects(integrate(next(group('app')), { ...options, places: { useSrcDir: true } }), {
    name: 'SiteFilesError',
    message: /already uses app; omit useSrcDir/,
  })
  await t.rejects(integrate(next(group('app')), { ...options, places: { ...places, useSrcDir: true } }), {
    name: 'SiteFilesError',
    message: /omit useSrcDir/,
  })
})

t.test('a location that contradicts the site is reported to the model, and nothing changes', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeNextSite(setting)
  setting.script([['integrate_site', { siteId: 'my-shop', useSrcDir: true }]], { intent: 'integrate' })
  const events = await setting.run({ message: 'Connect my-shop to the editor', mode: 'integrate' })
  t.match(
    events.find((event) => event.type === 'tool_error'),
    { error: /omit useSrcDir/ },
  )
  t.notOk(existsSync(join(site, 'src')))
})
