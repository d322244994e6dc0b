import { access, constants } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { isInside } from '../files/guard.ts'

/** Returns the folders of a `PATH` that no site can write to; the folder of the running Node is included. */
export function programFolders(path: string, workspace: string): readonly string[] {
  const named = path.split(delimiter)
  const own = dirname(process.execPath)
  return [...(named.includes(own) ? [] : [own]), ...named].filter(
    (folder, at, all) => isAbsolute(folder) && !isInside(workspace, folder) && all.indexOf(folder) === at,
  )
}

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
