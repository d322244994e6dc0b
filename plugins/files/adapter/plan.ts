/** What a publish writes into which files, decided before the first of them is written. */
import { paced } from '../../../kernel/index.ts'
import type { FileChange, SiteContent } from '../../content/adapter.ts'
import type { Page } from '../../content/page.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { repeatedSlug, slugTwice } from '../../content/slugs.ts'
import { pathOfSlug } from '../../content/file-slugs.ts'
import type { ContentFile } from './content-page.ts'
import { fileWrite, type FileWrite, isWritten, refuseUnlessDocument, type WriteSource } from './file-write.ts'
import { type FormOf, kindOfPath } from './kinds.ts'
import type { PendingPicture } from './pending-pictures.ts'
import { isReadable, type KnownFile } from './read-files.ts'
import { fileRefused } from './refusals.ts'
import { type FileIndex, sourcesOf } from './sources.ts'

export interface PlannedFiles {
  readonly writes: readonly FileWrite[]
  readonly removals: readonly KnownFile[]
  /** Pictures that what is written refers to, and the folder does not have. */
  readonly pictures: readonly PendingPicture[]
}

/** Returns the pictures that texts of files, by path, refer to, and the folder does not have. */
export type PicturesUsed = (texts: ReadonlyMap<string, string | undefined>) => readonly PendingPicture[]

/** What a plan is made of. */
export interface PlanSources {
  readonly files: readonly KnownFile[]
  readonly index: FileIndex
  readonly textOf: (file: ContentFile) => Promise<string>
  /** Whether a new file would be content. */
  readonly admits: (path: string) => boolean
  readonly formOf: FormOf
  readonly earlier: WriteSource['earlier']
  readonly picturesIn: PicturesUsed
}

type Entries = SiteContent['pages']

/**
 * Plans a publish: the files that differ, moved and new ones, and those that go. An entry that was unreadable
 * stays as it is while it is sent.
 *
 * Throws a refusal with the file, the block and the reason for what a file cannot hold.
 */
export async function planPublish(entries: Entries, sources: PlanSources): Promise<PlannedFiles> {
  const { index } = sources
  const isCarried = (entry: Page): boolean => {
    const file = index.bySlug.get(entry.slug)
    return file !== undefined && !isReadable(file) && isPlainObject(entry) && 'unreadable' in entry
  }
  const pages = entries.filter((entry) => !isCarried(entry))
  const twice = repeatedSlug(pages)
  if (twice !== undefined) throw new Error(slugTwice(twice))
  const others = new Map<string, Page>()
  for await (const page of paced(pages)) {
    const there = index.fileAt(page)
    if (!there || !isWritten(page, there)) others.set(page.slug, page)
  }
  return planOf({ slugs: entries.map(({ slug }) => slug), others }, sources)
}

/** What files are planned of: the slugs of all pages in order, and the pages that are not as in their files. */
interface PlannedPages {
  readonly slugs: readonly string[]
  readonly others: ReadonlyMap<string, Page>
}

/** Plans as `planPublish`; of `earlier`, what was written of the same pages and files is taken. */
export async function planOf(
  { slugs, others }: PlannedPages,
  { files, index, textOf, admits, formOf, earlier: earlierTexts, picturesIn }: PlanSources,
  earlier: readonly FileWrite[] = [],
): Promise<PlannedFiles> {
  const { bySlug } = index
  const wanted = new Set(slugs)
  const pages = slugs.flatMap((slug) => others.get(slug) ?? [])
  const sources = sourcesOf(pages, index, new Set(slugs.filter((slug) => !others.has(slug))))
  const known = new Map(earlier.map((write) => [write.page, write]))
  const writes: FileWrite[] = []
  const moved = new Set<string>()
  for await (const page of paced(pages)) {
    const { source, isMove = false } = sources(page)
    const path = source?.slug === page.slug ? source.path : newPath(page.slug, bySlug.get(page.slug), admits)
    const there = index.fileAt(page)
    const replaced = there === source ? undefined : there
    const before = known.get(page)
    if (before && before.source === source && before.isMove === isMove && before.replaced === replaced)
      writes.push(before)
    else {
      const text = source && (await textOf(source))
      const how = { path, source, isMove, text, formOf, earlier: earlierTexts, mayDiffer: true }
      writes.push({ ...fileWrite(page, how), replaced })
    }
    if (source && isMove) moved.add(source.path)
  }
  const removals = files.filter(({ slug, path }) => !wanted.has(slug) && !moved.has(path))
  for (const file of removals) refuseUnlessDocument(file)
  const pictures = picturesIn(new Map(writes.map(({ path, text }) => [path, text])))
  return { writes, removals, pictures }
}

/** Returns the files that a plan changes, pictures first; one whose text stays is none. */
export async function changesOf(
  { writes, removals, pictures }: PlannedFiles,
  textOf: PlanSources['textOf'],
): Promise<readonly FileChange[]> {
  const removed = removals.map(async (file) => ({
    path: file.path,
    before: isReadable(file) ? await textOf(file) : undefined,
  }))
  const written = writes.map(async ({ path, source, isMove, text: after }) => {
    const isOwn = source !== undefined && (isMove || source.path === path)
    const from = isOwn && source.path !== path ? source.path : undefined
    return { path, from, before: isOwn ? await textOf(source) : undefined, after }
  })
  const changes: readonly FileChange[] = await Promise.all([...removed, ...written])
  const texts = changes.filter(
    ({ from, before, after }) => from !== undefined || before === undefined || before !== after,
  )
  return [...pictures, ...texts]
}

/** The longest name that file systems have. */
const mostNameBytes = 255

/** Returns the path of a page that has no file yet. Throws a refusal for one that would be no content. */
export function newPath(slug: string, there: KnownFile | undefined, admits: PlanSources['admits']): string {
  const path = there?.path ?? pathOfSlug(slug)
  if (path === undefined)
    throw fileRefused(
      slug,
      'A page of this site is a file, so its slug is /~ and a path, such as /~docs/boats.md.',
    )
  if (!there && path.split('/').some((name) => Buffer.byteLength(name) > mostNameBytes))
    throw fileRefused(
      `${path.slice(0, mostNameBytes).toWellFormed()}…`,
      `The name of a file or a folder has at most ${mostNameBytes} bytes.`,
    )
  if (kindOfPath(path) !== 'document')
    throw fileRefused(path, 'Only documents are created, such as files that end with .md or .mdx.')
  if (there && !isReadable(there))
    throw fileRefused(path, `The file there cannot be read: ${there.unreadable}.`)
  if (!there && !admits(path))
    throw fileRefused(path, 'This folder has no content; create it in another one.')
  return path
}
