/** Entry point for the files of a website as its content: `content-orchestrator/adapters/files`. */
import { type ContentFiles, createContentFiles } from '../plugins/files/adapter/index.ts'
import type { Choice } from '../plugins/files/adapter/select.ts'
import { gitIn } from '../plugins/publish/targets/git-run.ts'
import { currentEnvironment, type Environment } from './env.ts'

export { fileBlocks } from '../plugins/files/blocks.ts'

/** Which files of a website are content. */
export type ContentFilesChoice = Choice

/**
 * Reads the files of a website as its content, and writes what is published into them: each file is a page
 * whose slug is `/~` and its path.
 *
 * In a repository these are files that git does not ignore. By default they are those in the folders that a
 * framework defines, and in folders with three or more files of one kind; `include` names them instead, and
 * `ignore` takes some out, both by globs of paths below the folder. Rejects a publish that a file cannot
 * hold, before anything is written.
 */
export function contentFiles(folder: string, choice: ContentFilesChoice = {}): ContentFiles {
  return createContentFiles(folder, { ...choice, git: gitOf(folder, currentEnvironment()) })
}

/** Returns git for the folder of a website, which may name a program that git would run to list its files. */
export const gitOf = (folder: string, { PATH = '', HOME = '' }: Environment) =>
  gitIn(folder, { PATH, HOME }, { config: ['core.fsmonitor=false'] })
