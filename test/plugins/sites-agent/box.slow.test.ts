import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import {
  askedIn,
  endOf,
  errorsOf,
  hasBox,
  integrating,
  secret,
  sitesAgent,
  writeSite,
  type Answerer,
  type SitesAgentSetup,
} from '../../helpers/sites-agent.ts'
import { startSite } from '../../helpers/upstream.ts'

const boxed = { skip: !hasBox && 'bubblewrap is not installed, or does not work here' }
const bothWays = hasBox ? [true, false] : [false]
const place = (isBoxed: boolean): string => `${isBoxed ? 'in' : 'without'} a box`
const realPath = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`
/** The output that the model saw last. */
const shown = ({ model }: SitesAgentSetup): string => model.seen.at(-1)?.raw ?? ''
const bash = (command: string, siteId = 'plain') => ['Bash', { siteId, command }] as const

/** A git repository with secrets beside it and in its history. */
function writeRepository(setting: SitesAgentSetup, files: Readonly<Record<string, string>>): string {
  const usual = { 'package.json': '{"name":"plain"}', '.env': 'KEY=env-of-the-site' }
  const site = writeSite(setting, { ...usual, ...files })
  for (const args of ['init --quiet', 'add -A --force', 'commit --quiet -m first'])
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args.split(' ')], {
      cwd: site,
    })
  return site
}

/** Tries everything that a box must prevent, and reports what worked. */
const attack = (setting: SitesAgentSetup, site: string, port: number): string => `
const fs = require('fs'), http = require('http')
const found = []
const attempt = (name, act) => { try { if (act() !== false) found.push(name) } catch {} }
const text = (path) => fs.readFileSync(path, 'utf8')
attempt('reads .env', () => /env-of-the-site/.test(text('.env')))
attempt('reads .env of the site', () => /env-of-the-site/.test(text('${site}/.env')))
attempt('reads the workspace', () => fs.readdirSync('${setting.workspace}'))
attempt('writes a hook', () => fs.writeFileSync('${site}/.git/hooks/post-checkout', 'x'))
attempt('reads keys', () => fs.readdirSync('/proc').some((pid) => /^\\d+$/.test(pid) && /${secret.slice(0, 20)}/.test(text('/proc/' + pid + '/environ'))))
attempt('sees processes', () => fs.readdirSync('/proc').filter((pid) => /^\\d+$/.test(pid)).length > 12)
attempt('has variables', () => Object.keys(process.env).some((name) => /SECRET|ANTHROPIC|API_KEY/.test(name)))
attempt('reads a home', () => fs.readdirSync('${process.env['HOME'] ?? '/root'}').length > 0)
fs.mkdirSync('.git/hooks', { recursive: true })
fs.writeFileSync('.git/config', '[core]\\n\\tfsmonitor = touch pwned; false\\n\\tbare = false\\n\\trepositoryformatversion = 0\\n')
fs.mkdirSync('sub/.git', { recursive: true })
fs.writeFileSync('sub/.git/config', '[core]\\n\\tfsmonitor = touch pwned; false\\n')
try { fs.symlinkSync('${site}/.env', 'link.txt') } catch {}
const reached = (host) => new Promise((resolve) => http.get({ host, port: ${port}, timeout: 2000 }, () => resolve(true)).on('error', () => resolve(false)).on('timeout', () => resolve(false)))
Promise.all(['127.0.0.1', 'localhost', '::1'].map(reached)).then((all) => {
  if (all.includes(true)) found.push('reaches loopback')
  const report = 'worked: [' + found.join(', ') + ']'
  console.log(report)
  if (process.env.PORT) http.createServer((_, response) => response.end(report + ' ' + text('page.html'))).listen(process.env.PORT, '127.0.0.1')
})`

/** A site with this program in a service with boxes, next to a server that counts its requests. */
async function attacked(t: Test, program: string) {
  const setting = await sitesAgent(t, { isBoxed: true, path: realPath })
  let count = 0
  const { port } = await startSite(t, (_, response) => response.end(`${++count}`))
  const site = writeRepository(setting, { 'page.html': 'a page' })
  writeFileSync(join(site, program), attack(setting, site, port))
  const url = async (): Promise<string> => Object((await setting.status())['servers'])[0].url
  return { setting, site, count: () => count, url }
}

t.test('code in a box runs unasked, and reaches neither site, secrets nor machine', boxed, async (t) => {
  const { setting, site, count } = await attacked(t, 'attack.js')
  setting.script([bash('node attack.js'), bash('ls')])
  const events = await setting.run(integrating)
  t.match(endOf(events), { type: 'final', result: { status: 'applied' } })
  t.strictSame(errorsOf(events), [])
  t.strictSame(askedIn(events), [], 'nothing is asked, and nothing of it is proposed as a change')
  t.match(shown(setting), /worked: \[\]/)
  t.notMatch(shown(setting), /link\.txt/, 'a link does not stay in the copy')
  t.equal(count(), 0)
  const status = ['status', '--short', '--', 'page.html', 'sub', 'pwned']
  t.equal(execFileSync('git', status, { cwd: site }).toString(), '')
  for (const path of ['pwned', '.git/hooks/post-checkout']) t.notOk(existsSync(join(site, path)), path)
  t.match(await setting.status(), { isolation: 'bubblewrap' })
})

t.test('a development server in a box is reachable, follows the site, reaches nothing', boxed, async (t) => {
  const { setting, site, count, url } = await attacked(t, 'server.js')
  const textAt = async (address: string) => (await fetch(address)).text()
  setting.script([['launch_site', { siteId: 'plain' }]])
  const events = await setting.run(integrating)
  t.strictSame([errorsOf(events), askedIn(events)], [[], []], 'an isolated copy needs no question')
  const copy = await url()
  t.equal(await textAt(copy), 'worked: [] a page')
  writeFileSync(join(site, 'page.html'), 'a newer page')
  const many = await Promise.all(Array.from({ length: 20 }, () => textAt(copy)))
  t.strictSame([...new Set(many)], ['worked: [] a newer page'])
  t.equal(count(), 0)

  const onSite = [['launch_site', { siteId: 'plain', onSite: true }]] as const
  setting.script(onSite)
  const declined = await setting.run(integrating, () => 'No')
  t.match(askedIn(declined), [/on the site itself, with its variables and the network/])
  t.match(errorsOf(declined), [/declined/])
  t.equal(await textAt(copy), 'worked: [] a newer page')

  setting.script(onSite)
  t.strictSame(errorsOf(await setting.run(integrating)), [])
  const own = await url()
  // No more than what was allowed.
  t.equal(await textAt(own), 'worked: [reads .env, reaches loopback] a newer page')
  t.notMatch(readFileSync(join(site, '.git/config'), 'utf8'), /fsmonitor/, 'the repository is masked')
  await setting.stack.restart()
  // Its port is free then, and another server may have taken it.
  t.notMatch(await textAt(own).catch(() => ''), /worked/, 'it ends with the service')
})

/** A registry with one package, and its npm-compatible archive. */
async function registry(t: Test): Promise<string> {
  const manifest = '{"name":"good","version":"1.0.0","scripts":{"postinstall":"touch /tmp/never"}}'
  const folder = t.testdir({ package: { 'package.json': manifest } })
  execFileSync('tar', ['-czf', join(folder, 'good.tgz'), '-C', folder, 'package'])
  const archive = readFileSync(join(folder, 'good.tgz'))
  const { port } = await startSite(t, ({ url, headers }, response) => {
    const dist = { tarball: `http://${headers.host}/good/-/good-1.0.0.tgz` }
    const versions = { '1.0.0': { name: 'good', version: '1.0.0', dist } }
    const about = { name: 'good', 'dist-tags': { latest: '1.0.0' }, versions }
    if (url === '/good') response.setHeader('content-type', 'application/json').end(JSON.stringify(about))
    else if (url === '/good/-/good-1.0.0.tgz') response.end(archive)
    else response.writeHead(404).end()
  })
  return `http://127.0.0.1:${port}`
}

for (const isBoxed of bothWays) {
  t.test(`packages of the registry are installed after one question ${place(isBoxed)}`, async (t) => {
    const address = await registry(t)
    const plugins = [['agents-onboarding', { registry: address }]] as const
    const setting = await sitesAgent(t, { isBoxed, path: realPath, plugins })
    const site = writeRepository(setting, {
      'package.json': '{"name":"plain","dependencies":{"good":"^1.0.0"}}',
      '.npmrc': 'registry=http://127.0.0.1:1/\ngit=./pwn.sh\n',
      'use.js': 'console.log("uses", require("good/package.json").version)',
    })
    setting.script([bash('npm install'), bash('npm install'), bash('node use.js')])
    const events = await setting.run(integrating)
    t.strictSame(errorsOf(events), [])
    const questions = askedIn(events)
    t.match(questions[0], `Install these packages for the site 'plain' from ${address} with npm`)
    t.match(questions[0], /\ngood@\^1\.0\.0$/)
    t.equal(questions.filter((each) => each.startsWith('Install')).length, 1)
    const isAsked = questions.some((each) => each.includes('without a sandbox'))
    t.equal(isAsked, !isBoxed)
    const isProposed = questions.some((each) => each.includes('added: package-lock.json'))
    t.ok(isProposed, 'the lock file is proposed as a change')
    t.match(shown(setting), /uses 1\.0\.0/)
    t.equal(existsSync(join(site, 'node_modules')), !isBoxed)
    const caches = readdirSync(join(setting.workspace, '.sites-agent/caches'))
    t.strictSame(caches, ['plain'], 'each site has its own cache')
    t.notOk(existsSync('/tmp/never'), 'scripts of packages do not run')
  })
}

const specs =
  'git+file:///tmp/x|git+https://example.org/x.git|github:a/b|a/b|file:../x|./x|../x|/tmp/x|~/x|link:../x|x.tgz|' +
  'http://127.0.0.1:1/x.tgz|https://example.org/x.tgz|workspace:*|npm:good@git+file:///tmp/x|npm:good@./x|1\nother@2'
const bad = 'git+file:///tmp/x'
const manifests: readonly object[] = [
  ...specs.split('|').map((spec) => ({ dependencies: { bad: spec } })),
  { devDependencies: { bad } },
  { optionalDependencies: { bad } },
  { peerDependencies: { bad } },
  { dependencies: { 'a\nb': '1' } },
  { overrides: { good: { '.': '1', bad } } },
  { workspaces: ['x'] },
]
const locks: readonly object[] = [
  { 'node_modules/bad': { version: '1.0.0', resolved: 'git+ssh://git@example.org/x.git#1' } },
  { 'node_modules/bad': { version: '1.0.0', resolved: 'https://registry.npmjs.org.example.org/bad.tgz' } },
  { '../x': { version: '1.0.0' }, 'node_modules/bad': { resolved: '../x', link: true } },
  { 'node_modules/good': { version: '1.0.0', dependencies: { bad: 'file:../x' } } },
]
const foreign: readonly (readonly [manifest: object, lock: object])[] = [
  ...manifests.map((manifest) => [manifest, {}] as const),
  ...locks.map((packages) => [{}, { lockfileVersion: 3, packages }] as const),
  [{}, { lockfileVersion: 1, dependencies: { good: { version: bad } } }],
]

t.test('other packages are refused before anything is asked or started', async (t) => {
  const setting = await sitesAgent(t)
  writeFileSync(join(setting.workspace, 'package.json'), '{"name":"parent","dependencies":{"bad":"1"}}')
  const site = writeRepository(setting, {})
  for (const [manifest, lock] of foreign) {
    const name = JSON.stringify([manifest, lock])
    writeFileSync(join(site, 'package.json'), JSON.stringify({ name: 'plain', ...manifest }))
    writeFileSync(join(site, 'package-lock.json'), JSON.stringify(lock))
    setting.script([bash('npm install')])
    const events = await setting.run(integrating)
    t.match(errorsOf(events), [/only packages of the registry|has workspaces|old format/], name)
    t.strictSame(askedIn(events), [], name)
  }
  mkdirSync(join(setting.workspace, 'bare'))
  setting.script([bash('npm install', 'bare')])
  const events = await setting.run(integrating)
  t.match(errorsOf(events), [/no package\.json/])
  t.strictSame(askedIn(events), [])
  t.notOk(existsSync(join(setting.workspace, 'node_modules')))
  t.notOk(existsSync(join(setting.workspace, '.sites-agent/packages/plain/npm.log')), 'npm was not started')
})

const gitCommands = ['git log -p', 'git diff HEAD', 'git status --short', 'git diff HEAD -- page.html']
const allowingCode: Answerer = ({ input }) =>
  input.questions[0]?.question.includes('without a sandbox') ? 'Allow' : 'No'
/** A configuration of git that names this program wherever it can. */
const configured = (site: string, program: string): string =>
  `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${program}\n\tpager = ${program}\n\tsshCommand = ${program}\n\thooksPath = ${site}/.git/hooks\n[diff]\n\texternal = ${program}\n[diff "x"]\n\ttextconv = ${program}\n[pager]\n\tlog = ${program}\n[alias]\n\tlog = !${program}\n[log]\n\tshowSignature = true\n`
for (const isBoxed of bothWays) {
  t.test(`git shows no secrets and runs no program of a repository ${place(isBoxed)}`, async (t) => {
    const setting = await sitesAgent(t, { isBoxed, path: realPath })
    const site = writeRepository(setting, {
      'page.html': 'a page',
      'a.pem': 'key-of-the-site',
      '.gitattributes': '*.html diff=x\n',
    })
    const program = join(site, 'pwn.sh')
    writeFileSync(program, '#!/bin/sh\ntouch "$(dirname "$0")/pwned"\n', { mode: 0o755 })
    mkdirSync(join(site, '.git/hooks'), { recursive: true })
    for (const hook of ['post-index-change', 'fsmonitor-watchman'])
      writeFileSync(join(site, '.git/hooks', hook), `#!/bin/sh\n${program}\n`, { mode: 0o755 })
    writeFileSync(join(site, '.git/config'), configured(site, program))
    writeFileSync(join(site, 'page.html'), 'a newer page')
    const before = statSync(join(site, '.git/index')).mtimeMs
    setting.script(gitCommands.map((command) => bash(command)))
    const events = await setting.run(integrating, allowingCode)
    t.strictSame(errorsOf(events), [])
    t.match(shown(setting), /\+a newer page/)
    t.notMatch(setting.model.seen.map(({ raw }) => raw).join(''), /env-of-the-site|key-of-the-site/)
    t.notOk(existsSync(join(site, 'pwned')))
    t.equal(statSync(join(site, '.git/index')).mtimeMs, before)
    t.equal(askedIn(events).length, isBoxed ? 0 : 1)

    mkdirSync(join(setting.workspace, 'bare'))
    execFileSync('git', ['init', '--quiet'], { cwd: setting.workspace })
    setting.script([bash('git log -p', 'bare')])
    const around = errorsOf(await setting.run(integrating, allowingCode))
    t.match(around, [/not a git repository/], 'the repository around the workspace is not shown')
  })
}
