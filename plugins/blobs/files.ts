import { BootError, type Clock, errorCode, type Ids, writeDurably } from '../../kernel/index.ts'
import { constants, type Stats } from 'node:fs'
import { lstat, open, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { nameFor, typeOf } from './names.ts'
import type { Blobs, StoredBlob } from './port.ts'
import { blobsUnavailable } from './refusals.ts'

/** No stored name starts with a dot, so unfinished files can never be requested. */
const temporaryName = /^\.writing-[0-9a-f]{32}$/
/** The size of a read: larger reads cost less work, but more memory for slow clients. */
const pieceBytes = 128 * 1024
/** Neither follows nor waits for a link or a pipe that replaced a file in the meantime. */
const careful = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Stores bytes as files in one folder, readable only by their owner.
 *
 * Removes unfinished files of an earlier process. Finds only regular files directly in the folder. Throws a
 * BootError if the path is not a folder.
 */
export async function createFileBlobs({
  folder: place,
  clock,
  ids,
}: {
  /** Created with the first file. Used by one process at a time. */
  readonly folder: string
  readonly clock: Clock
  readonly ids: Ids
}): Promise<Blobs> {
  const folder = resolve(place)
  const temporary = () => `.writing-${ids.uuid().replaceAll('-', '')}`
  await sweep(folder)
  return {
    async put(bytes, details) {
      const key = nameFor(details, { clock, ids })
      const source = watched(bytes)
      try {
        const size = await writeDurably(join(folder, key), source.bytes, {
          temporary: temporary(),
          mode: 0o600,
        })
        return { key, type: details.type, size }
      } catch (error) {
        throw source.failed() ? error : blobsUnavailable(error)
      }
    },
    async open(key) {
      const type = typeOf(key)
      if (type === undefined) return undefined
      const path = join(folder, key)
      const stats = await statFile(path)
      if (!stats) return undefined
      const part = (start: number, end?: number): AsyncIterable<Uint8Array> =>
        readChunks(path, stats, { start, end })
      return { ...factsOf(key, type, stats), bytes: part(0), part }
    },
    async *list() {
      for (const key of (await readdir(folder).catch(unlessMissing)) ?? []) {
        const type = typeOf(key)
        const stats = type === undefined ? undefined : await statFile(join(folder, key))
        if (type !== undefined && stats) yield factsOf(key, type, stats)
      }
    },
    async remove(key) {
      if (typeOf(key) === undefined || !(await statFile(join(folder, key)))) return false
      await rm(join(folder, key), { force: true }).catch(refuse)
      return true
    },
    async health() {
      const [name, other] = [temporary(), temporary()]
      try {
        await writeDurably(join(folder, name), new Uint8Array(1), { temporary: other, mode: 0o600 })
        await rm(join(folder, name))
        return 'ok'
      } catch (error) {
        return blobsUnavailable(error).reason
      }
    },
  }
}

const factsOf = (key: string, type: string, { size, mtimeMs }: Stats): StoredBlob => ({
  key,
  type,
  size,
  changed: mtimeMs,
})

type Bytes = Uint8Array | AsyncIterable<Uint8Array>

/** Passes bytes on and records whether their source failed: a broken upload is not a disk error. */
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
 * Returns the facts of a regular file; `undefined` if there is none.
 *
 * A checked name has no separator, so the file is directly in the folder. A link does not count as a file.
 */
async function statFile(path: string): Promise<Stats | undefined> {
  const stats = await lstat(path).catch(unlessMissing)
  return stats?.isFile() ? stats : undefined
}

/** Opens the file on the first read: an answer without a body must not leave a file open. */
async function* readChunks(
  path: string,
  expected: Stats,
  { start, end = expected.size - 1 }: { readonly start: number; readonly end: number | undefined },
): AsyncGenerator<Uint8Array> {
  const file = await open(path, careful).catch(refuse)
  try {
    const { ino, size } = await file.stat()
    const same = ino === expected.ino && size === expected.size
    if (!same) throw blobsUnavailable(new Error('The file was replaced before it was read.'))
    const last = Math.min(end, size - 1)
    for (let at = start; at <= last;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(last + 1 - at, pieceBytes)), {
        position: at,
      })
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}

function unlessMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined
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
    if (errorCode(error) === 'ENOENT') return
    throw new BootError(
      [
        `The folder of the files, ${folder}, cannot be used; ` +
          'check it, or name another in ORCHESTRATOR_GENERATED_IMAGE_DIR.',
      ],
      { cause: error },
    )
  }
}
