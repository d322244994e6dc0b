/** Writes a planned publish into the files of a website. */
import { lstat, mkdir, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeFileAtomically } from '../../site/port.ts'
import type { PlaceFiles } from '../../content/adapter.ts'
import type { ContentFile } from './content-page.ts'
import { isInside, readText, stampOf } from './find.ts'
import type { EarlierTexts } from './earlier-texts.ts'
import { isReadable, newest } from './read-files.ts'
import type { FileWrite } from './file-write.ts'
import { changesOf, type PlannedFiles } from './plan.ts'
import { hashOf, type Readings } from './readings.ts'
import { fileChanged, fileRefused } from './refusals.ts'

/** Creates the writer of a publish, which knows the texts that its plan is made from. */
export function createWriter(root: string, readings: Readings, earlier: EarlierTexts) {
  const texts = new Map<string, string>()

  /** Returns the text of a file; throws a refusal if it is not the one that was read. */
  async function textOf({ path, hash }: ContentFile): Promise<string> {
    const known = texts.get(path)
    if (known !== undefined) return known
    const content = await readText(root, path, 0)
    if (!('text' in content) || hashOf(content.text) !== hash) throw fileChanged(path)
    texts.set(path, content.text)
    return content.text
  }

  /**
   * What is known is stored first: of a publish that is cut off, each file has the old text or the new one.
   */
  async function store({ path, id, source, isMove, known }: FileWrite): Promise<void> {
    const earlier = source && { hash: source.hash, origin: source.origin, blocks: source.content.blocks }
    const isOwn = source && (isMove || source.path === path)
    await readings.write(
      { path, id, texts: newest(known, isOwn && earlier ? { texts: [earlier] } : undefined) },
      true,
    )
  }

  /** A file that moves to a free place is renamed, so that it is never at two. */
  async function writeOne({ path, source, isMove, text }: FileWrite, isFree: boolean): Promise<void> {
    const place = join(root, path)
    const isRenamed = source !== undefined && isMove && isFree
    if (isRenamed) {
      await mkdir(dirname(place), { recursive: true })
      await rename(join(root, source.path), place)
    }
    const isThere = isRenamed || source?.path === path
    if (!isThere || texts.get(source?.path ?? '') !== text) await writeFileAtomically(place, text)
  }

  return {
    textOf,
    /**
     * Writes all files that differ, each completely or not at all, and then removes those that go; `place` may
     * do so elsewhere.
     */
    async write(plan: PlannedFiles, place: PlaceFiles = inFolder): Promise<void> {
      const { writes, removals } = plan
      const changes = await changesOf(plan, textOf)
      const leaving = [
        ...removals.map(({ path }) => path),
        ...writes.flatMap(({ source, isMove }) => (source && isMove ? [source.path] : [])),
      ]
      const written = new Set(writes.map(({ path }) => path))
      for (const { path, source, replaced } of writes)
        await refuseOtherFile(root, path, source?.path === path || replaced !== undefined)
      const known = [
        ...writes.flatMap(({ source, replaced }) => [source ?? [], replaced ?? []]).flat(),
        ...removals,
      ]
      for (const { path, stamp } of known) await refuseChanged(root, path, stamp)
      const removed = new Set(removals)
      for (const file of known.filter(isReadable)) {
        const text = texts.get(file.path)
        if (text !== undefined)
          await earlier.store(file.page, removed.has(file) ? undefined : file.origin, text)
      }
      for (const each of writes) await store(each)
      const gone = leaving.filter((path) => !written.has(path))
      const write = async (): Promise<void> => {
        for (const each of writes)
          await writeOne(each, !each.replaced && !written.has(each.source?.path ?? ''))
        for (const path of gone) await rm(join(root, path), { force: true })
      }
      if (!(await place(changes, write))) return
      for (const path of gone) await readings.remove(path)
    },
  }
}

const inFolder: PlaceFiles = async (_changes, write) => {
  await write()
  return true
}

/** Refuses a place that a link leads out of the folder, and one with a file that is not replaced. */
async function refuseOtherFile(root: string, path: string, isReplaced: boolean): Promise<void> {
  const place = join(root, path)
  const stats = await lstat(place).catch(() => undefined)
  if (stats?.isSymbolicLink()) throw fileRefused(path, 'There is a link in its place.')
  if (stats && !isReplaced) throw fileRefused(path, 'There is another file in its place.')
  let folder = dirname(place)
  let real: string | undefined
  while (real === undefined && folder !== dirname(folder)) {
    real = await realpath(folder).catch(() => undefined)
    folder = dirname(folder)
  }
  if (real === undefined || !isInside(root, real))
    throw fileRefused(path, 'It is not in the folder of the site.')
}

async function refuseChanged(root: string, path: string, stamp: string): Promise<void> {
  const found = await stampOf(root, path)
  if (typeof found === 'object' && found.stamp === stamp) return
  throw fileChanged(path)
}
