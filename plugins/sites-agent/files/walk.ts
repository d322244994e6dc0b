import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { isProtectedName } from './protected.ts'
import { refusals } from '../refusals.ts'

/** Folders that programs fill; they are neither copied nor searched. */
const made: ReadonlySet<string> = new Set(['node_modules', '.next', '.astro', '.turbo', '.cache', '.vercel', '.orchestrator', 'dist', 'build', 'out', 'coverage'])
const mostFiles = 20_000

/** The paths of all files below a folder, from there. Links, protected names and what programs make are left out; refuses with 413 more than `most`. */
export async function filesBelow(root: string, most = mostFiles): Promise<readonly string[]> {
  const found: string[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of await opendir(join(root, folder))) {
      if (isProtectedName(entry.name) || (entry.isDirectory() && made.has(entry.name))) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) found.push(path)
      if (found.length + folders.length > most) throw refusals.tooManyFiles(most)
    }
  }
  return found.toSorted()
}
