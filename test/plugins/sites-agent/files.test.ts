import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { capturedLog } from '../../../kernel/testing.ts'
import {
  isProtected,
  listGuarded,
  guardPath,
  readGuarded,
  writeGuarded,
  Journals,
  toPatch,
  copySite,
  filesBelow,
  openWorkspace,
} from '../../../plugins/agents/onboarding/testing.ts'
import { writeSite } from '../../helpers/sites-agent.ts'
import { temporaryFolder } from '../../helpers/stack.ts'
import fc from '../../helpers/property.ts'

/** A site with a file, next to a folder with a secret. */
function neighbours(t: Parameters<typeof temporaryFolder>[0]) {
  const folder = temporaryFolder(t)
  const other = writeSite({ workspace: folder }, { 'secret.txt': 'a secret' }, 'other')
  const site = writeSite({ workspace: folder }, { 'page.html': 'a page' }, 'site')
  return { folder, site, other }
}

const outside = /is outside the site/

t.test('paths are limited to files of the site', async (t) => {
  const { site, other } = neighbours(t)
  const read = async (path: string, most = 100) =>
    (await readGuarded(await guardPath(site, path), most)).toString()
  const write = async (path: string, text = '') => writeGuarded(await guardPath(site, path), text)
  const list = async (path: string) => listGuarded(await guardPath(site, path))
  t.equal(await read('page.html'), 'a page')
  await write('a/b/c.txt', 'deep')
  await write('./a/x/../b/c.txt', 'd')
  t.equal(readFileSync(join(site, 'a/b/c.txt'), 'utf8'), 'd', 'a longer file is truncated')
  t.strictSame([await list(''), await list('a')], [['a/', 'page.html'], ['b/']])
  symlinkSync(other, join(site, 'away'))
  symlinkSync(join(other, 'none'), join(site, 'nothing'))
  symlinkSync('a', join(site, 'within'))
  const outsiders =
    '../other/secret.txt /etc/passwd away/secret.txt away/new.txt nothing .. a/../../other a\0b'
  for (const path of [...outsiders.split(' '), join(other, 'secret.txt'), 'a\\..\\b', 'x'.repeat(2000)])
    await t.rejects(guardPath(site, path), outside, path)
  t.equal(await read('within/b/c.txt'), 'd', 'a link that stays inside is followed')
  t.notOk((await list('')).includes('away'))
  await t.rejects(read(''), /is a folder/)
  await t.rejects(write(''), /is a folder/)
  await t.rejects(read('a'), /is a folder/)
  await t.rejects(read('none'), /does not exist/)
  await t.rejects(read('page.html', 3), /exceeds 3 bytes/)
  await t.rejects(write('page.html/x'), outside)
  linkSync(join(other, 'secret.txt'), join(site, 'twin.txt'))
  await t.rejects(write('twin.txt', 'mine'), outside)
  t.equal(readFileSync(join(other, 'secret.txt'), 'utf8'), 'a secret')
})

t.test('a path replaced by a link between check and use is not followed', async (t) => {
  const { site, other } = neighbours(t)
  writeSite({ workspace: site }, { 'secret.txt': 'mine' }, 'folder')
  const file = await guardPath(site, 'folder/secret.txt')
  const fresh = await guardPath(site, 'folder/fresh.txt')
  renameSync(join(site, 'folder'), join(site, 'was'))
  symlinkSync(other, join(site, 'folder'))
  const page = await guardPath(site, 'page.html')
  renameSync(join(site, 'page.html'), join(site, 'old.html'))
  symlinkSync(join(other, 'secret.txt'), join(site, 'page.html'))
  for (const each of [file, page]) await t.rejects(readGuarded(each, 100), outside)
  for (const each of [file, fresh, page]) await t.rejects(writeGuarded(each, 'overwritten'), outside)
  await t.rejects(listGuarded(fresh), outside)
  t.equal(readFileSync(join(other, 'secret.txt'), 'utf8'), 'a secret')
  t.notOk(existsSync(join(other, 'fresh.txt')))
})

t.test('protected names are neither read nor written, in any spelling', async (t) => {
  const { site } = neighbours(t)
  const names =
    '.git/config|.GIT/hooks/x|a/.git|.env|.Env.local|.env.production|.git.|.git |.env::$DATA|.g\u200cit|' +
    '.env\nx|key.pem|SERVER.KEY|id_rsa|a/id_ed25519.pub|.npmrc|.yarnrc.yml|git~1/config|.ssh/config|.sites-agent/log.jsonl'
  for (const path of names.split('|')) await t.rejects(guardPath(site, path), /must not read or write/, path)
  const others = '.env.example .gitignore keyboard.ts environment.ts app/api/[...path]/route.ts'
  for (const path of others.split(' ')) t.equal(isProtected(path), false, path)
  mkdirSync(join(site, '.git'))
  symlinkSync('.git', join(site, 'innocent'))
  await t.rejects(guardPath(site, 'innocent/config'), /must not read or write/)
  t.strictSame(await filesBelow(site), ['page.html'])
  await t.rejects(filesBelow(site, 0), /more than 0 files/)
})

t.test('every path is rejected or inside the site', async (t) => {
  const { site, other } = neighbours(t)
  symlinkSync(other, join(site, 'away'))
  const part = fc.constantFrom('..', '.', '', 'a', 'away', 'secret.txt', '.git', '~', '%2e%2e', 'page.html')
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 7 }), fc.boolean(), async (parts, absolute) => {
      const given = (absolute ? '/' : '') + parts.join('/')
      const place = await guardPath(site, given).catch((error: unknown) => error)
      return place instanceof Error || !JSON.stringify(place).includes('other')
    }),
  )
  t.pass()
})

t.test('site folders have strict names', async (t) => {
  const { folder, other } = neighbours(t)
  const workspace = await openWorkspace(join(folder, 'sites'))
  t.equal(await workspace.create('my-shop'), join(workspace.root, 'my-shop'))
  mkdirSync(join(workspace.root, 'Blog'))
  for (const taken of ['my-shop', 'blog'])
    await t.rejects(workspace.create(taken), /already has a folder/, taken)
  symlinkSync(other, join(workspace.root, 'linked'))
  await t.rejects(workspace.site('linked'), /no such site/)
  for (const id of [...'..|.|a/b|A||editor|nul|node_modules|-a|a-|a\0'.split('|'), 'x'.repeat(41)]) {
    await t.rejects(workspace.site(id), /not a valid site id/, id)
    await t.rejects(workspace.create(id), /not a valid site id/, id)
  }
  t.equal(await workspace.own('runs'), join(workspace.root, '.sites-agent/runs'))
  t.strictSame(await workspace.siteIds(), ['my-shop'])
})

/** A site with a working copy, and a service that applies changes to it. */
async function copied(t: Parameters<typeof temporaryFolder>[0], files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(t)
  const workspace = await openWorkspace(join(folder, 'sites'))
  const site = writeSite({ workspace: workspace.root }, files, 'site')
  const { lines, log } = capturedLog()
  const isAlive = async (owner: string) => owner === 'living'
  const journals = new Journals({ workspace, owner: 'living', isAlive, log })
  const copy = await copySite(site, await workspace.own('runs', 'run', 'site'))
  const own = join(workspace.root, '.sites-agent')
  return {
    folder,
    site,
    copy,
    journals,
    lines,
    own,
    write: async (path: string, text: string) => writeGuarded(await guardPath(copy.folder, path), text),
    read: (path: string) => readFileSync(join(site, path), 'utf8'),
    apply: (changes: Awaited<ReturnType<typeof copy.changes>>, stamp = 'late') =>
      journals.apply('site', { changes, copy: copy.folder, backups: ['backups', 'site', stamp] }),
  }
}

t.test('a run works on a copy, and its changes are applied completely or not at all', async (t) => {
  const { folder, site, own, copy, write, read, apply } = await copied(t, {
    'page.html': 'a page',
    '.env.local': 'SECRET=1',
    'gone.txt': 'to be removed',
    'node_modules/x.js': '',
  })
  chmodSync(join(site, 'page.html'), 0o755)
  t.strictSame(await filesBelow(copy.folder), ['gone.txt', 'page.html'], 'neither secrets nor packages')
  t.strictSame(await copy.changes(), [])
  await write('page.html', 'another page')
  await write('new/file.txt', 'one\ntwo\n')
  renameSync(join(copy.folder, 'gone.txt'), join(folder, 'elsewhere'))
  const changes = await copy.changes()
  t.match(changes, [
    { path: 'gone.txt', kind: 'removed', patch: '@@ line 1 @@\n-to be removed' },
    { path: 'new/file.txt', kind: 'added', patch: '@@ line 1 @@\n+one\n+two\n+' },
    { path: 'page.html', kind: 'changed', patch: '@@ line 1 @@\n-a page\n+another page' },
  ])
  t.equal(read('page.html'), 'a page', 'nothing has changed yet')

  await write('page.html', 'something that nobody saw')
  const reason = /'page.html' has changed since it was shown/
  await t.rejects(apply(changes), reason)
  t.notOk(existsSync(join(site, 'new/file.txt')), 'nothing was written')
  await write('page.html', 'another page')
  await write('unseen.txt', 'a file that was written after the others were shown')
  await apply(changes, 'first')
  copy.settled(changes)
  t.equal(read('page.html'), 'another page')
  t.equal(statSync(join(site, 'page.html')).mode & 0o777, 0o755)
  for (const path of ['gone.txt', 'unseen.txt']) t.notOk(existsSync(join(site, path)), path)
  const kept = (path: string) => readFileSync(join(own, 'backups/site/first', path), 'utf8')
  t.strictSame([kept('page.html'), kept('gone.txt')], ['a page', 'to be removed'])
  t.match(await copy.changes(), [{ path: 'unseen.txt' }], 'what was not shown is left to apply')

  await write('page.html', 'a third page')
  await write('new/file.txt', 'three')
  const shown = await copy.changes()
  writeFileSync(join(site, 'page.html'), 'changed by a person')
  const inSite = /'page.html' has changed in the site/
  await t.rejects(apply(shown), inSite)
  await t.rejects(copy.changes(), inSite, 'it is not even shown')
  t.equal(read('new/file.txt'), 'one\ntwo\n', 'nothing was written')
  writeFileSync(join(site, 'page.html'), 'another page')
  await write('blocked/file.txt', 'x')
  await write('zz/last.txt', 'x')
  const more = await copy.changes()
  mkdirSync(join(site, 'zz/.sites-agent'), { recursive: true })
  await t.rejects(apply(more), { code: 'ERR_FS_EISDIR' }, 'an unfinished file cannot be written')
  t.equal(read('page.html'), 'another page', 'writes before the failure are rolled back')
  t.notOk(existsSync(join(site, 'blocked/file.txt')))
  t.strictSame(readdirSync(join(own, 'applying')), [], 'neither lock nor staged files are left')
  await copy.remove()
  t.notOk(existsSync(copy.folder))
})

t.test('one run at a time applies to a site, and what an ended service left is recovered', async (t) => {
  const { site, own, copy, write, read, apply, journals, lines } = await copied(t, { 'a.html': 'a page' })
  await write('a.html', 'another page')
  const changes = await copy.changes()
  mkdirSync(join(own, 'applying'))
  const lock = join(own, 'applying/site.json')
  writeFileSync(lock, '{"owner":"living"}')
  const busy = /Another run is applying its changes to the site 'site'/
  await t.rejects(apply(changes), busy)
  writeFileSync(lock, '{"owner":"dead"}')
  mkdirSync(join(own, 'applying/site'))
  await apply(changes)
  t.match(lines.join(''), /"files":0,.*recovered a site/)
  t.equal(read('a.html'), 'another page')

  const [second, third, last] = ['another page', 'a third page', 'x'].map((text) => hash('sha256', text))
  const steps = [
    { path: 'a.html', before: second, after: third },
    { path: 'zz/last.txt', before: null, after: last },
  ]
  writeSite({ workspace: own }, { 'a.html': 'another page' }, 'kept')
  writeFileSync(lock, JSON.stringify({ owner: 'dead', next: ['none'], kept: ['kept'], steps }))
  writeFileSync(join(site, 'a.html'), 'a third page')
  await journals.recover()
  t.equal(read('a.html'), 'another page', 'what cannot be finished is rolled back')
  t.notOk(existsSync(lock))
})

t.test('every changed line of a file is shown, and nothing in it can hide', (t) => {
  type Content = string | readonly number[] | undefined
  const toBytes = (content: Content) =>
    typeof content === 'string' ? Buffer.from(content) : content && Buffer.from(content)
  const patchOf = (before: Content, after: Content, path = 'a.js') =>
    toPatch(path, toBytes(before), toBytes(after))
  t.strictSame(patchOf('a\nb\nc', 'a\nx\nc'), { patch: '@@ line 2 @@\n-b\n+x', isShown: true })
  t.match(patchOf(undefined, `${'x\n'.repeat(5_000)}last`).patch, /(?:\n\+x){5000}\n\+last$/)
  for (const [before, after, lines] of [
    [undefined, 'steal()\0', '+steal()<U+0000>'],
    [
      'if (a)',
      'if (\u202ea\u2066)\r\tb\u200b\ufe0f\u{e0041}',
      '-if (a)\n+if (<U+202E>a<U+2066>)<U+000D>\tb<U+200B><U+FE0F><U+E0041>',
    ],
    // A text that looks like an escape is escaped.
    ['<U+202E>', '\u202e', '-<U+003C>U+202E>\n+<U+202E>'],
    // Other encodings differ.
    ['é', [0xe9, 0xad], '-é\n+<E9><AD>'],
    [[0xfe], [0xff], '-<FE>\n+<FF>'],
  ] as const)
    t.equal(patchOf(before, after).patch, `@@ line 1 @@\n${lines}`)
  t.match(patchOf([0xff], [0xff, 0], 'a.PNG'), {
    isShown: false,
    patch: /^\(not shown, binary: 2 bytes, sha256 [0-9a-f]{64}, instead of 1 bytes, sha256 [0-9a-f]{64}\)$/,
  })
  t.match(patchOf(undefined, 'steal()', 'a.png').patch, /\+steal\(\)/, 'text is shown whatever its name is')
  t.match(patchOf('x'.repeat(300_000), undefined), {
    isShown: false,
    patch: /^\(not shown, too large: no file, instead of 300000 bytes, sha256 /,
  })
  t.end()
})
