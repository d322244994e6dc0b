/** What of a checkout is in the way of a publish. */
import { access } from 'node:fs/promises'
import type { Repository } from './git-branch.ts'
import { GitRefusal } from './git-failure.ts'
import { succeeds } from './git-run.ts'

/** Lists the changes of a checkout beside these files, as git prints them. */
export async function changesBeside(
  { git }: Repository,
  names: readonly string[],
): Promise<readonly string[]> {
  const others = names.map((name) => `:(top,exclude,literal)${name}`)
  const changed = await git('status', '--porcelain', '--', ':(top)', ...others)
  return changed.split('\n').filter((line) => line !== '')
}

export async function refuseIgnored({ git }: Repository, names: readonly string[]): Promise<void> {
  const ignored = names.length > 0 ? await git('check-ignore', '--', ...names).catch(() => '') : ''
  if (ignored !== '') throw new GitRefusal('ignored')
}

/** A locked checkout could not follow what is published, and would not show it. */
export async function refuseLocked({ indexLock }: Repository): Promise<void> {
  if (await succeeds(access(indexLock))) throw new GitRefusal('lock', `${indexLock}: File exists`)
}
