/** Reads the content files of a website. What did not change since the last read is not read again. */
import { limitConcurrency, pace, paced } from '../../../kernel/index.ts'
import { namedBlocks } from './block-names.ts'
import type { BlocksOf } from './block-reads.ts'
import { contentFile, type ContentFile, type UnreadableFile } from './content-page.ts'
import { type FileStamp, hasStamp, readSaved, stampOf } from './find.ts'
import type { FileForm, FormOf } from './kinds.ts'
import { movesOf } from './moves.ts'
import { type FileReadings, hashOf, type KnownText, type Readings } from './readings.ts'
import { withFormer } from '../former.ts'
import { slugOfPath } from '../../content/file-slugs.ts'
import type { Reading } from '../reading.ts'

export type KnownFile = ContentFile | UnreadableFile

export const isReadable = (file: KnownFile): file is ContentFile => 'page' in file

/** A file that differs from the last read. */
interface ChangedFile {
  readonly path: string
  readonly form: FileForm
  readonly found: FileStamp
  readonly hash: string
  readonly reading: Reading
}

/** The most files that are read at once, and of which the readings are in memory. */
const mostOpen = 4

/** Returns the files at these paths, in their order; those of the last read where nothing changed. */
export async function readFiles(
  root: string,
  paths: readonly string[],
  last: ReadonlyMap<string, KnownFile>,
  { readings, blocksOf, formOf }: Pick<Settling, 'readings' | 'blocksOf'> & { readonly formOf: FormOf },
): Promise<readonly KnownFile[]> {
  const limited = limitConcurrency(mostOpen)
  const readAt = (path: string) =>
    limited(async () => {
      await pace()
      return readFileAt(root, path, { form: formOf(path), last: last.get(path) })
    })
  const found = new Map<string, KnownFile>()
  for await (const path of paced(paths)) {
    const [known, form] = [last.get(path), formOf(path)]
    const isReadAgain = !known || !isReadable(known) || !form || 'missing' in form
    if (!isReadAgain && hasStamp(root, path, known.stamp)) found.set(path, known)
  }
  const ids = new Set(found.values().flatMap((each) => (isReadable(each) ? [each.page.id] : [])))
  const others = paths.filter((path) => !found.has(path))
  const [known, added] = [others.filter(readings.has), others.filter((path) => !readings.has(path))]
  // A file that is new may be one that is gone: which one, all of them together say.
  const mayMove = added.length > 0 && readings.hasOthers(paths)
  const batches = [...batchesOf(known), ...(mayMove ? [added] : batchesOf(added))]
  for (const batch of batches) {
    const read = await Promise.all(batch.map(readAt))
    const moves = mayMove ? await movedFiles(read.filter(isChanged), paths, readings) : noMoves
    for await (const each of paced(read)) {
      if (!each) continue
      const file = isChanged(each) ? await settled(each, { moves, ids, readings, blocksOf, last }) : each
      if (isReadable(file)) ids.add(file.page.id)
      found.set(file.path, file)
    }
  }
  return paths.flatMap((path) => found.get(path) ?? [])
}

const batchesOf = (paths: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(paths.length / mostOpen) }, (_, n) =>
    paths.slice(n * mostOpen, (n + 1) * mostOpen),
  )

const noMoves: Settling['moves'] = new Map()

const isChanged = (file: KnownFile | ChangedFile | undefined): file is ChangedFile =>
  file !== undefined && 'reading' in file

async function readFileAt(
  root: string,
  path: string,
  { form, last }: { readonly form: ReturnType<FormOf>; readonly last: KnownFile | undefined },
): Promise<KnownFile | ChangedFile | undefined> {
  const found = await stampOf(root, path)
  if (found === undefined || !form) return undefined
  const unreadable = (why: string, stamp = ''): UnreadableFile => {
    const isAsBefore = last && !isReadable(last) && last.unreadable === why && last.stamp === stamp
    return isAsBefore ? last : { path, form, slug: slugOfPath(path), stamp, unreadable: why }
  }
  if (typeof found === 'string') return unreadable(found)
  if ('missing' in form) return unreadable(form.missing)
  if (last?.stamp === found.stamp) return last
  const saved = await readSaved(root, path)
  if (!saved) return undefined
  const { content } = saved
  if ('unreadable' in content) return unreadable(content.unreadable, saved.found.stamp)
  await pace()
  for (const _ of form.file.parse?.(content.text) ?? []) await pace()
  const reading = form.file.read(content.text)
  if ('unreadable' in reading)
    return unreadable(`line ${reading.line}: ${reading.unreadable.replace(/\.$/, '')}`, saved.found.stamp)
  return { path, form, found: saved.found, hash: hashOf(content.text), reading: withOwnNames(reading) }
}

/** What a page is called by is a part of the text of the whole file, which it would hold in memory. */
const withOwnNames = ({ title, description, heading, blocks }: Reading): Reading => ({
  title: ownText(title),
  description: ownText(description),
  heading: ownText(heading),
  blocks,
})

const ownText = (text: string | undefined): string | undefined =>
  text && Buffer.from(text, 'utf16le').toString('utf16le')

/** Returns what is known of files that were moved, also if they were edited. */
async function movedFiles(
  changed: readonly ChangedFile[],
  paths: readonly string[],
  readings: Readings,
): Promise<ReadonlyMap<string, FileReadings>> {
  const added = changed.filter(({ path }) => !readings.has(path))
  return added.length === 0 ? new Map() : movesOf(added, await readings.ofOthers(paths))
}

interface Settling {
  readonly moves: ReadonlyMap<string, FileReadings>
  /** The ids of pages that are taken. */
  readonly ids: ReadonlySet<string>
  readonly readings: Readings
  readonly blocksOf: BlocksOf
  /** The files of the last read. */
  readonly last: ReadonlyMap<string, KnownFile>
}

/** Returns a file with the ids that its blocks had before, and stores its reading if that is new. */
async function settled(
  { path, form, found, hash, reading }: ChangedFile,
  { moves, ids, readings, blocksOf, last }: Settling,
): Promise<ContentFile> {
  const moved = moves.get(path)
  const known = moved ?? (await readings.read(path))
  const same = known?.texts.find((text) => text.hash === hash)
  const earlier = same ?? known?.texts[0]
  const blocks = namedBlocks(path, earlier?.blocks ?? [], reading.blocks)
  const id = freeId(known?.id ?? path, ids)
  const isKnown = !moved && known?.id === id && known.texts[0]?.hash === hash
  const former = isKnown
    ? known.former
    : withFormer(known?.former ?? [], known?.texts[0]?.blocks ?? [], blocks)
  if (!isKnown) {
    const texts = newest({ ...same, hash, blocks }, known)
    await readings.write({ path, id, texts, former }, known !== undefined)
  }
  if (moved) await readings.remove(moved.path)
  const { stamp, modified } = found
  const { origin = hash, sent } = same ?? {}
  const before = last.get(path)
  const isAsBefore = before && isReadable(before) && before.hash === hash
  return contentFile({
    path,
    form,
    hash,
    origin,
    former: former ?? [],
    id,
    reading,
    blocks,
    blocksAgain: isAsBefore ? before.blocksAgain : blocksOf({ path, hash, form }),
    stamp,
    modified,
    sent,
  })
}

/** The newest text first, then the one before it. */
export const newest = (text: KnownText, known?: Pick<FileReadings, 'texts'>): readonly KnownText[] => [
  text,
  ...(known?.texts ?? []).filter(({ hash }) => hash !== text.hash).slice(0, 1),
]

/** A file may have come to the path that another one had before it was moved. */
function freeId(wanted: string, taken: ReadonlySet<string>): string {
  for (let n = 2, id = wanted; ; n += 1) {
    if (!taken.has(id)) return id
    id = `${wanted}#${n}`
  }
}
