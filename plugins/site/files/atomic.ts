import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

let written = 0

/**
 * Replaces a file atomically: every reader, also after a power loss, finds the old bytes or the new ones.
 *
 * Creates a missing folder, follows links, and keeps the mode of an existing file; a new file gets `newMode`, or the default
 * of the process. The message of a failure contains only the name of the file, so that it can be shown to the publisher.
 */
export async function writeFileAtomically(
  path: string,
  bytes: string | Uint8Array,
  { newMode }: { readonly newMode?: number } = {},
): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await replace(await realpath(path).catch(() => path), bytes, newMode)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no error code'
    const remedy = 'check that its folder may be written to and has room'
    throw new Error(`The file ${basename(path)} could not be written (${code}): ${remedy}.`, { cause: error })
  }
}

async function replace(target: string, bytes: string | Uint8Array, newMode?: number): Promise<void> {
  const folder = dirname(target)
  const temporary = join(folder, `.${basename(target)}.${process.pid}.${++written}.tmp`)
  try {
    await writeDurably(temporary, bytes, (await stat(target).catch(() => undefined))?.mode ?? newMode)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(folder)
}

async function writeDurably(path: string, bytes: string | Uint8Array, mode?: number): Promise<void> {
  const file = await open(path, 'w')
  try {
    if (mode !== undefined) await file.chmod(mode & 0o7777)
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A rename is durable once its folder is synced; Windows cannot open a folder and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
