import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { analyze, toRepository } from '../../../plugins/agents/onboarding/testing.ts'
import { integrate } from '../../../plugins/agents/scaffold/port.ts'
import {
  agreeing,
  askedIn,
  errorsOf,
  integrating,
  isAboutProcesses,
  sitesAgent,
  writeSite,
} from '../../helpers/sites-agent.ts'
import { serve } from '../../helpers/raw.ts'
import { temporaryFolder } from '../../helpers/stack.ts'

const run = promisify(execFile)

/** A repository host like GitHub, with one repository. */
async function gitHost(t: Test): Promise<string> {
  const root = temporaryFolder(t)
  const work = join(root, 'work')
  mkdirSync(work)
  writeFileSync(join(work, 'package.json'), '{"name":"cloned"}')
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']
  for (const args of ['init -q --initial-branch=main', 'add -A', 'commit -q -m first'])
    await run('git', [...author, ...args.split(' ')], { cwd: work })
  await run('git', ['clone', '-q', '--bare', work, join(root, 'owner/shop.git')])
  const backend = join((await run('git', ['--exec-path'])).stdout.trim(), 'git-http-backend')
  return serve(t, async (request, response) => {
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
    const all = await buffer(child.stdout)
    const at = all.indexOf('\r\n\r\n')
    const lines = all.subarray(0, at).toString('latin1').split('\r\n')
    for (const [name = '', value = ''] of lines.map((line) => line.split(': ', 2)))
      if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
      else response.setHeader(name, value)
    response.end(all.subarray(at + 4))
  })
}

t.test('a repository is named by owner and name only', (t) => {
  const named = 'https://github.com/owner/shop|owner/shop|owner/shop.git| https://github.com/owner/shop.git/ '
  for (const given of named.split('|'))
    t.strictSame(toRepository(given), { owner: 'owner', name: 'shop' }, given)
  const others =
    'http://github.com/owner/shop|https://evil.test/owner/shop|https://github.com.evil.test/o/s|owner/..|' +
    'git@github.com:owner/shop|--upload-pack=touch/x|owner/--x|../../etc|file:///etc|ext::sh -c x|owner/shop/tree|'
  for (const given of others.split('|')) t.equal(toRepository(given), undefined, given)
  t.end()
})

t.test('a repository is cloned into the workspace, and a failed clone leaves nothing', async (t) => {
  const setting = await sitesAgent(t, { plugins: [['agents-onboarding', { gitHost: await gitHost(t) }]] })
  setting.script([
    ['clone_repo', { url: 'https://github.com/owner/shop' }],
    ['clone_repo', { url: 'owner/shop' }],
    ['clone_repo', { url: 'owner/none', targetDir: 'none' }],
    ['clone_repo', { url: 'owner/shop', targetDir: '../outside' }],
    ['clone_repo', { url: 'https://evil.test/owner/shop' }],
    ['Bash', { siteId: 'shop', command: 'git log --oneline' }],
    ['analyze_codebase', { siteId: 'none' }],
  ])
  const events = await setting.run({ message: 'Integrate github.com/owner/shop', mode: 'integrate' })
  const refused = [/already has a folder 'shop'/, /could not be cloned/, /not a valid site id/]
  t.match(errorsOf(events), [...refused, /Only public repositories of GitHub/, /no such site/])
  t.equal(readFileSync(join(setting.workspace, 'shop/package.json'), 'utf8'), '{"name":"cloned"}')
  t.notOk(existsSync(join(setting.workspace, 'none')))
  t.match(setting.model.seen.at(-1)?.raw, /[0-9a-f]{7} first/)
})

t.test('a site is started by its script or server, registered, and compared while it runs', async (t) => {
  const setting = await sitesAgent(t)
  const server = 'require("http").createServer((q, r) => r.end("ok")).listen(process.env.PORT, "127.0.0.1")'
  for (const [id, files] of Object.entries({
    served: { 'package.json': '{}', 'server.js': server },
    nothing: { 'package.json': '{}' },
    broken: { 'package.json': '{}', 'server.mjs': 'console.error("it cannot be"); process.exit(1)' },
    empty: { 'a.txt': '' },
    elsewhere: { 'package.json': '{}', 'server.js': '' },
  }))
    writeSite(setting, files, id)
  const previewUrl = 'https://elsewhere.example'
  await setting.post('/sites/register', { siteId: 'elsewhere', name: 'Elsewhere', previewUrl })
  setting.script([
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
  ])
  const events = await setting.run(integrating, (asked) =>
    /registered at https:\/\/elsewhere/.test(asked.input.questions[0]?.question ?? '')
      ? 'No'
      : agreeing(asked),
  )
  t.match(errorsOf(events), [
    /Call launch_site first/,
    /no dev or start script/,
    /Output: it cannot be/,
    /The registration was declined/,
    /not an http/,
  ])
  const served = { id: 'served', name: 'Another name', purpose: 'Serving' }
  const sites = await setting.stack.ask({ url: '/sites?session=dev' })
  t.match(sites.json(), { sites: [{ id: 'elsewhere', previewUrl }, served] })
  const { url } = Object((await setting.status())['servers'])[0]
  setting.script([
    ['integrate_site', { siteId: 'served', launch: false }],
    ['visual_qa_diff', { generatedSiteUrl: `${url}/`, originalUrl: 'http://127.0.0.1:1/' }],
  ])
  t.match(errorsOf(await setting.run(integrating)), [/visual_qa_diff: /])
  await setting.stack.restart()
  await t.rejects(fetch(url), 'a server ends with the service')
})

t.test('AGENT_SHELL allows shell command lines, which need approval like any code', async (t) => {
  const setting = await sitesAgent(t, { env: { AGENT_SHELL: 'full' } })
  writeSite(setting, {})
  setting.script([['Bash', { siteId: 'plain', command: 'echo one | tr o 0' }]])
  t.equal(askedIn(await setting.run(integrating)).length, 1)
  t.match(setting.model.seen.at(-1)?.raw, /0ne/)
})

const options = { siteId: 'acme', packageSpec: '^0.13.1', now: new Date('2026-01-01T12:00:00Z') }
const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')

t.test('an Astro site gets the adapter that its routes need, once', async (t) => {
  const astro = (files: Readonly<Record<string, string>>, version = '^7.0.0') => {
    const manifest = { name: 'acme', dependencies: { astro: version } }
    return t.testdir({ 'package.json': JSON.stringify(manifest), ...files })
  }
  const start = "import { defineConfig } from 'astro/config'\n\n"
  const folder = astro({
    'astro.config.mjs': `${start}export default defineConfig({\n  site: 'https://acme.example',\n})\n`,
  })
  t.match(await integrate(folder, options), { framework: 'astro', variablesFile: '.env' })
  const adapted =
    /^import node from '@astrojs\/node'\n[^]*defineConfig\(\{\n {2}adapter: node\(\{ mode: 'standalone' \}\),\n {2}site:/
  t.match(read(folder, 'astro.config.mjs'), adapted)
  t.match(JSON.parse(read(folder, 'package.json')), {
    dependencies: { '@astrojs/node': '^11.0.0', astro: '^7.0.0', 'content-orchestrator': '^0.13.1' },
  })
  t.strictSame((await integrate(folder, options)).files, [])
  t.match(await analyze(folder), {
    framework: 'astro',
    integration: { editorRoute: 'src/pages/api/editor/[...path].ts', dependency: true },
  })

  const bare = astro({}, 'latest')
  await integrate(bare, options)
  const config = /defineConfig\(\{\n {2}adapter: node\(\{ mode: 'standalone' \}\),\n\}\)/
  t.match(read(bare, 'astro.config.mjs'), config)
  t.match(JSON.parse(read(bare, 'package.json')), { dependencies: { '@astrojs/node': 'latest' } })

  const unusual = 'const config = {}\nexport default config\n'
  const other = astro({ 'astro.config.ts': unusual })
  await integrate(other, options)
  t.equal(read(other, 'astro.config.ts'), unusual, 'an unusual configuration is left to a person')
  t.notMatch(read(other, 'package.json'), '@astrojs/node')
})

t.test('a package.json that npm cannot read is rejected, and its formatting is kept', async (t) => {
  const odd = t.testdir({ 'package.json': '{"name":"acme","dependencies":{"express":5}}' })
  await t.rejects(integrate(odd, options), { name: 'SiteFilesError' })
  const start = '{\n\t"name": "acme",\n\t"devDependencies": {\n\t\t"a": "1"\n\t}'
  const tabbed = t.testdir({ 'package.json': `${start}\n}\n` })
  await integrate(tabbed, options)
  const added = ',\n\t"dependencies": {\n\t\t"content-orchestrator": "^0.13.1"\n\t}\n}\n'
  t.equal(read(tabbed, 'package.json'), start + added)
})

t.test('where processes may stay, a person is asked once a run, before its first program', async (t) => {
  const setting = await sitesAgent(t, { isLoose: true })
  const site = writeSite(setting, {
    'package.json': '{"name":"plain"}',
    'a.js': 'require("fs").writeFileSync("ran", "")',
  })
  const run = (command: string) => ['Bash', { siteId: 'plain', command }] as const
  t.match(await setting.status(), {
    isolation: 'process',
    limits: { tracking: /tree|group/, endsAll: false },
  })
  setting.script([run('node a.js'), run('ls')])
  const declined = await setting.run(integrating, () => 'No')
  t.match(errorsOf(declined), [/processes may stay was declined/, /processes may stay was declined/])
  t.equal(declined.filter(isAboutProcesses).length, 2, 'a no is no answer to the next program')
  t.strictSame(askedIn(declined), [], 'nothing else is asked')
  t.notOk(existsSync(join(site, 'ran')))

  setting.script([run('node a.js'), run('ls')])
  const allowed = await setting.run(integrating)
  t.strictSame(errorsOf(allowed), [])
  t.equal(allowed.filter(isAboutProcesses).length, 1)
  t.match(
    JSON.stringify(allowed.find(isAboutProcesses)),
    /may stay after their end.*bubblewrap \(bwrap\), unshare or cgroups/,
  )
  t.ok(existsSync(join(site, 'ran')))
})
