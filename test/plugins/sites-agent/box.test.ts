import { execFileSync, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import {
  agreeing,
  endOf,
  secret,
  sitesAgent,
  type Person,
  type Setting,
  type StreamEvent,
} from '../../helpers/sites-agent.ts'

const works =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true'])
    .status === 0
const boxed = { skip: !works && 'bubblewrap is not installed, or does not work here' }
const realPath = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`

const request = { message: 'Integrate the repository plain', mode: 'integrate' }
const asked = (events: readonly StreamEvent[]) =>
  events
    .filter((event) => event.type === 'approval_required')
    .map(({ input }) => input.questions[0]?.question ?? '')
const errors = (events: readonly StreamEvent[]) =>
  events.filter((event) => event.type === 'tool_error').map(({ toolName, error }) => `${toolName}: ${error}`)
/** The output that the model saw last. */
const shown = ({ model }: Setting): string => model.seen.at(-1)?.raw ?? ''

/** A git repository with secrets beside it and in its history. */
function writeSite(
  { workspace }: Pick<Setting, 'workspace'>,
  files: Readonly<Record<string, string>>,
): string {
  const site = join(workspace, 'plain')
  mkdirSync(site)
  for (const [name, text] of Object.entries({
    'package.json': '{"name":"plain"}',
    '.env': 'KEY=env-of-the-site',
    ...files,
  }))
    writeFileSync(join(site, name), text)
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd: site })
  git('init', '--quiet')
  git('add', '-A', '--force')
  git('commit', '--quiet', '-m', 'first')
  return site
}

/** A server of this machine that counts its requests. */
async function neighbour(t: Test) {
  let count = 0
  const server = createServer((_, response) => response.end(`${++count}`)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, count: () => count }
}

/** Tries everything that a box must prevent, and reports what worked. */
const attack = (setting: Setting, site: string, port: number): string => `
const fs = require('fs'), { execSync } = require('child_process'), http = require('http')
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

t.test(
  'code in a box runs without a question, and reaches neither the site, its secrets nor this machine',
  boxed,
  async (t) => {
    const setting = await sitesAgent(t, { isBoxed: true, path: realPath })
    const { port, count } = await neighbour(t)
    const site = writeSite(setting, { 'page.html': 'a page' })
    writeFileSync(join(site, 'attack.js'), attack(setting, site, port))
    setting.script(
      [
        ['Bash', { siteId: 'plain', command: 'node attack.js' }],
        ['Bash', { siteId: 'plain', command: 'ls' }],
      ],
      { intent: 'integrate' },
    )
    const events = await setting.run(request)
    t.match(endOf(events), { type: 'final', result: { status: 'applied' } })
    t.strictSame(errors(events), [])
    t.strictSame(asked(events), [], 'nothing is asked, and nothing of it is proposed as a change')
    t.match(shown(setting), /worked: \[\]/)
    t.notMatch(shown(setting), /link\.txt/, 'a link does not stay in the copy')
    t.equal(count(), 0)
    t.equal(
      execFileSync('git', ['status', '--short', '--', 'page.html', 'sub', 'pwned'], { cwd: site }).toString(),
      '',
    )
    t.notOk(existsSync(join(site, 'pwned')))
    t.notOk(existsSync(join(site, '.git/hooks/post-checkout')))
    t.match(await setting.status(), { isolation: 'bubblewrap' })
  },
)

t.test('what code in a box changes is proposed as a change', boxed, async (t) => {
  const setting = await sitesAgent(t, { isBoxed: true, path: realPath })
  const site = writeSite(setting, {
    'page.html': 'a page',
    'make.js': 'require("fs").writeFileSync("page.html", "another page")',
  })
  setting.script([['Bash', { siteId: 'plain', command: 'node make.js' }]], { intent: 'integrate' })
  const events = await setting.run(request, (event) => {
    t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'a page', 'nothing changed before the answer')
    return agreeing(event)
  })
  t.match(asked(events), [/Apply these changes to the site 'plain'\?\nchanged: page.html/])
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'another page')
})

t.test(
  'the development server in a box is reachable, follows the site, and reaches nothing',
  boxed,
  async (t) => {
    const setting = await sitesAgent(t, { isBoxed: true, path: realPath })
    const { port, count } = await neighbour(t)
    const site = writeSite(setting, { 'page.html': 'a page' })
    writeFileSync(join(site, 'server.js'), attack(setting, site, port))
    setting.script([['launch_site', { siteId: 'plain' }]], { intent: 'integrate' })
    const events = await setting.run(request)
    t.strictSame(errors(events), [])
    t.strictSame(asked(events), [], 'an isolated copy needs no question')
    const { servers } = await setting.status()
    const [server] = Array.isArray(servers) ? servers : []
    t.equal(await (await fetch(server.url)).text(), 'worked: [] a page')
    writeFileSync(join(site, 'page.html'), 'a newer page')
    const many = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(server.url)).text()))
    t.strictSame([...new Set(many)], ['worked: [] a newer page'])
    t.equal(count(), 0)

    setting.script([['launch_site', { siteId: 'plain', onSite: true }]], { intent: 'integrate' })
    const declined = await setting.run(request, () => 'No')
    t.match(asked(declined), [/on the site itself, with its variables and the network/])
    t.match(errors(declined), [/declined/])
    t.equal(await (await fetch(server.url)).text(), 'worked: [] a newer page')

    setting.script([['launch_site', { siteId: 'plain', onSite: true }]], { intent: 'integrate' })
    t.strictSame(errors(await setting.run(request)), [])
    const { servers: now } = await setting.status()
    const [onSite] = Array.isArray(now) ? now : []
    t.equal(
      await (await fetch(onSite.url)).text(),
      'worked: [reads .env, reaches loopback] a newer page',
      'no more than what was allowed',
    )
    t.notOk(/fsmonitor/.test(readFileSync(join(site, '.git/config'), 'utf8')), 'the repository is masked')
    await setting.stack.restart()
    await t.rejects(fetch(onSite.url), 'it ends with the service')
  },
)

/** A registry with one package, and its npm-compatible archive. */
async function registry(t: Test) {
  const folder = t.testdir({
    package: {
      'package.json': '{"name":"good","version":"1.0.0","scripts":{"postinstall":"touch /tmp/never"}}',
    },
  })
  execFileSync('tar', ['-czf', join(folder, 'good.tgz'), '-C', folder, 'package'])
  const archive = readFileSync(join(folder, 'good.tgz'))
  const server = createServer(({ url }, response) => {
    const { port } = Object(server.address())
    if (url === '/good')
      response
        .setHeader('content-type', 'application/json')
        .end(
          JSON.stringify({
            name: 'good',
            'dist-tags': { latest: '1.0.0' },
            versions: {
              '1.0.0': {
                name: 'good',
                version: '1.0.0',
                dist: { tarball: `http://127.0.0.1:${port}/good/-/good-1.0.0.tgz` },
              },
            },
          }),
        )
    else if (url === '/good/-/good-1.0.0.tgz') response.end(archive)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${Object(server.address()).port}`
}

const install = ['Bash', { siteId: 'plain', command: 'npm install' }] as const
for (const isBoxed of works ? [true, false] : [false]) {
  t.test(
    `packages of the registry are installed after one question ${isBoxed ? 'in' : 'without'} a box`,
    async (t) => {
      const address = await registry(t)
      const setting = await sitesAgent(t, {
        isBoxed,
        path: realPath,
        plugins: [['sites-agent', { registry: address }]],
      })
      const site = writeSite(setting, {
        'package.json': '{"name":"plain","dependencies":{"good":"^1.0.0"}}',
        '.npmrc': 'registry=http://127.0.0.1:1/\ngit=./pwn.sh\n',
        'use.js': 'console.log("uses", require("good/package.json").version)',
      })
      setting.script([install, install, ['Bash', { siteId: 'plain', command: 'node use.js' }]], {
        intent: 'integrate',
      })
      const events = await setting.run(request)
      t.strictSame(errors(events), [])
      const questions = asked(events)
      t.match(questions[0], `Install these packages for the site 'plain' from ${address} with npm`)
      t.match(questions[0], /\ngood@\^1\.0\.0$/)
      t.equal(questions.filter((question) => question.startsWith('Install')).length, 1)
      t.equal(
        questions.some((question) => question.includes('without a sandbox')),
        !isBoxed,
      )
      t.ok(
        questions.some((question) => question.includes('added: package-lock.json')),
        'the lock file is proposed as a change',
      )
      t.match(shown(setting), /uses 1\.0\.0/)
      t.equal(existsSync(join(site, 'node_modules')), !isBoxed)
      t.strictSame(
        readdirSync(join(setting.workspace, '.sites-agent/caches')),
        ['plain'],
        'each site has its own cache',
      )
      t.notOk(existsSync('/tmp/never'), 'scripts of packages do not run')
    },
  )
}

const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ...[
    'git+file:///tmp/x',
    'git+https://example.org/x.git',
    'github:a/b',
    'a/b',
    'file:../x',
    './x',
    '../x',
    '/tmp/x',
    '~/x',
    'link:../x',
    'http://127.0.0.1:1/x.tgz',
    'https://example.org/x.tgz',
    'x.tgz',
    'workspace:*',
    'npm:good@git+file:///tmp/x',
    'npm:good@./x',
    '1\nother@2',
  ].map(
    (spec) =>
      [spec, { 'package.json': JSON.stringify({ name: 'plain', dependencies: { bad: spec } }) }] as const,
  ),
  ...['devDependencies', 'optionalDependencies', 'peerDependencies'].map(
    (group) =>
      [
        group,
        { 'package.json': JSON.stringify({ name: 'plain', [group]: { bad: 'git+file:///tmp/x' } }) },
      ] as const,
  ),
  ['a name of several lines', { 'package.json': '{"name":"plain","dependencies":{"a\\nb":"1"}}' }],
  [
    'overrides',
    { 'package.json': '{"name":"plain","overrides":{"good":{".":"1","bad":"git+file:///tmp/x"}}}' },
  ],
  ['workspaces', { 'package.json': '{"name":"plain","workspaces":["x"]}' }],
  [
    'lock: git',
    {
      'package-lock.json':
        '{"lockfileVersion":3,"packages":{"node_modules/bad":{"version":"1.0.0","resolved":"git+ssh://git@example.org/x.git#1"}}}',
    },
  ],
  [
    'lock: another host',
    {
      'package-lock.json':
        '{"lockfileVersion":3,"packages":{"node_modules/bad":{"version":"1.0.0","resolved":"https://registry.npmjs.org.example.org/bad.tgz"}}}',
    },
  ],
  [
    'lock: link',
    {
      'package-lock.json':
        '{"lockfileVersion":3,"packages":{"../x":{"version":"1.0.0"},"node_modules/bad":{"resolved":"../x","link":true}}}',
    },
  ],
  [
    'lock: nested',
    {
      'package-lock.json':
        '{"lockfileVersion":3,"packages":{"node_modules/good":{"version":"1.0.0","dependencies":{"bad":"file:../x"}}}}',
    },
  ],
  [
    'lock: version 1',
    {
      'package-lock.json':
        '{"lockfileVersion":1,"dependencies":{"good":{"version":"1.0.0","dependencies":{"bad":{"version":"git+file:///tmp/x"}}}}}',
    },
  ],
]

t.test(
  'other packages are refused before anything is asked or started, as is a site without package.json',
  async (t) => {
    const setting = await sitesAgent(t)
    writeFileSync(join(setting.workspace, 'package.json'), '{"name":"parent","dependencies":{"bad":"1"}}')
    const site = writeSite(setting, {})
    for (const [name, files] of foreign) {
      for (const [path, text] of Object.entries({
        'package.json': '{"name":"plain"}',
        'package-lock.json': '{}',
        ...files,
      }))
        writeFileSync(join(site, path), text)
      setting.script([install], { intent: 'integrate' })
      const events = await setting.run(request)
      t.match(errors(events), [/only packages of the registry|has workspaces|old format/], name)
      t.strictSame(asked(events), [], name)
    }
    mkdirSync(join(setting.workspace, 'bare'))
    setting.script([['Bash', { siteId: 'bare', command: 'npm install' }]], { intent: 'integrate' })
    const events = await setting.run(request)
    t.match(errors(events), [/no package\.json/])
    t.strictSame(asked(events), [])
    t.notOk(existsSync(join(setting.workspace, 'node_modules')))
    t.notOk(existsSync(join(setting.workspace, '.sites-agent/packages/plain/npm.log')), 'npm was not started')
  },
)

const gitCommands = ['git log -p', 'git diff HEAD', 'git status --short', 'git diff HEAD -- page.html'].map(
  (command) => ['Bash', { siteId: 'plain', command }] as const,
)
const allowingCode: Person = ({ input }) =>
  input.questions[0]?.question.includes('without a sandbox') ? 'Allow' : 'No'
for (const isBoxed of works ? [true, false] : [false]) {
  t.test(
    `git shows no secrets and runs no program of a repository ${isBoxed ? 'in' : 'without'} a box`,
    async (t) => {
      const setting = await sitesAgent(t, { isBoxed, path: realPath })
      const site = writeSite(setting, {
        'page.html': 'a page',
        'a.pem': 'key-of-the-site',
        '.gitattributes': '*.html diff=x\n',
      })
      writeFileSync(join(site, 'pwn.sh'), '#!/bin/sh\ntouch "$(dirname "$0")/pwned"\n', { mode: 0o755 })
      const program = join(site, 'pwn.sh')
      mkdirSync(join(site, '.git/hooks'), { recursive: true })
      for (const hook of ['post-index-change', 'fsmonitor-watchman'])
        writeFileSync(join(site, '.git/hooks', hook), `#!/bin/sh\n${program}\n`, { mode: 0o755 })
      writeFileSync(
        join(site, '.git/config'),
        `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${program}\n\tpager = ${program}\n\tsshCommand = ${program}\n\thooksPath = ${site}/.git/hooks\n[diff]\n\texternal = ${program}\n[diff "x"]\n\ttextconv = ${program}\n[pager]\n\tlog = ${program}\n[alias]\n\tlog = !${program}\n[log]\n\tshowSignature = true\n`,
      )
      writeFileSync(join(site, 'page.html'), 'a newer page')
      const before = statSync(join(site, '.git/index')).mtimeMs
      setting.script(gitCommands, { intent: 'integrate' })
      const events = await setting.run(request, allowingCode)
      t.strictSame(errors(events), [])
      t.match(shown(setting), /\+a newer page/)
      t.notMatch(setting.model.seen.map(({ raw }) => raw).join(''), /env-of-the-site|key-of-the-site/)
      t.notOk(existsSync(join(site, 'pwned')))
      t.equal(statSync(join(site, '.git/index')).mtimeMs, before)
      t.equal(asked(events).length, isBoxed ? 0 : 1)

      mkdirSync(join(setting.workspace, 'bare'))
      execFileSync('git', ['init', '--quiet'], { cwd: setting.workspace })
      setting.script([['Bash', { siteId: 'bare', command: 'git log -p' }]], { intent: 'integrate' })
      t.match(
        errors(await setting.run(request, allowingCode)),
        [/not a git repository/],
        'the repository around the workspace is not shown',
      )
    },
  )
}
