/** Reads the content files of a website. What did not change since the last read is not read again. */
import { limitConcurrency, pace } from '../../../kernel/index.ts'
import { namedBlocks } from './block-names.ts'
import { contentFile, type ContentFile, type UnreadableFile } from './content-page.ts'
import { type FileStamp, readSaved, stampOf } from './find.ts'
import type { FileForm, FormOf } from './kinds.ts'
import { movesOf } from './moves.ts'
import { type FileReadings, hashOf, type KnownText, type Readings } from './readings.ts'
import { withFormer } from '../former.ts'
import { slugOfPath } from '../../content/file-slugs.ts'
import type { ReadBlock, Reading } from '../reading.ts'

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

const mostOpen = 16

/** Returns the files at these paths, in their order; those of the last read where nothing changed. */
export async function readFiles(
  root: string,
  paths: readonly string[],
  last: ReadonlyMap<string, KnownFile>,
  { readings, formOf }: { readonly readings: Readings; readonly formOf: FormOf },
): Promise<readonly KnownFile[]> {
  const limited = limitConcurrency(mostOpen)
  const read = await Promise.all(
    paths.map((path) =>
      limited(async () => {
        await pace()
        return readFileAt(root, path, { form: formOf(path), last: last.get(path) })
      }),
    ),
  )
  const moves = await movedFiles(read.filter(isChanged), paths, readings)
  const ids = new Set(
    read.flatMap((each) => (each && !isChanged(each) && isReadable(each) ? [each.page.id] : [])),
  )
  const files: KnownFile[] = []
  for (const each of read) {
    await pace()
    if (each) files.push(isChanged(each) ? await settled(each, { moves, ids, readings }) : each)
  }
  return files
}

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
  return { path, form, found: saved.found, hash: hashOf(content.text), reading: withOwnFront(reading) }
}

/** The front matter has parts of the text of the whole file, which each of them would hold in memory. */
function withOwnFront({ title, description, blocks, ...reading }: Reading): Reading {
  const own = ({ props, ...block }: ReadBlock): ReadBlock => ({
    ...block,
    props: Object.fromEntries(Object.entries(props).map(([name, value]) => [name, ownText(value)])),
  })
  return {
    ...reading,
    title: ownText(title),
    description: ownText(description),
    blocks: blocks.map((block) => (block.type === 'Details' ? own(block) : block)),
  }
}

function ownText<T>(value: T): T
function ownText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => ownText(each))
  return typeof value === 'string' ? Buffer.from(value, 'utf16le').toString('utf16le') : value
}

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
  readonly ids: Set<string>
  readonly readings: Readings
}

/** Returns a file with the ids that its blocks had before, and stores its reading if that is new. */
async function settled(
  { path, form, found, hash, reading }: ChangedFile,
  { moves, ids, readings }: Settling,
): Promise<ContentFile> {
  const moved = moves.get(path)
  const known = moved ?? (await readings.read(path))
  const same = known?.texts.find((text) => text.hash === hash)
  const earlier = same ?? known?.texts[0]
  const blocks = namedBlocks(path, earlier?.blocks ?? [], reading.blocks)
  const id = freeId(known?.id ?? path, ids)
  ids.add(id)
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
  return contentFile({
    path,
    form,
    hash,
    origin,
    former: former ?? [],
    id,
    reading,
    blocks,
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
