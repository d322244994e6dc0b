/** Writes a planned publish into the files of a website. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../../kernel/index.ts'
import type { PlaceFiles } from '../../content/adapter.ts'
import { withFormer } from '../former.ts'
import type { createBlockReads } from './block-reads.ts'
import type { ContentFile } from './content-page.ts'
import type { EarlierTexts } from './earlier-texts.ts'
import { hasStamp, isInside, readText } from './find.ts'
import { isReadable, newest } from './read-files.ts'
import type { FileWrite } from './file-write.ts'
import type { PendingPicture, PendingPictures } from './pending-pictures.ts'
import { changesOf, type PlannedFiles } from './plan.ts'
import { hashOf, type Readings } from './readings.ts'
import { fileChanged, fileRefused } from './refusals.ts'

interface WriterParts extends Pick<ReturnType<typeof createBlockReads>, 'holdBlocks'> {
  readonly readings: Readings
  readonly earlier: EarlierTexts
  readonly pictures: PendingPictures
}

/** Creates the writer of a publish, which knows the texts that its plan is made from. */
export function createWriter(root: string, parts: WriterParts) {
  const { readings, earlier, holdBlocks, pictures: pending } = parts
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
  async function store({ page, path, source, isMove, known }: FileWrite): Promise<void> {
    const earlier = source && { hash: source.hash, origin: source.origin, blocks: source.content.blocks }
    const isOwn = source && (isMove || source.path === path)
    const texts = newest(known, isOwn && earlier ? { texts: [earlier] } : undefined)
    const former = isOwn ? withFormer(source.former, source.content.blocks, known.blocks) : []
    await readings.write({ path, id: page.id, texts, former }, true)
  }

  /** Stores the text that a file becomes, if it differs. */
  async function held({ path, source, text }: FileWrite, isMoving: boolean): Promise<string | undefined> {
    const isOwn = source !== undefined && (isMoving || source.path === path)
    const folder = dirname(join(root, path))
    await mkdir(folder, { recursive: true })
    if (isOwn && texts.get(source.path) === text) return undefined
    const former = await stat(join(root, isOwn ? source.path : path)).catch(() => undefined)
    return readings.hold(text, { folder, mode: former?.mode })
  }

  return {
    textOf,
    /**
     * Writes all files that differ, each completely or not at all, and then removes those that go; `place` may
     * do so elsewhere.
     *
     * The texts are on the disk before the first of them takes its place, so that between the last look at
     * the files and their replacement no developer saves one.
     */
    async write(plan: PlannedFiles, place: PlaceFiles = inFolder): Promise<void> {
      const { writes, removals, pictures } = plan
      const changes = await changesOf(plan, textOf)
      const leaving = [
        ...removals.map(({ path }) => path),
        ...writes.flatMap(({ source, isMove }) => (source && isMove ? [source.path] : [])),
      ]
      const written = new Set(writes.map(({ path }) => path))
      const isMoving = ({ source, isMove, replaced }: FileWrite): boolean =>
        isMove && !replaced && !written.has(source?.path ?? '')
      const gone = leaving.filter((path) => !written.has(path))
      for (const { path, source, replaced } of writes)
        await refuseOtherFile(root, path, source?.path === path || replaced !== undefined)
      for (const { path } of pictures) await refuseOtherFile(root, path, false)
      const known = filesBefore(plan)
      refuseChanged(root, known)
      const removed = new Set(removals)
      for (const file of known.filter(isReadable)) {
        const text = texts.get(file.path)
        if (text !== undefined)
          await earlier.store(file.page, removed.has(file) ? undefined : file.origin, text)
      }
      const letGo = holdBlocks(filesTaken(plan))
      const write = async (): Promise<void> => {
        const from = new Map<FileWrite, string | undefined>()
        const shown = new Map<PendingPicture, string>()
        try {
          for (const each of pictures) shown.set(each, await heldPicture(root, each, readings))
          for (const each of writes) from.set(each, await held(each, isMoving(each)))
          refuseChanged(root, known)
          for (const [each, held] of shown) putPicture(root, each, held)
          for (const each of writes) put(root, each, isMoving(each), from.get(each))
          for (const path of gone) rmSync(join(root, path), { force: true })
        } finally {
          for (const held of [...shown.values(), ...from.values()])
            if (held !== undefined) rmSync(held, { force: true })
        }
        const places = [...pictures.map(({ path }) => path), ...written, ...gone]
        for (const folder of new Set(places.map((path) => dirname(join(root, path)))))
          await syncFolder(folder)
      }
      let isPlaced = false
      try {
        for (const each of writes) await store(each)
        isPlaced = await place(changes, write)
      } finally {
        if (!isPlaced) letGo()
      }
      if (!isPlaced) return
      for (const path of gone) await readings.remove(path)
      for (const { path } of pictures) await pending.remove(path)
    },
  }
}

/** The files of which a publish is planned, as they are before it. */
const filesBefore = ({ writes, removals }: PlannedFiles) => [
  ...writes.flatMap(({ source, replaced }) => [source ?? [], replaced ?? []].flat()),
  ...removals,
]

/** The files that a publish takes from their paths or replaces. */
const filesTaken = ({ writes, removals }: PlannedFiles) => [
  ...writes.flatMap(({ path, source, isMove, replaced }) =>
    [source && (isMove || source.path === path) ? source : [], replaced ?? []].flat(),
  ),
  ...removals.filter(isReadable),
]

const inFolder: PlaceFiles = async (_changes, write) => {
  await write()
  return true
}

const otherFile = 'There is another file in its place.'

/** A file that moves to a free place is renamed, so that it is never at two. */
function put(root: string, { path, source }: FileWrite, isMoving: boolean, from: string | undefined): void {
  const place = join(root, path)
  if (source && isMoving) renameSync(join(root, source.path), place)
  if (from !== undefined) renameSync(from, place)
}

/** Stores the bytes of a picture until it is put in its place. */
async function heldPicture(
  root: string,
  { path, copyOf }: PendingPicture,
  { hold }: Readings,
): Promise<string> {
  const folder = dirname(join(root, path))
  await mkdir(folder, { recursive: true })
  return hold(await readFile(copyOf), { folder, mode: undefined })
}

function putPicture(root: string, { path }: PendingPicture, from: string): void {
  const place = join(root, path)
  if (existsSync(place)) throw fileRefused(path, otherFile)
  renameSync(from, place)
}

/** Refuses a place that a link leads out of the folder, and one with a file that is not replaced. */
async function refuseOtherFile(root: string, path: string, isReplaced: boolean): Promise<void> {
  const place = join(root, path)
  const stats = await lstat(place).catch(() => undefined)
  if (stats?.isSymbolicLink()) throw fileRefused(path, 'There is a link in its place.')
  if (stats && !isReplaced) throw fileRefused(path, otherFile)
  let folder = dirname(place)
  let real: string | undefined
  while (real === undefined && folder !== dirname(folder)) {
    real = await realpath(folder).catch(() => undefined)
    folder = dirname(folder)
  }
  if (real === undefined || !isInside(root, real))
    throw fileRefused(path, 'It is not in the folder of the site.')
  if (!(await stat(real)).isDirectory()) throw fileRefused(path, 'A file has the name of its folder.')
}

/** Refuses files that are not as they were read. */
function refuseChanged(root: string, files: readonly Pick<ContentFile, 'path' | 'stamp'>[]): void {
  const changed = files.find(({ path, stamp }) => !hasStamp(root, path, stamp))
  if (changed) throw fileChanged(changed.path)
}
