import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from './stack.ts'
import { filesIn } from './website-files.ts'

export const boats = '/~content/boats.md'
export const oars = '/~content/oars.md'

/** A website of Hugo, with spellings that no program would choose. */
export const files = {
  'hugo.toml': 'title = "Yard"\n',
  'content/boats.md':
    '---\n# Ask Ida first.\ntitle:   "Boats"\n---\n\nWe build boats.\n\n*  Oak\n*  Elm\n\nWe repair *old* ones.\n\nThey float.\n',
  'content/oars.md': 'Made of ash.\n',
  'content/ropes.md': '# Ropes\n\nOf hemp.\n',
}

/** A website in a repository with a bare remote, and the clone of a developer. */
export function repositoryOf(t: Test, content: Readonly<Record<string, string>> = files) {
  const dir = temporaryFolder(t)
  const home = join(dir, 'home')
  mkdirSync(home)
  const user = '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n'
  writeFileSync(join(home, '.gitconfig'), user)
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home }
  const run = (...args: readonly string[]): string =>
    execFileSync('git', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const remote = join(dir, 'remote.git')
  run('init', '--quiet', '--bare', remote)
  const clone = (name: string) => {
    const folder = join(dir, name)
    run('clone', '--quiet', remote, folder)
    const git = (...args: readonly string[]): string => run('-C', folder, ...args)
    const commit = (message: string): void => {
      git('add', '--all')
      git('commit', '--quiet', '-m', message)
    }
    const push = (message: string): void => {
      commit(message)
      git('pull', '--quiet', '--rebase', 'origin', 'main')
      git('push', '--quiet', 'origin', 'HEAD:refs/heads/main')
    }
    return { ...filesIn(t, {}, folder), git, commit, push }
  }
  const site = clone('site')
  site.set(content)
  site.commit('first')
  site.git('push', '--quiet', '--set-upstream', 'origin', 'HEAD:refs/heads/main')
  return {
    env,
    site,
    developer: clone('developer'),
    inRemote: (...args: readonly string[]) => run('-C', remote, ...args),
  }
}

/** The lines that a commit, or a difference, removes and adds. */
export const linesOf = (diff: string): readonly string[] =>
  diff.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line))
