import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from './std/error-code.ts'

/**
 * Replaces a file completely or not at all, even if the power fails, and resolves with its size in bytes.
 *
 * Not a package, because the acknowledgement of an upload depends on it: `write-file-atomic` and `atomically`
 * do not sync the rename and new folders. The bytes are written and synced under the temporary name, which no
 * other writer may use. Then the file is renamed and its folder synced. A failure leaves no file. A missing
 * folder is private to its owner unless `folderMode` is set; without `mode` the process default applies.
 */
export async function writeDurably(
  path: string,
  bytes: string | Uint8Array | AsyncIterable<Uint8Array>,
  {
    temporary,
    mode,
    folderMode = 0o700,
  }: { readonly temporary: string; readonly mode?: number | undefined; readonly folderMode?: number },
): Promise<number> {
  const folder = dirname(path)
  await makeFolder(folder, folderMode)
  const from = join(folder, temporary)
  const file = await open(from, 'wx', mode)
  try {
    try {
      // The umask does not apply to an explicit mode.
      if (mode !== undefined) await file.chmod(mode & 0o7777)
      await file.writeFile(bytes)
      await file.sync()
      const { size } = await file.stat()
      await rename(from, path)
      await syncFolder(folder)
      return size
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(from, { force: true }).catch(() => undefined)
    throw error
  }
}

async function makeFolder(folder: string, mode: number): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode })
  if (first === undefined) return
  for (let made = folder; made !== dirname(first); made = dirname(made)) await syncFolder(dirname(made))
}

/** Syncs the entries of a folder. Systems that cannot do this preserve the order of renames anyway. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(unlessUnable)
  await handle?.sync().catch(unlessUnable)
  await handle?.close()
}

function unlessUnable(error: unknown): undefined {
  const code = errorCode(error)
  if (code !== 'EPERM' && code !== 'EISDIR' && code !== 'EINVAL') throw error
  return undefined
}
