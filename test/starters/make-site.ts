import { execFileSync } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { run } from '../helpers/built-package.ts'
import type { StarterContents, StarterFiles } from './starter.ts'

export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** Makes the website in a new folder, installs its packages, and commits it to a repository of its own. */
export async function makeSite(folder: string, made: StarterFiles): Promise<void> {
  await makeFiles(folder, made)
  const packages = made.by === 'package' ? [] : (made.packages ?? [])
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], { cwd: folder })
  commitAll(folder)
}

/** Commits all files to a new repository. */
export function commitAll(folder: string): void {
  git(folder, 'init', '--quiet')
  git(folder, 'add', '.')
  git(folder, 'commit', '--quiet', '--message', 'The website')
}

/** Makes the files of the website in a new folder, without packages. */
export async function makeFiles(folder: string, made: StarterFiles): Promise<void> {
  const [name, parent] = [basename(folder), dirname(folder)]
  if (made.by === 'hand') {
    const manifest = { name, private: true, type: 'module', scripts: made.scripts }
    await writeFiles(folder, { ...made.files, 'package.json': `${JSON.stringify(manifest, undefined, 2)}\n` })
  } else if (made.by === 'package') {
    const { stdout } = await run('npm', ['pack', '--silent', made.name], { cwd: parent })
    await run('tar', ['--extract', '--file', stdout.trim()], { cwd: parent })
    for (const each of made.folders) await cp(join(parent, 'package', each), folder, { recursive: true })
  } else {
    const words = { folder, name, parent }
    const command = made.command.map((each) =>
      each.replaceAll(/\{(folder|name|parent)\}/g, (_, word: keyof typeof words) => words[word]),
    )
    await run('npx', command, { cwd: parent })
    await writeFiles(folder, made.files ?? {})
  }
}

async function writeFiles(folder: string, files: StarterContents): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}
