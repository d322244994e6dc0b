/** Checks the format of the files that differ from the last commit; of all files outside a git repository. */
import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('..', import.meta.url))

const filesIn = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\0')
    .filter((file) => file !== '')

function changedFiles(): readonly string[] {
  try {
    return [
      ...filesIn('diff', '--name-only', '-z', '--diff-filter=d', '--relative', 'HEAD'),
      ...filesIn('ls-files', '--others', '--exclude-standard', '-z'),
    ]
  } catch {
    return ['.']
  }
}

const files = changedFiles()
if (files.length > 0) {
  const prettier = fileURLToPath(import.meta.resolve('prettier/bin/prettier.cjs'))
  const args = [prettier, '--check', '--ignore-unknown', '--log-level=warn', '--', ...files]
  process.exitCode = spawnSync(process.execPath, args, { cwd, stdio: 'inherit' }).status ?? 1
}
