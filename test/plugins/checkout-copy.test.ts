import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { createDraftFiles } from '../../plugins/checkout/port.ts'
import { checkoutOf, put, website } from '../helpers/checkouts.ts'

t.test('a checkout has the files of the repository, its variables and packages, and no caches', async (t) => {
  const site = website(t, { 'new.txt': 'not committed' })
  symlinkSync('page.txt', join(site.folder, 'link.txt'))
  utimesSync(join(site.folder, 'page.txt'), 1_000_000, 1_000_000)
  const { folder } = await checkoutOf(t, site)
  t.equal(dirname(dirname(folder)), dirname(site.folder), 'it is beside the repository')
  for (const path of ['page.txt', 'new.txt', 'link.txt', '.env', 'node_modules/oak/index.js'])
    t.equal(readFileSync(join(folder, path), 'utf8'), readFileSync(join(site.folder, path), 'utf8'), path)
  for (const path of ['made', '.git', 'node_modules/.cache']) t.notOk(existsSync(join(folder, path)), path)
  t.equal(statSync(join(folder, 'page.txt')).mtimeMs, 1_000_000_000)
  t.equal(site.git('status', '--short'), '?? link.txt\n', 'nothing is written in the repository')
})

t.test('packages are no copies on one file system, and a written file never is the original', async (t) => {
  const site = website(t)
  const { folder, write } = await checkoutOf(t, site)
  const package_ = 'node_modules/oak/index.js'
  const [own, copied] = [site.folder, folder].map((each) => statSync(join(each, package_)))
  // A reflink is a file of its own.
  t.ok(own?.ino === copied?.ino || copied?.nlink === 1)
  await write([{ path: package_, text: 'exports.oak = 2' }])
  t.equal(readFileSync(join(site.folder, package_), 'utf8'), 'exports.oak = 1')
})

t.test('a draft is written into the checkout, and follows leave it', async (t) => {
  const site = website(t)
  const { folder, write, follow } = await checkoutOf(t, site, {
    isContent: (path) => path.startsWith('posts/'),
  })
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  await write([
    { path: 'page.txt', text: 'Draft' },
    { path: 'new/folder/page.txt', text: 'New' },
  ])
  t.strictSame([read('page.txt'), read('new/folder/page.txt')], ['Draft', 'New'])
  const { ino } = statSync(join(folder, 'page.txt'))
  await write([{ path: 'page.txt', text: 'Draft' }])
  t.equal(statSync(join(folder, 'page.txt')).ino, ino, 'what is equal is not written')

  put(join(site.folder, 'page.txt'), 'Changed by a developer')
  put(join(site.folder, 'posts/oak.md'), 'Oak')
  put(join(site.folder, 'style.css'), 'body {}')
  rmSync(join(site.folder, 'server.mjs'))
  t.strictSame((await follow()).toSorted(), ['server.mjs', 'style.css'])
  t.equal(read('page.txt'), 'Draft')
  t.equal(read('style.css'), 'body {}')
  t.notOk(existsSync(join(folder, 'server.mjs')))
  t.strictSame(await follow(), [])

  await write([{ path: 'new/folder/page.txt', text: undefined }])
  t.notOk(existsSync(join(folder, 'new/folder/page.txt')))
  t.strictSame(readdirSync(join(folder, '..', 'tmp')), [], 'no unfinished file is left')
})

t.test('a file that a program is at writing is copied once it is saved', async (t) => {
  const site = website(t)
  const { folder, ...checkout } = await checkoutOf(t, site)
  const path = join(site.folder, 'page.txt')
  const half = openSync(path, 'w')
  const following = checkout.follow()
  const read = (): string => readFileSync(join(folder, 'page.txt'), 'utf8')
  const seen = new Set<string>()
  const watching = setInterval(() => seen.add(read()), 5)
  await pause(200)
  writeSync(half, 'Saved')
  closeSync(half)
  await following
  clearInterval(watching)
  t.strictSame([[...seen.add('Saved')], read()], [['We build boats.', 'Saved'], 'Saved'])
})

t.test('what git is at writing is copied once it has finished', async (t) => {
  const site = website(t)
  let isBusy = false
  const { folder, follow } = await checkoutOf(t, site, { isBusy: async () => isBusy })
  const read = (): string => readFileSync(join(folder, 'page.txt'), 'utf8')
  put(join(site.folder, 'page.txt'), 'Half of a merge')
  isBusy = true
  await follow()
  t.equal(read(), 'We build boats.')
  t.strictSame(readdirSync(join(folder, '..', 'tmp')), [], 'no unfinished file is left')
  isBusy = false
  await follow()
  t.equal(read(), 'Half of a merge')
})

t.test('a picture of a draft is there before its text, and goes after it', async (t) => {
  const site = website(t)
  const { folder, ...checkout } = await checkoutOf(t, site)
  const copyOf = join(dirname(site.folder), 'waiting')
  const bytes = Buffer.from([0x89, 0xff, 0xfe, 0])
  put(copyOf, '')
  writeFileSync(copyOf, bytes)
  const orders: (readonly string[])[] = []
  let files = new Map<string, string | { readonly copyOf: string }>()
  const write = createDraftFiles({
    filesOf: async () => ({ files, pages: new Map(), isComplete: false }),
    root: site.folder,
    checkout: {
      follow: checkout.follow,
      async write(given) {
        orders.push(given.map(({ path }) => path))
        await checkout.write(given)
      },
    },
    onWritten: () => undefined,
    onError: (error) => t.fail(String(error)),
  })
  files = new Map([['page.txt', 'Draft']])
  await write()
  files = new Map<string, string | { readonly copyOf: string }>([
    ['page.txt', 'Draft a.png'],
    ['img/a.png', { copyOf }],
  ])
  await write()
  t.strictSame(readFileSync(join(folder, 'img/a.png')), bytes)
  await write()
  files = new Map()
  await write()
  t.notOk(existsSync(join(folder, 'img/a.png')))
  t.equal(readFileSync(join(folder, 'page.txt'), 'utf8'), 'We build boats.')
  t.strictSame(orders.slice(1), [['img/a.png', 'page.txt'], [], ['page.txt', 'img/a.png']])

  files = new Map([['img/a.png', { copyOf }]])
  await write()
  put(join(site.folder, 'img/a.png'), '')
  writeFileSync(join(site.folder, 'img/a.png'), bytes)
  rmSync(copyOf)
  await write({ isRepositoryNew: true })
  t.strictSame(readFileSync(join(folder, 'img/a.png')), bytes, 'one that was published meanwhile stays')
})

t.test('the next start has the repository as it is, and packages that were installed', async (t) => {
  const site = website(t)
  const first = await checkoutOf(t, site)
  await first.write([
    { path: 'page.txt', text: 'Draft' },
    { path: 'draft.txt', text: 'Draft' },
    { path: 'server.mjs', text: undefined },
  ])
  put(join(site.folder, 'style.css'), 'body {}')
  put(join(site.folder, 'node_modules/elm/index.js'), 'exports.elm = 1')
  const { folder } = await checkoutOf(t, site)
  t.equal(folder, first.folder)
  t.equal(readFileSync(join(folder, 'page.txt'), 'utf8'), 'We build boats.')
  t.ok(existsSync(join(folder, 'server.mjs')))
  t.ok(existsSync(join(folder, 'style.css')))
  t.ok(existsSync(join(folder, 'node_modules/elm/index.js')))
  t.notOk(existsSync(join(folder, 'draft.txt')))
})

t.test('a path out of the folder is refused, and nothing is written', async (t) => {
  const site = website(t)
  const { folder, write } = await checkoutOf(t, site)
  symlinkSync(site.folder, join(folder, 'out'))
  symlinkSync(join(site.folder, 'absent.txt'), join(folder, 'dangling.txt'))
  for (const path of [
    '../out.txt',
    '/tmp/out.txt',
    'a/../../out.txt',
    'out/page.txt',
    'dangling.txt',
    '',
    '.',
    'a\0b',
    'a\\b',
  ])
    await t.rejects(
      write([
        { path: 'page.txt', text: 'Draft' },
        { path, text: 'x' },
      ]),
      Error,
      JSON.stringify(path),
    )
  t.equal(readFileSync(join(folder, 'page.txt'), 'utf8'), 'We build boats.')
  t.equal(site.git('status', '--short'), '')
})

t.test('a website without git is copied without packages and what is made', async (t) => {
  const site = website(t, { '.next/made.js': 'made' })
  rmSync(join(site.folder, '.git'), { recursive: true })
  const { folder } = await checkoutOf(t, site, { git: () => Promise.reject(new Error('no repository')) })
  t.ok(existsSync(join(folder, 'page.txt')))
  t.ok(existsSync(join(folder, 'node_modules/oak/index.js')))
  t.notOk(existsSync(join(folder, '.next')))
})

t.test('a website in a folder of a repository is copied with the packages above it', async (t) => {
  const site = website(t, {
    'sites/docs/package.json': JSON.stringify({
      scripts: { dev: 'node server.mjs' },
      dependencies: { oak: '1' },
    }),
    'sites/docs/page.txt': 'Docs',
    'sites/docs/node_modules/.bin/own': '',
  })
  rmSync(join(site.folder, 'sites/docs/node_modules'), { recursive: true })
  const { folder, write } = await checkoutOf(t, { ...site, folder: join(site.folder, 'sites/docs') })
  t.ok(folder.endsWith('/boats/sites/docs'))
  t.ok(existsSync(join(folder, '../../node_modules/oak/index.js')))
  await write([{ path: 'page.txt', text: 'Draft' }])
  t.equal(readFileSync(join(folder, 'page.txt'), 'utf8'), 'Draft')
})
