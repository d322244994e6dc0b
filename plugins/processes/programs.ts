import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Returns the file of a program; `undefined` if no folder has it. */
export async function findProgram(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const file = join(folder, name)
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  return undefined
}

/** True if a program starts and ends without an error. */
export const canRun = ([file = '', ...args]: readonly string[]): Promise<boolean> =>
  promisify(execFile)(file, args, { env: {}, timeout: 20_000 }).then(
    () => true,
    () => false,
  )
