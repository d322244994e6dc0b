import { constants, type Stats } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { BootError, type Clock, type Ids } from '../../kernel/index.ts'
import { nameFor, typeOf } from './names.ts'
import type { Blobs, StoredBlob } from './port.ts'
import { blobsUnavailable } from './refusals.ts'

/** No stored name begins with a dot, so what is not finished can never be asked for. */
const temporaryName = /^\.writing-[0-9a-f]{32}$/
/** What is read at once: larger pieces take less work, and more memory while a slow client is served. */
const pieceBytes = 128 * 1024
/** What has taken the place of a file since it was looked at is neither followed nor waited for. */
const careful = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export interface FileBlobsOptions {
  /** Made when the first file is written. One process at a time uses it. */
  readonly folder: string
  readonly clock: Clock
  readonly ids: Ids
}

/**
 * Keeps bytes as files in one folder, readable by their owner alone.
 *
 * Removes what an earlier process has left half written. Only regular files directly in the folder are ever
 * found. Throws a BootError when there is something else in the place of the folder.
 */
export async function createFileBlobs({ folder: place, clock, ids }: FileBlobsOptions): Promise<Blobs> {
  const folder = resolve(place)
  const temporary = () => `.writing-${ids.uuid().replaceAll('-', '')}`
  await sweep(folder)
  return {
    async put(bytes, about) {
      const key = nameFor(about, { clock, ids })
      const source = watched(bytes)
      try {
        const size = await writeDurably(folder, key, temporary(), source.bytes)
        return { key, type: about.type, size }
      } catch (error) {
        throw source.failed() ? error : blobsUnavailable(error)
      }
    },
    async open(key) {
      const type = typeOf(key)
      if (type === undefined) return undefined
      const path = join(folder, key)
      const stats = await lookAt(path)
      if (!stats) return undefined
      const part = (start: number, end?: number): AsyncIterable<Uint8Array> => read(path, stats, { start, end })
      return { ...factsOf(key, type, stats), bytes: part(0), part }
    },
    async *list() {
      for (const key of (await readdir(folder).catch(unlessMissing)) ?? []) {
        const type = typeOf(key)
        const stats = type === undefined ? undefined : await lookAt(join(folder, key))
        if (type !== undefined && stats) yield factsOf(key, type, stats)
      }
    },
    async remove(key) {
      if (typeOf(key) === undefined || !(await lookAt(join(folder, key)))) return false
      await rm(join(folder, key), { force: true }).catch(refuse)
      return true
    },
    async health() {
      const [name, other] = [temporary(), temporary()]
      try {
        await writeDurably(folder, name, other, new Uint8Array(1))
        await rm(join(folder, name))
        return 'ok'
      } catch (error) {
        return blobsUnavailable(error).reason
      }
    },
  }
}

const factsOf = (key: string, type: string, { size, mtimeMs }: Stats): StoredBlob => ({ key, type, size, changed: mtimeMs })

/** Passes bytes on and remembers whether their source failed: a broken upload is not the fault of the disk. */
function watched(bytes: Bytes): { readonly bytes: Bytes; failed(): boolean } {
  if (bytes instanceof Uint8Array) return { bytes, failed: () => false }
  let failed = false
  async function* pass(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* source
    } catch (error) {
      failed = true
      throw error
    }
  }
  return { bytes: pass(bytes), failed: () => failed }
}

/**
 * Gives the facts of a regular file, and nothing where there is none.
 *
 * A checked name has no separator, so the file is directly in the folder unless it is a link: no file then.
 */
async function lookAt(path: string): Promise<Stats | undefined> {
  const stats = await lstat(path).catch(unlessMissing)
  return stats?.isFile() ? stats : undefined
}

/** Opens only when somebody reads: an answer without a body must not leave a file open. */
async function* read(path: string, known: Stats, { start, end = known.size - 1 }: { readonly start: number; readonly end: number | undefined }): AsyncGenerator<Uint8Array> {
  const file = await open(path, careful).catch(refuse)
  try {
    const { ino, size } = await file.stat()
    const same = ino === known.ino && size === known.size
    if (!same) throw blobsUnavailable(new Error('The file was replaced before it was read.'))
    const last = Math.min(end, size - 1)
    for (let at = start; at <= last; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(last + 1 - at, pieceBytes)), { position: at })
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}

function unlessMissing(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return undefined
  throw blobsUnavailable(error)
}

function refuse(error: unknown): never {
  throw blobsUnavailable(error)
}

async function sweep(folder: string): Promise<void> {
  try {
    const unfinished = (await readdir(folder)).filter((name) => temporaryName.test(name))
    for (const name of unfinished) await rm(join(folder, name), { force: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw new BootError(
      [
        `The folder of the files, ${folder}, cannot be used; ` +
          'check it, or name another in ORCHESTRATOR_GENERATED_IMAGE_DIR.',
      ],
      { cause: error },
    )
  }
}

export type Bytes = Uint8Array | AsyncIterable<Uint8Array>

/**
 * Writes a file that is there whole or not at all, also after a power loss, and gives its size.
 *
 * The bytes go under the temporary name first, which nobody else may have, and are on the disk before the
 * name is changed; the folder, which holds the name, follows. An earlier file of that name is replaced. What
 * fails leaves nothing.
 */
export async function writeDurably(
  folder: string,
  name: string,
  temporary: string,
  bytes: Bytes,
): Promise<number> {
  await makeFolder(folder)
  const from = join(folder, temporary)
  const file = await open(from, 'wx', 0o600)
  try {
    try {
      await file.writeFile(bytes)
      await file.sync()
      const { size } = await file.stat()
      await rename(from, join(folder, name))
      await syncFolder(folder)
      return size
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(from, { force: true }).catch(() => {})
    throw error
  }
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made !== dirname(first); made = dirname(made)) await syncFolder(dirname(made))
}

/** Puts the names in a folder on the disk. Some systems cannot, and keep the order of names by themselves. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(unlessUnable)
  await handle?.sync().catch(unlessUnable)
  await handle?.close()
}

function unlessUnable(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EPERM' && code !== 'EISDIR' && code !== 'EINVAL') throw error
  return undefined
}
