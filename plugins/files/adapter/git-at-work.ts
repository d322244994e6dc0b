/** What git does in the repository of a website: whether its files are half of one state, and on which branch they are. */
import { existsSync, readFileSync } from 'node:fs'
import type { RunGit } from './find.ts'

const signs: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'A merge is under way',
  'rebase-merge': 'A rebase is under way',
  'rebase-apply': 'A rebase is under way',
  CHERRY_PICK_HEAD: 'A cherry-pick is under way',
  REVERT_HEAD: 'A revert is under way',
  'index.lock': 'Another git command is running, or one that was ended has left index.lock',
}

/** Returns a function that says as the start of a sentence what git is doing; `undefined` for nothing. */
export async function createGitAtWork(git: RunGit | undefined): Promise<() => string | undefined> {
  const names = Object.keys(signs)
  const asked = names.flatMap((name) => ['--git-path', name])
  const found = await git?.('rev-parse', '--path-format=absolute', ...asked).catch(() => undefined)
  if (found === undefined) return () => undefined
  const paths = found.trimEnd().split('\n')
  return () => signs[names[paths.findIndex((path) => existsSync(path))] ?? '']
}

/** Returns a function that names the branch that is checked out, or `HEAD`; `undefined` without a repository. */
export async function createBranchName(git: RunGit | undefined): Promise<() => string | undefined> {
  const asked = git?.('rev-parse', '--path-format=absolute', '--git-path', 'HEAD')
  const path = (await asked?.catch(() => undefined))?.trimEnd()
  return () => {
    try {
      const head = path === undefined ? undefined : readFileSync(path, 'utf8')
      return head && (/^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? 'HEAD')
    } catch {
      return undefined
    }
  }
}
