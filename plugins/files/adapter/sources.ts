/**
 * Which file a page is made from: blocks keep their ids where pages are renamed, and copies are named after
 * them.
 */
import type { Page } from '../../content/page.ts'
import { type ContentFile, markOf } from './content-page.ts'
import { isReadable, type KnownFile } from './read-files.ts'

/** A file, and whether a page that is made from it moves it. */
export interface FileSource {
  readonly source?: ContentFile | undefined
  readonly isMove?: boolean
}

/** The files that were read, to be found by what pages say. */
export interface FileIndex {
  readonly bySlug: ReadonlyMap<string, KnownFile>
  /** Returns the file at the slug of a page, if it can be read. */
  fileAt(page: Page): ContentFile | undefined
  /** Returns the file that has the most blocks of a page. */
  originOf(page: Page): ContentFile | undefined
  /** Returns the file with the most blocks that those of a page are copies of. */
  modelOf(page: Page): ContentFile | undefined
  /** Whether a file has a block of a page. */
  shares(file: ContentFile, page: Page): boolean
}

export function indexOf(files: readonly KnownFile[]): FileIndex {
  const bySlug = new Map(files.map((file) => [file.slug, file]))
  const readable = files.filter(isReadable)
  /** Of all files only those are read that seem to have some of the blocks. */
  const mostOf = (ids: readonly string[]): ContentFile | undefined => {
    const marks = new Set(ids.map(markOf))
    const found = readable.filter((file) => file.marks.some((mark) => marks.has(mark)))
    const byBlock = new Map(found.flatMap((file) => file.page.blocks.map(({ id }) => [id, file] as const)))
    const counts = new Map<ContentFile, number>()
    for (const file of ids.flatMap((id) => byBlock.get(id) ?? []))
      counts.set(file, (counts.get(file) ?? 0) + 1)
    const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
    return most?.[0]
  }
  return {
    bySlug,
    fileAt({ slug }) {
      const file = bySlug.get(slug)
      return file && isReadable(file) ? file : undefined
    },
    originOf: ({ blocks }) => mostOf(blocks.map(({ id }) => id)),
    modelOf: ({ blocks }) => mostOf(blocks.map(({ id }) => id.replace(/_copy(?:_\d+)?$/, ''))),
    shares(file, { blocks }) {
      const own = new Set(file.page.blocks.map(({ id }) => id))
      return blocks.some(({ id }) => own.has(id))
    },
  }
}

/**
 * Returns the source of each of some pages, while `written` are the slugs of those that are as in their files:
 * the file in its place; else the one with its blocks, which moves unless
 * another page stays there; else the one that it is a copy of; none for a new page.
 */
export function sourcesOf(
  pages: readonly Page[],
  index: FileIndex,
  written: ReadonlySet<string> = new Set(),
): (page: Page) => FileSource {
  const stays = (page: Page): boolean => {
    const there = index.fileAt(page)
    return there !== undefined && (index.shares(there, page) || !index.originOf(page))
  }
  const staying = new Set([...written, ...pages.filter(stays).map(({ slug }) => slug)])
  const moved = new Set<ContentFile>()
  return (page) => {
    const there = index.fileAt(page)
    if (staying.has(page.slug)) return { source: there }
    const origin = index.originOf(page)
    if (origin && !staying.has(origin.slug) && !moved.has(origin)) {
      moved.add(origin)
      return { source: origin, isMove: true }
    }
    return { source: there ?? origin ?? index.modelOf(page) }
  }
}
