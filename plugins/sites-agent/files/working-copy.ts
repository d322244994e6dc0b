import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { movePlace, placeOf, readPlace, writePlace } from './guard.ts'
import { fileRefusals } from './refusals.ts'
import { filesBelow } from './workspace.ts'

/** A difference between a copy and its site. */
export interface Change {
  readonly path: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** Lines with `+` and `-`, for people. */
  readonly patch: string
}

/** A copy of a site in which a run works until a person approves its changes. */
export type WorkingCopy = Awaited<ReturnType<typeof copySite>>

const mostBytes = 10 * 1024 * 1024
const mostBytesOfAll = 500 * 1024 * 1024

/** Copies the files of a site to an empty folder. */
export async function copySite(site: string, folder: string) {
  const base = new Map<string, string>()
  let total = 0
  for (const path of await filesBelow(site)) {
    const bytes = await readPlace(await placeOf(site, path), mostBytesOfAll)
    if ((total += bytes.length) > mostBytesOfAll) throw fileRefusals.tooLarge(mostBytesOfAll)
    await writePlace(await placeOf(folder, path), bytes)
    base.set(path, hashOf(bytes))
  }
  const read = async (root: string, path: string): Promise<Buffer | undefined> => {
    const place = await placeOf(root, path)
    return place.exists ? readPlace(place, mostBytesOfAll) : undefined
  }

  const restore = async (path: string, before: Buffer | undefined): Promise<void> => {
    const place = await placeOf(site, path)
    if (before) await writePlace(place, before)
    else if (place.exists) await rm(join(site, place.path))
  }

  return {
    folder,
    async changes(): Promise<readonly Change[]> {
      const now = await filesBelow(folder)
      const found: Change[] = []
      for (const path of new Set([...base.keys(), ...now])) {
        const after = await read(folder, path)
        if (after && hashOf(after) === base.get(path)) continue
        if (after && after.length > mostBytes) throw fileRefusals.tooLarge(mostBytes)
        const before = base.has(path) ? await read(site, path) : undefined
        found.push({ path, kind: !after ? 'removed' : base.has(path) ? 'changed' : 'added', patch: toPatch(before, after) })
      }
      return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    },
    /**
     * Applies changes to the site, with backups of the replaced files. Refuses with 409 `site_changed`,
     * without writing, if a file has changed since it was copied. If a write fails, rolls back earlier ones.
     */
    async apply(changes: readonly Change[], backups: string): Promise<void> {
      const before = new Map<string, Buffer | undefined>()
      for (const { path } of changes) {
        const bytes = await read(site, path)
        if ((bytes && hashOf(bytes)) !== base.get(path)) throw fileRefusals.siteChanged(path)
        before.set(path, bytes)
      }
      for (const [path, bytes] of before) if (bytes) await writePlace(await placeOf(backups, path), bytes)
      const done: string[] = []
      try {
        for (const { path, kind } of changes) {
          done.push(path)
          const after = await read(folder, path)
          if (after && kind !== 'removed') await writePlace(await placeOf(site, path), after)
          else await movePlace(await placeOf(site, path), join(backups, path))
        }
      } catch (error) {
        for (const path of done) await restore(path, before.get(path)).catch(() => undefined)
        throw error
      }
      for (const path of done) {
        const after = await read(site, path)
        if (after) base.set(path, hashOf(after))
        else base.delete(path)
      }
    },
    remove: (): Promise<void> => rm(folder, { recursive: true, force: true }),
  }
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const mostLines = 400

/** Returns the lines that differ between two versions of a file: first the old, then the new ones. */
export function toPatch(before: Buffer | undefined, after: Buffer | undefined): string {
  if (isBinary(before) || isBinary(after)) return `(binary, ${after?.length ?? 0} bytes)`
  const old = toLines(before)
  const next = toLines(after)
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start++
  let end = 0
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end)) end++
  const lines = [
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...next.slice(start, next.length - end).map((line) => `+${line}`),
  ]
  const shown = lines.slice(0, mostLines)
  return [`@@ line ${start + 1} @@`, ...shown, ...(lines.length > mostLines ? [`… ${lines.length - mostLines} more lines`] : [])].join('\n')
}

const isBinary = (bytes: Buffer | undefined): boolean => bytes?.subarray(0, 8_000).includes(0) ?? false

const toLines = (bytes: Buffer | undefined): readonly string[] => (bytes === undefined ? [] : bytes.toString('utf8').split('\n'))
