import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { placeOf, readPlace, writePlace } from './guard.ts'
import { filesBelow } from './workspace.ts'

const mostBytes = 500 * 1024 * 1024

/** Creates a function that copies what has changed in a site, except protected files, to a folder. */
export function createMirror(site: string, folder: string): () => Promise<void> {
  const copied = new Map<string, string>()
  let running: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const now = new Set(await filesBelow(site))
    for (const path of now) {
      const { mtimeMs, size, ino } = await stat(join(site, path))
      const stamp = `${mtimeMs} ${size} ${ino}`
      if (copied.get(path) === stamp) continue
      await writePlace(await placeOf(folder, path), await readPlace(await placeOf(site, path), mostBytes))
      copied.set(path, stamp)
    }
    for (const path of copied.keys()) {
      if (now.has(path)) continue
      const { exists, path: real } = await placeOf(folder, path)
      if (exists) await rm(join(folder, real), { recursive: true })
      copied.delete(path)
    }
  }
  return () => (running ??= refresh().finally(() => (running = undefined)))
}
