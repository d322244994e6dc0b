import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BootError } from '../../../../kernel/index.ts'
import { findFile, pageName } from './lookup.ts'

/** The folder of a built editor, without links. Throws a BootError for one that is not there or has no page. */
export async function openEditorFolder(cwd: string, given: string): Promise<string> {
  const folder = resolve(cwd, given)
  const isFolder = given.trim() !== '' && (await stat(folder).then((found) => found.isDirectory(), () => false))
  if (!isFolder) {
    throw new BootError([`--editor: '${given}' is not a folder; name the one that the editor was built into, such as dist`])
  }
  const root = await realpath(folder)
  const page = await findFile(root, `/${pageName}`).catch(() => undefined)
  if (page) return root
  throw new BootError([`--editor: ${folder} has no ${pageName} that can be read; build the editor, or name the folder that it was built into`])
}
