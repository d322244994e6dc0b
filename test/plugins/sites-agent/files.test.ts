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
  listPlace,
  placeOf,
  readPlace,
  writePlace,
} from '../../../plugins/sites-agent/files/guard.ts'
import { Journals } from '../../../plugins/sites-agent/files/journal.ts'
import { toPatch } from '../../../plugins/sites-agent/files/patch.ts'
import { copySite } from '../../../plugins/sites-agent/files/working-copy.ts'
import { filesBelow, openWorkspace } from '../../../plugins/sites-agent/files/workspace.ts'
import { temporaryFolder } from '../../helpers/stack.ts'
import fc from '../../helpers/property.ts'

/** A site with a file, next to a folder with a secret. */
function neighbours(t: Parameters<typeof temporaryFolder>[0]) {
  const folder = temporaryFolder(t)
  const site = join(folder, 'site')
  const other = join(folder, 'other')
  for (const each of [site, other]) mkdirSync(each)
  writeFileSync(join(other, 'secret.txt'), 'a secret')
  writeFileSync(join(site, 'page.html'), 'a page')
  return { folder, site, other }
}

const outside = { code: 'path_outside' }

t.test('paths are limited to files of the site', async (t) => {
  const { site, other } = neighbours(t)
  t.equal((await readPlace(await placeOf(site, 'page.html'), 100)).toString(), 'a page')
  await writePlace(await placeOf(site, 'a/b/c.txt'), 'deep')
  await writePlace(await placeOf(site, './a/x/../b/c.txt'), 'd')
  t.equal(readFileSync(join(site, 'a/b/c.txt'), 'utf8'), 'd', 'a longer file is truncated')
  t.strictSame(await listPlace(await placeOf(site, '')), ['a/', 'page.html'])
  t.strictSame(await listPlace(await placeOf(site, 'a')), ['b/'])
  symlinkSync(other, join(site, 'away'))
  symlinkSync(join(other, 'none'), join(site, 'nothing'))
  symlinkSync('a', join(site, 'within'))
  for (const path of [
    '../other/secret.txt',
    '/etc/passwd',
    join(other, 'secret.txt'),
    'away/secret.txt',
    'away/new.txt',
    'nothing',
    '..',
    'a/../../other',
    'a\0b',
    'a\\..\\b',
    'x'.repeat(2000),
  ]) {
    await t.rejects(placeOf(site, path), outside, path)
  }
  t.equal(
    (await readPlace(await placeOf(site, 'within/b/c.txt'), 100)).toString(),
    'd',
    'a link that stays inside is followed',
  )
  t.notOk((await listPlace(await placeOf(site, ''))).includes('away'))
  await t.rejects(
    placeOf(site, '').then((place) => readPlace(place, 9)),
    { code: 'is_folder' },
  )
  await t.rejects(
    placeOf(site, '').then((place) => writePlace(place, '')),
    { code: 'is_folder' },
  )
  await t.rejects(
    placeOf(site, 'a').then((place) => readPlace(place, 9)),
    { code: 'is_folder' },
  )
  await t.rejects(
    placeOf(site, 'none').then((place) => readPlace(place, 9)),
    { code: 'not_found' },
  )
  await t.rejects(
    placeOf(site, 'page.html').then((place) => readPlace(place, 3)),
    { code: 'too_large' },
  )
  await t.rejects(
    placeOf(site, 'page.html/x').then((place) => writePlace(place, '')),
    outside,
  )
  linkSync(join(other, 'secret.txt'), join(site, 'twin.txt'))
  await t.rejects(
    placeOf(site, 'twin.txt').then((place) => writePlace(place, 'mine')),
    outside,
  )
  t.equal(readFileSync(join(other, 'secret.txt'), 'utf8'), 'a secret')
})

t.test('a path replaced by a link between check and use is not followed', async (t) => {
  const { site, other } = neighbours(t)
  mkdirSync(join(site, 'folder'))
  writeFileSync(join(site, 'folder/secret.txt'), 'mine')
  const file = await placeOf(site, 'folder/secret.txt')
  const fresh = await placeOf(site, 'folder/fresh.txt')
  renameSync(join(site, 'folder'), join(site, 'was'))
  symlinkSync(other, join(site, 'folder'))
  await t.rejects(readPlace(file, 100), outside)
  await t.rejects(writePlace(file, 'overwritten'), outside)
  await t.rejects(writePlace(fresh, 'new'), outside)
  await t.rejects(listPlace(fresh), outside)
  const page = await placeOf(site, 'page.html')
  renameSync(join(site, 'page.html'), join(site, 'old.html'))
  symlinkSync(join(other, 'secret.txt'), join(site, 'page.html'))
  await t.rejects(readPlace(page, 100), outside)
  await t.rejects(writePlace(page, 'overwritten'), outside)
  t.equal(readFileSync(join(other, 'secret.txt'), 'utf8'), 'a secret')
  t.notOk(existsSync(join(other, 'fresh.txt')))
})

t.test('protected names are neither read nor written, in any spelling', async (t) => {
  const { site } = neighbours(t)
  for (const path of [
    '.git/config',
    '.GIT/hooks/x',
    'a/.git',
    '.env',
    '.Env.local',
    '.env.production',
    '.git.',
    '.git ',
    '.env::$DATA',
    '.g\u200cit',
    'key.pem',
    'SERVER.KEY',
    'id_rsa',
    'a/id_ed25519.pub',
    '.npmrc',
    'git~1/config',
    '.ssh/config',
    '.sites-agent/log.jsonl',
  ]) {
    await t.rejects(placeOf(site, path), { code: 'path_protected' }, path)
  }
  for (const path of [
    '.env.example',
    '.gitignore',
    'keyboard.ts',
    'environment.ts',
    'app/api/editor/[...path]/route.ts',
  ])
    t.equal(isProtected(path), false, path)
  mkdirSync(join(site, '.git'))
  symlinkSync('.git', join(site, 'innocent'))
  await t.rejects(placeOf(site, 'innocent/config'), { code: 'path_protected' })
  t.strictSame(await filesBelow(site), ['page.html'])
})

t.test('every path is rejected or inside the site', async (t) => {
  const { site, other } = neighbours(t)
  symlinkSync(other, join(site, 'away'))
  const part = fc.constantFrom('..', '.', '', 'a', 'away', 'secret.txt', '.git', '~', '%2e%2e', 'page.html')
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 7 }), fc.boolean(), async (parts, absolute) => {
      const given = (absolute ? '/' : '') + parts.join('/')
      const place = await placeOf(site, given).catch((error: unknown) => error)
      return place instanceof Error || !JSON.stringify(place).includes('other')
    }),
  )
  t.pass()
})

t.test('site folders have strict names', async (t) => {
  const { folder, other } = neighbours(t)
  const workspace = await openWorkspace(join(folder, 'sites'))
  t.equal(await workspace.create('my-shop'), join(workspace.root, 'my-shop'))
  await t.rejects(workspace.create('my-shop'), { code: 'site_exists' })
  mkdirSync(join(workspace.root, 'Blog'))
  await t.rejects(workspace.create('blog'), { code: 'site_exists' }, 'a name that differs in case only')
  symlinkSync(other, join(workspace.root, 'linked'))
  await t.rejects(workspace.site('linked'), { code: 'site_not_found' })
  for (const id of [
    '..',
    '.',
    'a/b',
    'A',
    '',
    'editor',
    'nul',
    'node_modules',
    '-a',
    'a-',
    'x'.repeat(41),
    'a\0',
  ]) {
    await t.rejects(workspace.site(id), { code: 'invalid_site_id' }, id)
    await t.rejects(workspace.create(id), { code: 'invalid_site_id' }, id)
  }
  t.equal(await workspace.own('runs'), join(workspace.root, '.sites-agent/runs'))
  t.strictSame(await workspace.siteIds(), ['my-shop'])
})

t.test('a run works on a copy, and its changes are applied completely or not at all', async (t) => {
  const folder = temporaryFolder(t)
  const workspace = await openWorkspace(join(folder, 'sites'))
  const site = await workspace.create('site')
  const { lines, log } = capturedLog()
  const journals = new Journals({
    workspace,
    owner: 'living',
    isAlive: async (owner) => owner === 'living',
    log,
  })
  writeFileSync(join(site, 'page.html'), 'a page')
  writeFileSync(join(site, '.env.local'), 'SECRET=1')
  writeFileSync(join(site, 'gone.txt'), 'to be removed')
  chmodSync(join(site, 'page.html'), 0o755)
  mkdirSync(join(site, 'node_modules'))
  writeFileSync(join(site, 'node_modules/x.js'), '')
  const copy = await copySite(site, await workspace.own('runs', 'run', 'site'))
  t.strictSame(
    await filesBelow(copy.folder),
    ['gone.txt', 'page.html'],
    'neither secrets nor installed packages',
  )
  t.strictSame(await copy.changes(), [])
  const write = async (path: string, text: string) => writePlace(await placeOf(copy.folder, path), text)
  const read = (path: string) => readFileSync(join(site, path), 'utf8')
  const apply = async (changes: Awaited<ReturnType<typeof copy.changes>>, stamp = 'late') =>
    journals.apply('site', { changes, copy: copy.folder, backups: ['backups', 'site', stamp] })
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
  await t.rejects(apply(changes), {
    status: 409,
    code: 'copy_changed',
    reason: /'page.html' has changed since it was shown/,
  })
  t.notOk(existsSync(join(site, 'new/file.txt')), 'nothing was written')
  await write('page.html', 'another page')
  await write('unseen.txt', 'a file that was written after the others were shown')
  await apply(changes, 'first')
  copy.settled(changes)
  t.equal(read('page.html'), 'another page')
  t.equal(statSync(join(site, 'page.html')).mode & 0o777, 0o755)
  for (const path of ['gone.txt', 'unseen.txt']) t.notOk(existsSync(join(site, path)), path)
  const backup = join(workspace.root, '.sites-agent/backups/site/first')
  t.strictSame(
    [readFileSync(join(backup, 'page.html'), 'utf8'), readFileSync(join(backup, 'gone.txt'), 'utf8')],
    ['a page', 'to be removed'],
  )
  t.match(await copy.changes(), [{ path: 'unseen.txt' }], 'what was not shown is left to apply')

  await write('page.html', 'a third page')
  await write('new/file.txt', 'three')
  const shown = await copy.changes()
  writeFileSync(join(site, 'page.html'), 'changed by a person')
  await t.rejects(apply(shown), {
    status: 409,
    code: 'site_changed',
    reason: /'page.html' has changed in the site/,
  })
  await t.rejects(copy.changes(), { code: 'site_changed' }, 'it is not even shown')
  t.equal(read('new/file.txt'), 'one\ntwo\n', 'nothing was written')
  writeFileSync(join(site, 'page.html'), 'another page')
  await write('blocked/file.txt', 'x')
  await write('zz/last.txt', 'x')
  const more = await copy.changes()
  writeFileSync(join(site, 'zz'), 'a file where a folder has to be')
  await t.rejects(apply(more), outside)
  t.equal(read('page.html'), 'another page', 'writes before the failure are rolled back')
  t.notOk(existsSync(join(site, 'blocked/file.txt')))
  const own = join(workspace.root, '.sites-agent/applying')
  t.strictSame(readdirSync(own), [], 'neither lock nor staged files are left')

  const lock = join(own, 'site.json')
  writeFileSync(lock, '{"owner":"living"}')
  await t.rejects(apply(shown), {
    status: 409,
    code: 'site_busy',
    reason: /Another run is applying its changes to the site 'site'/,
  })
  writeFileSync(lock, '{"owner":"dead"}')
  mkdirSync(join(own, 'site'))
  await apply(shown)
  t.match(lines.join(''), /"files":0,.*recovered a site/)
  t.equal(read('new/file.txt'), 'three')

  const steps = [
    ['page.html', 'a third page', 'a fourth page'],
    ['new/file.txt', 'three', 'four'],
    ['zz/last.txt', '', 'x'],
  ].map(([path = '', before, after]) => ({
    path,
    before: before ? hash('sha256', before) : null,
    after: hash('sha256', String(after)),
  }))
  mkdirSync(join(own, '../kept'))
  await writePlace(await placeOf(join(own, '../kept'), 'page.html'), 'a third page')
  writeFileSync(lock, JSON.stringify({ owner: 'dead', next: ['none'], kept: ['kept'], steps }))
  writeFileSync(join(site, 'page.html'), 'a fourth page')
  await journals.recover()
  t.equal(read('page.html'), 'a third page', 'what cannot be finished is rolled back')
  t.notOk(existsSync(lock))
  await copy.remove()
  t.notOk(existsSync(copy.folder))
})

t.test('every changed line of a file is shown, and nothing in it can hide', (t) => {
  const toBytes = (content: string | Uint8Array | undefined) =>
    content === undefined ? undefined : Buffer.from(content)
  const patchOf = (
    before: string | Uint8Array | undefined,
    after: string | Uint8Array | undefined,
    path = 'a.js',
  ) => toPatch(path, toBytes(before), toBytes(after))
  t.strictSame(patchOf('a\nb\nc', 'a\nx\nc'), { patch: '@@ line 2 @@\n-b\n+x', isShown: true })
  t.match(patchOf(undefined, `${'x\n'.repeat(5_000)}last`).patch, /(?:\n\+x){5000}\n\+last$/)
  t.equal(patchOf(undefined, 'steal()\0').patch, '@@ line 1 @@\n+steal()<U+0000>')
  t.equal(
    patchOf('if (a)', 'if (\u202ea\u2066)\r\tb\u200b\ufe0f\u{e0041}').patch,
    '@@ line 1 @@\n-if (a)\n+if (<U+202E>a<U+2066>)<U+000D>\tb<U+200B><U+FE0F><U+E0041>',
  )
  t.equal(
    patchOf('<U+202E>', '\u202e').patch,
    '@@ line 1 @@\n-<U+003C>U+202E>\n+<U+202E>',
    'a text that looks like an escape is escaped',
  )
  t.equal(
    patchOf('é', new Uint8Array([0xe9, 0xad])).patch,
    '@@ line 1 @@\n-é\n+<E9><AD>',
    'other encodings differ',
  )
  t.equal(patchOf(new Uint8Array([0xfe]), new Uint8Array([0xff])).patch, '@@ line 1 @@\n-<FE>\n+<FF>')
  t.match(patchOf(new Uint8Array([0xff]), new Uint8Array([0xff, 0]), 'a.PNG'), {
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

t.test('a site with too many files is refused', async (t) => {
  const { site } = neighbours(t)
  for (let at = 0; at < 10; at++) writeFileSync(join(site, `${at}.txt`), '')
  await t.rejects(filesBelow(site, 5), { code: 'too_many_files' })
})
