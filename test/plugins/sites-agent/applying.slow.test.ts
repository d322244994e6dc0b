import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { capturedLog } from '../../../kernel/testing.ts'
import { Journals, openWorkspace } from '../../../plugins/agents/onboarding/testing.ts'
import { isAlive } from '../../../plugins/processes/port.ts'
import { temporaryFolder } from '../../helpers/stack.ts'

const sources = join(import.meta.dirname, '../../../plugins/agents/onboarding')

/** Applies changes of a copy or recovers, and kills itself before a step that changes files, or in the middle of a write. */
const program = `
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
const [folder, job, last] = process.argv.slice(1)
let steps = 0
const isLast = () => ++steps === Number(last)
const end = () => process.kill(process.pid, 'SIGKILL')
for (const name of ['link', 'mkdir', 'open', 'rename', 'rm', 'writeFile']) {
  const real = files[name]
  files[name] = async (...args) => {
    if (name !== 'open' && isLast()) end()
    const result = await real(...args)
    if (name === 'open' && args[1] === 'wx') {
      const write = result.writeFile.bind(result)
      result.writeFile = async (bytes) => {
        if (!isLast()) return write(bytes)
        await write(bytes.slice(0, bytes.length / 2))
        end()
      }
    }
    return result
  }
}
syncBuiltinESMExports()
const { openWorkspace } = await import('${sources}/files/workspace.ts')
const { Journals } = await import('${sources}/files/journal.ts')
const { copySite } = await import('${sources}/files/working-copy.ts')
const { isAlive, ownerOf } = await import('${sources}/../../processes/port.ts')
const workspace = await openWorkspace(folder)
const log = { warn: (_, text) => console.log(text), error: ({ err }) => { throw err } }
const journals = new Journals({ workspace, owner: await ownerOf(process.pid), isAlive, log })
steps = 0
if (job === 'recover') await journals.recover()
else {
  const site = await workspace.site('shop')
  const copy = { ...(await copySite(site, await workspace.own('runs/empty'))), folder: await workspace.own('runs/copy') }
  const { hashOf } = await import('${sources}/files/patch.ts')
  const { readBelow } = await import('${sources}/files/working-copy.ts')
  const paths = ['a.html', 'b.html', 'deep/c.html', 'deep/er/d.html', 'gone.html', 'new/e.html']
  const changes = await Promise.all(paths.map(async (path) => ({ path, before: hashOf(await readBelow(site, path)), after: hashOf(await readBelow(copy.folder, path)) })))
  steps = 0
  await journals.apply('shop', { changes, copy: copy.folder, backups: ['backups', 'shop', 'now'] })
}
console.log('steps ' + steps)
`

/** Returns the output of a process, or `undefined` if it was killed. */
const start = (folder: string, job: 'apply' | 'recover', last = 0): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--input-type=module', '--eval', program, folder, job, String(last)],
      (error, stdout, stderr) => {
        if (error && error.signal !== 'SIGKILL') reject(new Error(stderr))
        else resolve(error ? undefined : stdout)
      },
    )
  })

const [old, next] = ['<p>before</p>\n'.repeat(50), '<p>after</p>\n'.repeat(70)]
const versions = {
  before: { 'a.html': old, 'b.html': old, 'deep/c.html': old, 'gone.html': old, 'same.html': old },
  after: {
    'a.html': next,
    'b.html': next,
    'deep/c.html': next,
    'deep/er/d.html': next,
    'new/e.html': next,
    'same.html': old,
  },
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )

t.test('kill -9 at any step of an apply leaves all of its files or none', { timeout: 300_000 }, async (t) => {
  const folder = temporaryFolder(t)
  const site = join(folder, 'shop')
  const own = join(folder, '.sites-agent')
  const reset = (): void => {
    rmSync(own, { recursive: true, force: true })
    write(join(own, 'runs/copy'), versions.after)
    write(site, versions.before)
  }
  reset()
  const all = Number(/steps (\d+)/.exec((await start(folder, 'apply')) ?? '')?.[1])
  t.strictSame(filesIn(site), versions.after)
  const kills = 12
  const seen = { before: 0, after: 0, between: 0 }
  const is = (version: 'before' | 'after'): boolean =>
    JSON.stringify(filesIn(site)) === JSON.stringify(versions[version])
  for (let kill = 1; kill <= kills; kill++) {
    reset()
    const at = Math.ceil((kill * all) / kills)
    t.equal(await start(folder, 'apply', at), undefined)
    if (!is('before') && !is('after')) seen.between++
    // Some recoveries are killed, too.
    if (kill % 3 === 0) await start(folder, 'recover', kill / 3)
    const { log, lines } = capturedLog()
    const journals = new Journals({ workspace: await openWorkspace(folder), owner: 'next', isAlive, log })
    await journals.recover()
    const version = is('after') ? 'after' : 'before'
    t.strictSame(filesIn(site), versions[version], `killed at step ${at} of ${all}`)
    seen[version]++
    if (kill % 3 !== 0) t.match(lines.join(''), version === 'after' ? /"files":6,/ : /"files":0,/)
    await journals.locked('shop', async () => undefined)
  }
  t.comment(seen)
  t.ok(seen.before > 0 && seen.after > 0 && seen.between > 0)
})
