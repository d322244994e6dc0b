/** A website that is edited in its folder. */
import { execFileSync, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { until } from '../helpers/until.ts'
import { folderWith } from './helpers.ts'
import { cli } from './process.ts'

export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })

/** The lines of the output of git that were removed or added. */
export const changedIn = (diff: string): readonly string[] =>
  diff.split('\n').filter((line) => /^[-+][^-+]/.test(line))

/** The lines that differ from the last commit. */
export const changedLines = (folder: string): readonly string[] =>
  changedIn(git(folder, 'diff', '--unified=0'))

/**
 * Runs `edit` in a repository with files below `boats`, which is a website or has one in `within`, until the
 * studio can be opened.
 */
export async function edited(
  t: Test,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  within = '.',
) {
  const folder = join(folderWith(t, files), 'boats')
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'config', 'user.name', 'T')
  git(folder, 'config', 'user.email', 't@example.org')
  git(folder, 'add', '.')
  git(folder, 'commit', '--quiet', '--message', 'Boats')
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [cli, 'edit', join(folder, within), '--port', '0', ...args], {
    cwd: dirname(folder),
    env: { PATH, HOME, SLOW_SECRET: 'canary' },
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (out += text))
  const ended = new Promise((resolve) => child.once('close', resolve))
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await until(() => /^Studio {5}/m.test(out) || child.exitCode !== null, 'the studio')
  const studio = /^Studio {5}(\S+)$/m.exec(out)?.[1] ?? ''
  const call = async (path: string, body?: unknown) => {
    const init = body
      ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : {}
    const response = await fetch(new URL(path, studio.replace('edit.localhost', '127.0.0.1')), init)
    return response.json()
  }
  return { folder, studio, call, out: () => out, stop: () => (child.kill('SIGTERM'), ended) }
}
