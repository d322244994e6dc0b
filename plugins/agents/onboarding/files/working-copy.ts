import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { guardPath, readGuarded, writeGuarded } from './guard.ts'
import { hashOf, toPatch } from './patch.ts'
import { problems } from './problems.ts'
import { filesBelow } from './workspace.ts'

/** A file that differs between a copy and its site. The hashes are those of its last diff, `null` for a missing file. */
export interface FileChange {
  readonly path: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** Lines with `+` and `-`, for people. */
  readonly patch: string
  readonly isShown: boolean
  readonly before: string | null
  readonly after: string | null
}

/** A copy of a site in which a run works until a person approves its changes. */
export type WorkingCopy = Awaited<ReturnType<typeof copySite>>

const mostBytes = 10 * 1024 * 1024
const mostBytesOfAll = 500 * 1024 * 1024

/** Reads a file below a folder; `undefined` if there is none. */
export async function readBelow(root: string, path: string): Promise<Buffer | undefined> {
  const place = await guardPath(root, path)
  return place.exists ? readGuarded(place, mostBytesOfAll) : undefined
}

/** Copies the files of a site to an empty folder. */
export async function copySite(site: string, folder: string) {
  const base = new Map<string, string | null>()
  let total = 0
  for (const path of await filesBelow(site)) {
    const bytes = await readGuarded(await guardPath(site, path), mostBytesOfAll)
    if ((total += bytes.length) > mostBytesOfAll) throw problems.tooLarge(mostBytesOfAll)
    await writeGuarded(await guardPath(folder, path), bytes)
    base.set(path, hashOf(bytes))
  }

  return {
    folder,
    /** Returns the changes in the copy. Refuses with 409 `site_changed` if such a file has changed in the site, too. */
    async changes(): Promise<readonly FileChange[]> {
      const found: FileChange[] = []
      for (const path of new Set([...base.keys(), ...(await filesBelow(folder))])) {
        const copied = await readBelow(folder, path)
        const [before, after] = [base.get(path) ?? null, hashOf(copied)]
        if (after === before) continue
        if (copied && copied.length > mostBytes) throw problems.tooLarge(mostBytes)
        const current = await readBelow(site, path)
        if (hashOf(current) !== before) throw problems.siteChanged(path)
        const kind = after === null ? 'removed' : before === null ? 'added' : 'changed'
        found.push({ path, kind, ...toPatch(path, current, copied), before, after })
      }
      return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    },
    /** Records that changes were applied to the site. */
    settled(changes: readonly FileChange[]): void {
      for (const { path, after } of changes) base.set(path, after)
    },
    remove: (): Promise<void> => rm(folder, { recursive: true, force: true }),
  }
}

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
      await writeGuarded(
        await guardPath(folder, path),
        await readGuarded(await guardPath(site, path), mostBytesOfAll),
      )
      copied.set(path, stamp)
    }
    for (const path of copied.keys()) {
      if (now.has(path)) continue
      const { exists, path: real } = await guardPath(folder, path)
      if (exists) await rm(join(folder, real), { recursive: true })
      copied.delete(path)
    }
  }
  return () => (running ??= refresh().finally(() => (running = undefined)))
}
