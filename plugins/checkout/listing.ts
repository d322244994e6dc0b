/** Lists the files of a repository that a copy of it has. */
import { lstat, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { limitConcurrency, pace } from '../../kernel/index.ts'

/** Runs git in the root of a project; rejects if it fails. */
export type ListingGit = (...args: readonly string[]) => Promise<string>

/** Folders that are made by programs, and that of the service: not in a copy of a folder without git. */
const made = new Set([
  'node_modules',
  '.git',
  '.orchestrator',
  '.next',
  '.nuxt',
  '.output',
  '.svelte-kit',
  '.docusaurus',
  '.astro',
  '.cache',
])

/** The files with variables, which git ignores. */
const variables = /^\.env(?:\.[\w.-]+)?$/

/**
 * Returns the paths below `root` of the files that git has or does not ignore, and of the variables of the
 * website. Without git these are all files but packages and what frameworks make.
 */
export async function listFiles(
  { root, folder }: { readonly root: string; readonly folder: string },
  git: ListingGit | undefined,
): Promise<readonly string[]> {
  const listed = await git?.('ls-files', '--cached', '--others', '--exclude-standard', '-z').catch(() => '')
  if (!listed) return walk(root, '')
  const limited = limitConcurrency(mostAtOnce)
  const filesAt = async (path: string) => {
    await pace()
    return (await isFolder(join(root, path))) ? walk(root, `${path}/`) : path
  }
  const paths = listed.split('\0').filter((path) => path !== '')
  const found = await Promise.all(paths.map((path) => limited(() => filesAt(path))))
  const own = relative(root, folder).split(sep).join('/')
  return [...new Set([...found.flat(), ...(await variablesIn(root, '')), ...(await variablesIn(root, own))])]
}

/** The number of files that are looked at at once: each holds memory while it waits. */
export const mostAtOnce = 32

/** A submodule is listed as one path. */
const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

async function variablesIn(root: string, folder: string): Promise<readonly string[]> {
  const names = await readdir(join(root, folder))
  return names
    .filter((name) => variables.test(name))
    .map((name) => (folder === '' ? name : `${folder}/${name}`))
}

async function walk(root: string, first: string): Promise<readonly string[]> {
  const found: string[] = []
  const open = [first]
  for (const folder of open) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      if (entry.isDirectory()) {
        if (!made.has(entry.name)) open.push(`${folder}${entry.name}/`)
      } else found.push(folder + entry.name)
    }
  }
  return found
}
