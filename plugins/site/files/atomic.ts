import { realpath, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { writeDurably } from '../../../kernel/index.ts'

let written = 0

/**
 * Replaces a file completely: every reader, also one after a power loss, finds the old bytes or the new ones.
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
    const target = await realpath(path).catch(() => path)
    const mode = (await stat(target).catch(() => undefined))?.mode ?? newMode
    await writeDurably(target, bytes, { temporary: `.${basename(target)}.${process.pid}.${++written}.tmp`, mode, folderMode: 0o777 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no error code'
    const remedy = 'check that its folder may be written to and has room'
    throw new Error(`The file ${basename(path)} could not be written (${code}): ${remedy}.`, { cause: error })
  }
}
