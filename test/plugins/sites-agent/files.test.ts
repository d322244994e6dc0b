import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isProtected, listPlace, placeOf, readPlace, writePlace } from '../../../plugins/sites-agent/files/guard.ts'
import { copySite, toPatch } from '../../../plugins/sites-agent/files/working-copy.ts'
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
  for (const path of ['../other/secret.txt', '/etc/passwd', join(other, 'secret.txt'), 'away/secret.txt', 'away/new.txt', 'nothing', '..', 'a/../../other', 'a\0b', 'a\\..\\b', 'x'.repeat(2000)]) {
    await t.rejects(placeOf(site, path), outside, path)
  }
  t.equal((await readPlace(await placeOf(site, 'within/b/c.txt'), 100)).toString(), 'd', 'a link that stays inside is followed')
  t.notOk((await listPlace(await placeOf(site, ''))).includes('away'))
  await t.rejects(placeOf(site, '').then((place) => readPlace(place, 9)), { code: 'is_folder' })
  await t.rejects(placeOf(site, '').then((place) => writePlace(place, '')), { code: 'is_folder' })
  await t.rejects(placeOf(site, 'a').then((place) => readPlace(place, 9)), { code: 'is_folder' })
  await t.rejects(placeOf(site, 'none').then((place) => readPlace(place, 9)), { code: 'not_found' })
  await t.rejects(placeOf(site, 'page.html').then((place) => readPlace(place, 3)), { code: 'too_large' })
  await t.rejects(placeOf(site, 'page.html/x').then((place) => writePlace(place, '')), outside)
  linkSync(join(other, 'secret.txt'), join(site, 'twin.txt'))
  await t.rejects(placeOf(site, 'twin.txt').then((place) => writePlace(place, 'mine')), outside)
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
  for (const path of ['.git/config', '.GIT/hooks/x', 'a/.git', '.env', '.Env.local', '.env.production', '.git.', '.git ', '.env::$DATA', '.g\u200cit', 'key.pem', 'SERVER.KEY', 'id_rsa', 'a/id_ed25519.pub', '.npmrc', 'git~1/config', '.ssh/config', '.sites-agent/log.jsonl']) {
    await t.rejects(placeOf(site, path), { code: 'path_protected' }, path)
  }
  for (const path of ['.env.example', '.gitignore', 'keyboard.ts', 'environment.ts', 'app/api/editor/[...path]/route.ts']) t.equal(isProtected(path), false, path)
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
  for (const id of ['..', '.', 'a/b', 'A', '', 'editor', 'nul', 'node_modules', '-a', 'a-', 'x'.repeat(41), 'a\0']) {
    await t.rejects(workspace.site(id), { code: 'invalid_site_id' }, id)
    await t.rejects(workspace.create(id), { code: 'invalid_site_id' }, id)
  }
  t.equal(await workspace.own('runs'), join(workspace.root, '.sites-agent/runs'))
  t.strictSame(await workspace.siteIds(), ['my-shop'])
})

t.test('a run works on a copy, and its changes are applied completely or not at all', async (t) => {
  const { folder, site } = neighbours(t)
  writeFileSync(join(site, '.env.local'), 'SECRET=1')
  writeFileSync(join(site, 'gone.txt'), 'to be removed')
  mkdirSync(join(site, 'node_modules'))
  writeFileSync(join(site, 'node_modules/x.js'), '')
  for (const name of ['copy', 'backups', 'late']) mkdirSync(join(folder, name))
  const copy = await copySite(site, join(folder, 'copy'))
  t.strictSame(await filesBelow(copy.folder), ['gone.txt', 'page.html'], 'neither secrets nor installed packages')
  t.strictSame(await copy.changes(), [])
  const place = (path: string) => placeOf(copy.folder, path)
  await writePlace(await place('page.html'), 'another page')
  await writePlace(await place('new/file.txt'), 'one\ntwo\n')
  renameSync(join(copy.folder, 'gone.txt'), join(folder, 'elsewhere'))
  const changes = await copy.changes()
  t.match(changes, [
    { path: 'gone.txt', kind: 'removed', patch: '@@ line 1 @@\n-to be removed' },
    { path: 'new/file.txt', kind: 'added', patch: '@@ line 1 @@\n+one\n+two\n+' },
    { path: 'page.html', kind: 'changed', patch: '@@ line 1 @@\n-a page\n+another page' },
  ])
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'a page', 'nothing has changed yet')
  await copy.apply(changes, join(folder, 'backups'))
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'another page')
  t.notOk(existsSync(join(site, 'gone.txt')))
  t.equal(readFileSync(join(folder, 'backups/page.html'), 'utf8'), 'a page')
  t.equal(readFileSync(join(folder, 'backups/gone.txt'), 'utf8'), 'to be removed')
  t.strictSame(await copy.changes(), [], 'nothing is left to apply')

  await writePlace(await place('page.html'), 'a third page')
  await writePlace(await place('new/file.txt'), 'three')
  writeFileSync(join(site, 'page.html'), 'changed by a person')
  await t.rejects(copy.apply(await copy.changes(), join(folder, 'late')), { code: 'site_changed' })
  t.equal(readFileSync(join(site, 'new/file.txt'), 'utf8'), 'one\ntwo\n', 'nothing was written')
  writeFileSync(join(site, 'page.html'), 'another page')
  await writePlace(await place('blocked/file.txt'), 'x')
  await writePlace(await place('zz/last.txt'), 'x')
  const more = await copy.changes()
  writeFileSync(join(site, 'zz'), 'a file where a folder has to be')
  await t.rejects(copy.apply(more, join(folder, 'late')), outside)
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'another page', 'writes before the failure are rolled back')
  t.notOk(existsSync(join(site, 'blocked/file.txt')))
  await copy.remove()
  t.notOk(existsSync(copy.folder))
})

t.test('differences are shown as lines', (t) => {
  t.equal(toPatch(Buffer.from('a\nb\nc'), Buffer.from('a\nx\nc')), '@@ line 2 @@\n-b\n+x')
  t.equal(toPatch(undefined, Buffer.from([0, 1])), '(binary, 2 bytes)')
  t.equal(toPatch(Buffer.from([0]), undefined), '(binary, 0 bytes)')
  t.match(toPatch(undefined, Buffer.from('x\n'.repeat(500))), /… 101 more lines$/)
  t.end()
})

t.test('a site with too many files is refused', async (t) => {
  const { site } = neighbours(t)
  for (let at = 0; at < 10; at++) writeFileSync(join(site, `${at}.txt`), '')
  await t.rejects(filesBelow(site, 5), { code: 'too_many_files' })
})
