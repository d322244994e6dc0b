import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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
