import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

let written = 0

/**
 * Replaces a file as a whole: every reader, also one after a power loss, finds the old bytes or the new ones.
 *
 * A missing folder is made, links are followed, and the mode of an existing file is kept; a new file gets
 * `newMode`, or what the process gives to any. Fails with a sentence that holds no path but the name of the
 * file, so that it can be shown to the person who publishes.
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

/** A rename is durable once its folder is; Windows cannot open a folder and needs no such help. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
