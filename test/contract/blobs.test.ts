import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { randomIds, systemClock } from '../../kernel/index.ts'
import { blobsContract } from '../../config/contracts/blobs.ts'
import { createFileBlobs } from '../../plugins/blobs/testing.ts'
import { createMemoryBlobs } from '../helpers/memory-blobs.ts'

const given = { clock: systemClock, ids: randomIds }
const png = { type: 'image/png', extension: 'png' }

t.test('blobs in memory fulfil the contract', (t) => blobsContract(t, async () => createMemoryBlobs(given)))

t.test('blobs in a folder fulfil the contract', (t) =>
  blobsContract(t, (t) => createFileBlobs({ folder: join(t.testdir(), 'deep', 'images'), ...given })),
)

t.test('the first write creates the folder, and files have mode 0600', async (t) => {
  const folder = join(t.testdir(), 'a', 'b')
  const blobs = await createFileBlobs({ folder, ...given })
  await t.rejects(stat(folder), { code: 'ENOENT' })
  t.equal(await blobs.open('a.png'), undefined)
  const { key } = await blobs.put(Uint8Array.of(1), png)
  t.equal((await stat(join(folder, key))).mode & 0o777, 0o600)
  t.equal((await stat(folder)).mode & 0o777, 0o700)
  t.same(await readdir(folder), [key])
})

t.test('only regular files are found: no link, no folder, no pipe', async (t) => {
  const folder = t.testdir({ 'real.png': 'here', 'folder.png': {}, 'outside.txt': 'secret' })
  const blobs = await createFileBlobs({ folder, ...given })
  await symlink(join(folder, 'outside.txt'), join(folder, 'link.png'))
  await symlink('real.png', join(folder, 'inside-link.png'))
  await symlink('/etc', join(folder, 'etc.png'))
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'pipe.png')])
  t.equal((await blobs.open('real.png'))?.size, 4)
  for (const key of ['link.png', 'inside-link.png', 'etc.png', 'folder.png', 'pipe.png']) {
    t.equal(await blobs.open(key), undefined, key)
    t.equal(await blobs.remove(key), false, key)
  }
  t.match(await Array.fromAsync(blobs.list()), [{ key: 'real.png' }])
  t.ok((await readdir(folder)).includes('folder.png'))
})

t.test('unfinished files of an earlier process are removed, and nothing else', async (t) => {
  const half = `.writing-${'0'.repeat(32)}`
  const folder = t.testdir({ [half]: 'half', 'whole.png': 'whole', '.writing-notes': 'of somebody else' })
  const blobs = await createFileBlobs({ folder, ...given })
  t.same((await readdir(folder)).sort(), ['.writing-notes', 'whole.png'])
  t.equal(await blobs.open(half), undefined)
})

t.test('an aborted upload leaves no file', async (t) => {
  const folder = t.testdir({})
  const blobs = await createFileBlobs({ folder, ...given })
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(10)
    t.equal((await readdir(folder)).length, 1, 'a temporary file exists')
    throw new Error('gone')
  }
  await t.rejects(blobs.put(broken(), png), { message: 'gone' })
  t.same(await readdir(folder), [])
})

t.test('a path that is not a folder prevents the start, and the error names the variable', async (t) => {
  const folder = t.testdir({ file: 'not a folder' })
  await t.rejects(createFileBlobs({ folder: join(folder, 'file'), ...given }), {
    name: 'BootError',
    problems: [/ORCHESTRATOR_GENERATED_IMAGE_DIR/],
  })
})

t.test(
  'a folder that becomes unavailable is reported with the remedy, and works again afterwards',
  async (t) => {
    const folder = join(t.testdir(), 'images')
    const blobs = await createFileBlobs({ folder, ...given })
    const { key } = await blobs.put(Uint8Array.of(1), png)
    const opened = await blobs.open(key)
    await rm(folder, { recursive: true })
    await writeFile(folder, 'something else')
    const unavailable = { name: 'Refusal', status: 503, code: 'blobs_unavailable', reason: /repeat/ }
    await t.rejects(blobs.put(Uint8Array.of(1), png), unavailable)
    await t.rejects(Array.fromAsync(opened?.bytes ?? []), unavailable)
    t.match(await blobs.health(), /folder/)
    await rm(folder)
    await mkdir(folder)
    t.equal(await blobs.health(), 'ok')
    t.equal((await blobs.put(Uint8Array.of(1), png)).size, 1)
  },
)

t.test('a file replaced between stat and read is not mixed up', async (t) => {
  const folder = t.testdir({})
  const blobs = await createFileBlobs({ folder, ...given })
  const about = { ...png, key: 'cache.png' }
  await blobs.put(Uint8Array.of(1, 2, 3), about)
  const opened = await blobs.open('cache.png')
  await blobs.put(Uint8Array.of(9), about)
  await t.rejects(Array.fromAsync(opened?.bytes ?? []), { code: 'blobs_unavailable' })
})

t.test(
  'an unread file keeps no handle open',
  { skip: process.platform !== 'linux' && 'counts in /proc' },
  async (t) => {
    const folder = t.testdir({ 'a.png': 'x'.repeat(200_000) })
    const blobs = await createFileBlobs({ folder, ...given })
    const handles = () => readdirSync('/proc/self/fd').length
    const before = handles()
    for (let i = 0; i < 50; i++) await blobs.open('a.png')
    for (let i = 0; i < 5; i++)
      for await (const piece of (await blobs.open('a.png'))?.bytes ?? []) if (piece.length > 0) break
    t.equal(handles(), before)
  },
)

t.test(
  'a read-only folder is reported',
  { skip: process.getuid?.() === 0 && 'root may write everywhere' },
  async (t) => {
    const folder = t.testdir({})
    const blobs = await createFileBlobs({ folder, ...given })
    await chmod(folder, 0o500)
    t.match(await blobs.health(), /right/)
    await chmod(folder, 0o700)
  },
)
