import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { analyze } from '../../../plugins/sites-agent/install/analyze.ts'
import { integrate } from '../../../plugins/scaffold/port.ts'
import { toRepository } from '../../../plugins/sites-agent/tools/clone.ts'
import { sitesAgent, type StreamEvent } from '../../helpers/sites-agent.ts'
import { temporaryFolder } from '../../helpers/stack.ts'

const errors = (events: readonly StreamEvent[]) =>
  events.filter((event) => event.type === 'tool_error').map(({ toolName, error }) => `${toolName}: ${error}`)
const run = promisify(execFile)

/** A repository host like GitHub, with one repository. */
async function gitHost(t: Test): Promise<string> {
  const root = temporaryFolder(t)
  const work = join(root, 'work')
  mkdirSync(work)
  writeFileSync(join(work, 'package.json'), '{"name":"cloned"}')
  const git = (...args: readonly string[]) =>
    run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], { cwd: work })
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '-A')
  await git('commit', '--quiet', '-m', 'first')
  await git('clone', '--quiet', '--bare', work, join(root, 'owner/shop.git'))
  const backend = join((await run('git', ['--exec-path'])).stdout.trim(), 'git-http-backend')
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const env = {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    }
    const child = spawn(backend, [], { env })
    request.pipe(child.stdin)
    const chunks: Buffer[] = []
    child.stdout
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const all = Buffer.concat(chunks)
        const at = all.indexOf('\r\n\r\n')
        const head = all
          .subarray(0, at)
          .toString('latin1')
          .split('\r\n')
          .map((line) => line.split(': ', 2))
        const status = head.find(([name]) => name === 'Status')?.[1]
        for (const [name = '', value = ''] of head) if (name !== 'Status') response.setHeader(name, value)
        response.writeHead(Number(status?.slice(0, 3) ?? 200)).end(all.subarray(at + 4))
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void (server.closeAllConnections(), server.close()))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

t.test('a repository is named by owner and name only', (t) => {
  for (const given of [
    'https://github.com/owner/shop',
    'owner/shop',
    'owner/shop.git',
    ' https://github.com/owner/shop.git/ ',
  ])
    t.strictSame(toRepository(given), { owner: 'owner', name: 'shop' }, given)
  for (const given of [
    'http://github.com/owner/shop',
    'https://evil.test/owner/shop',
    'https://github.com.evil.test/o/s',
    'git@github.com:owner/shop',
    '--upload-pack=touch/x',
    'owner/--x',
    '../../etc',
    'owner/..',
    'file:///etc',
    'ext::sh -c x',
    'owner/shop/tree',
    '',
  ])
    t.equal(toRepository(given), undefined, given)
  t.end()
})

t.test('a repository is cloned into the workspace, and a failed clone leaves nothing', async (t) => {
  const setting = await sitesAgent(t, { plugins: [['sites-agent', { gitHost: await gitHost(t) }]] })
  setting.script(
    [
      ['clone_repo', { url: 'https://github.com/owner/shop' }],
      ['clone_repo', { url: 'owner/shop' }],
      ['clone_repo', { url: 'owner/none', targetDir: 'none' }],
      ['clone_repo', { url: 'owner/shop', targetDir: '../outside' }],
      ['clone_repo', { url: 'https://evil.test/owner/shop' }],
      ['Bash', { siteId: 'shop', command: 'git log --oneline' }],
      ['analyze_codebase', { siteId: 'none' }],
    ],
    { intent: 'integrate' },
  )
  const events = await setting.run({ message: 'Integrate github.com/owner/shop', mode: 'integrate' })
  t.match(errors(events), [
    /already has a folder 'shop'/,
    /could not be cloned/,
    /not a valid site id/,
    /Only public repositories of GitHub/,
    /no such site/,
  ])
  t.equal(readFileSync(join(setting.workspace, 'shop/package.json'), 'utf8'), '{"name":"cloned"}')
  t.notOk(existsSync(join(setting.workspace, 'none')))
  t.match(setting.model.seen.at(-1)?.raw, /[0-9a-f]{7} first/)
})

t.test(
  'a site is started by its script or its server, registered, and compared only while it runs',
  async (t) => {
    const setting = await sitesAgent(t)
    const write = (id: string, files: Readonly<Record<string, string>>): void => {
      mkdirSync(join(setting.workspace, id))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(setting.workspace, id, name), text)
    }
    write('served', {
      'package.json': '{}',
      'server.js':
        'require("http").createServer((q, r) => r.end("ok")).listen(process.env.PORT, "127.0.0.1")',
    })
    write('nothing', { 'package.json': '{}' })
    write('broken', { 'package.json': '{}', 'server.mjs': 'console.error("it cannot be"); process.exit(1)' })
    write('empty', { 'a.txt': '' })
    write('elsewhere', { 'package.json': '{}', 'server.js': '' })
    await setting.post('/sites/register', {
      siteId: 'elsewhere',
      name: 'Elsewhere',
      previewUrl: 'https://elsewhere.example',
    })
    setting.script(
      [
        ['register_site', { siteId: 'served' }],
        ['launch_site', { siteId: 'served', name: 'Served' }],
        ['launch_site', { siteId: 'served' }],
        ['register_site', { siteId: 'served', name: 'Another name', purpose: 'Serving' }],
        ['launch_site', { siteId: 'nothing' }],
        ['launch_site', { siteId: 'broken' }],
        ['launch_site', { siteId: 'elsewhere' }],
        ['analyze_codebase', { siteId: 'empty' }],
        ['visual_qa_diff', { generatedSiteUrl: 'none', originalUrl: 'http://localhost' }],
        ['integrate_site', { siteId: 'served', launch: false }],
      ],
      { intent: 'integrate' },
    )
    const events = await setting.run(
      { message: 'Integrate the repository served', mode: 'integrate' },
      ({ input }) =>
        /registered at https:\/\/elsewhere/.test(input.questions[0]?.question ?? '')
          ? 'No'
          : input.questions[0]?.options[0]?.label,
    )
    t.match(errors(events), [
      /Call launch_site first/,
      /no dev or start script/,
      /Output: it cannot be/,
      /The registration was declined/,
      /not an http/,
    ])
    t.match(await (await fetch(`${setting.stack.origin}/sites?session=dev`)).json(), {
      sites: [
        { id: 'elsewhere', previewUrl: 'https://elsewhere.example' },
        { id: 'served', name: 'Another name', purpose: 'Serving' },
      ],
    })
    const { servers } = await setting.status()
    const [server] = Array.isArray(servers) ? servers : []
    setting.script(
      [
        ['integrate_site', { siteId: 'served', launch: false }],
        ['visual_qa_diff', { generatedSiteUrl: `${server.url}/`, originalUrl: 'http://127.0.0.1:1/' }],
      ],
      { intent: 'integrate' },
    )
    t.match(errors(await setting.run({ message: 'Integrate the repository served', mode: 'integrate' })), [
      /visual_qa_diff: /,
    ])
    const { siteId: _, url } = server
    await setting.stack.restart()
    await t.rejects(fetch(url), 'a server ends with the service')
  },
)

t.test('AGENT_SHELL allows shell command lines, which need approval like any code', async (t) => {
  const setting = await sitesAgent(t, { env: { AGENT_SHELL: 'full' } })
  mkdirSync(join(setting.workspace, 'plain'))
  setting.script([['Bash', { siteId: 'plain', command: 'echo one | tr o 0' }]], { intent: 'integrate' })
  const events = await setting.run({ message: 'Integrate the repository plain', mode: 'integrate' })
  t.equal(events.filter(({ type }) => type === 'approval_required').length, 1)
  t.match(setting.model.seen.at(-1)?.raw, /0ne/)
})

t.test('an Astro site gets the adapter that its routes need, once', async (t) => {
  const now = new Date('2026-01-01T12:00:00Z')
  const options = { siteId: 'acme', packageSpec: '^0.13.1', now }
  const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')
  const astro = (files: Readonly<Record<string, string>>, dependencies: object = { astro: '^7.0.0' }) =>
    t.testdir({ 'package.json': JSON.stringify({ name: 'acme', dependencies }), ...files })
  const folder = astro({
    'astro.config.mjs':
      "import { defineConfig } from 'astro/config'\n\nexport default defineConfig({\n  site: 'https://acme.example',\n})\n",
  })
  const done = await integrate(folder, options)
  t.match(done, { framework: 'astro', variablesFile: '.env' })
  t.match(
    read(folder, 'astro.config.mjs'),
    /^import node from '@astrojs\/node'\n[^]*defineConfig\(\{\n {2}adapter: node\(\{ mode: 'standalone' \}\),\n {2}site:/,
  )
  t.match(JSON.parse(read(folder, 'package.json')), {
    dependencies: { '@astrojs/node': '^11.0.0', astro: '^7.0.0', 'content-orchestrator': '^0.13.1' },
  })
  t.strictSame((await integrate(folder, options)).files, [])
  t.match(await analyze(folder), {
    framework: 'astro',
    integration: { editorRoute: 'src/pages/api/editor/[...path].ts', dependency: true },
  })

  const bare = astro({}, { astro: 'latest' })
  await integrate(bare, options)
  t.match(
    read(bare, 'astro.config.mjs'),
    /defineConfig\(\{\n {2}adapter: node\(\{ mode: 'standalone' \}\),\n\}\)/,
  )
  t.match(JSON.parse(read(bare, 'package.json')), { dependencies: { '@astrojs/node': 'latest' } })

  const other = astro({ 'astro.config.ts': 'const config = {}\nexport default config\n' })
  await integrate(other, options)
  t.equal(
    read(other, 'astro.config.ts'),
    'const config = {}\nexport default config\n',
    'an unusual configuration is left to a person',
  )
  t.notOk(JSON.parse(read(other, 'package.json')).dependencies['@astrojs/node'])
})

t.test('a package.json that npm cannot read is rejected, and its formatting is kept', async (t) => {
  const options = { siteId: 'acme', packageSpec: '^0.13.1', now: new Date() }
  const odd = t.testdir({ 'package.json': '{"name":"acme","dependencies":{"express":5}}' })
  await t.rejects(integrate(odd, options), { name: 'SiteFilesError' })
  const tabbed = t.testdir({
    'package.json': '{\n\t"name": "acme",\n\t"devDependencies": {\n\t\t"a": "1"\n\t}\n}\n',
  })
  await integrate(tabbed, options)
  t.equal(
    readFileSync(join(tabbed, 'package.json'), 'utf8'),
    '{\n\t"name": "acme",\n\t"devDependencies": {\n\t\t"a": "1"\n\t},\n\t"dependencies": {\n\t\t"content-orchestrator": "^0.13.1"\n\t}\n}\n',
  )
})
