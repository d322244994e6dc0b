import fs from 'node:fs/promises'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { writeDurably } from '../../kernel/durable-file.ts'

const temporary = '.writing'

t.test('writeDurably replaces a file atomically and creates its folders', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'a', 'b', 'file.txt')
  t.equal(await writeDurably(path, 'first', { temporary, mode: 0o600 }), 5)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.equal(await writeDurably(path, new Uint8Array(2), { temporary }), 2)
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1)
    throw new Error('broke off')
  }
  await t.rejects(writeDurably(path, broken(), { temporary }), { message: 'broke off' })
  t.equal(readFileSync(path).byteLength, 2)
  t.strictSame(readdirSync(join(folder, 'a', 'b')), ['file.txt'])
})

t.test('a folder that cannot be opened for sync is ignored; other errors are thrown', async (t) => {
  const { open } = fs
  const failWith = (code: string): void => {
    fs.open = async (path, flags, mode) => {
      if (flags === 'r') throw Object.assign(new Error(code), { code })
      return open(path, flags, mode)
    }
    syncBuiltinESMExports()
  }
  t.teardown(() => {
    fs.open = open
    syncBuiltinESMExports()
  })
  const path = join(t.testdir({}), 'file.txt')
  failWith('EISDIR')
  t.equal(await writeDurably(path, 'bytes', { temporary }), 5)
  failWith('EIO')
  await t.rejects(writeDurably(path, 'bytes', { temporary }), { code: 'EIO' })
})
