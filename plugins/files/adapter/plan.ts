/** What a publish writes into which files, decided before the first of them is written. */
import { pace } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import type { Page } from '../../content/page.ts'
import { sharedBlocks } from '../../content/merge/match.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { repeatedSlug, slugTwice } from '../../content/slugs.ts'
import { pathOfSlug } from '../slugs.ts'
import type { ContentFile } from './content-page.ts'
import { fileWrite, type FileWrite, isWritten, refuseUnlessDocument } from './file-write.ts'
import { formOfPath } from './kinds.ts'
import { isReadable, type KnownFile } from './look.ts'
import { fileRefused } from './refusals.ts'

export interface PlannedFiles {
  readonly writes: readonly FileWrite[]
  readonly removals: readonly KnownFile[]
}

/** What a plan is made of. */
export interface PlanSources {
  readonly files: readonly KnownFile[]
  readonly textOf: (file: ContentFile) => Promise<string>
  /** Whether a new file would be content. */
  readonly admits: (path: string) => boolean
}

type Entries = SiteContent['pages']

/**
 * Plans a publish: the files that differ, moved and new ones, and those that go. An entry that was unreadable stays as
 * it is while it is sent.
 *
 * Throws a refusal with the file, the block and the reason for what a file cannot hold.
 */
export async function planPublish(
  entries: Entries,
  { files, textOf, admits }: PlanSources,
): Promise<PlannedFiles> {
  const bySlug = new Map(files.map((file) => [file.slug, file]))
  const isCarried = (entry: Page): boolean => {
    const file = bySlug.get(entry.slug)
    return file !== undefined && !isReadable(file) && isPlainObject(entry) && 'unreadable' in entry
  }
  const pages = entries.filter((entry) => !isCarried(entry))
  const twice = repeatedSlug(pages)
  if (twice !== undefined) throw new Error(slugTwice(twice))
  const sources = sourcesOf(pages, files.filter(isReadable))
  const writes: FileWrite[] = []
  const moved = new Set<string>()
  for (const page of pages) {
    await pace()
    const { source, isMove = false } = sources(page)
    if (source && source.slug === page.slug && isWritten(page, source)) continue
    const path = source?.slug === page.slug ? source.path : newPath(page.slug, bySlug.get(page.slug), admits)
    const text = source && (await textOf(source))
    writes.push(fileWrite(page, { path, source, isMove, text }))
    if (source && isMove) moved.add(source.path)
  }
  const wanted = new Set(entries.map(({ slug }) => slug))
  const removals = files.filter(({ slug, path }) => !wanted.has(slug) && !moved.has(path))
  for (const file of removals) refuseUnlessDocument(file)
  return { writes, removals }
}

/**
 * Returns the file whose text a page has: that at its slug, or the one that its key `document` names, which it leaves if
 * no other page is there, and else is a copy of.
 */
function sourcesOf(pages: readonly Page[], files: readonly ContentFile[]) {
  const [byPath, bySlug] = [
    new Map(files.map((file) => [file.path, file])),
    new Map(files.map((file) => [file.slug, file])),
  ]
  const fileOf = (page: Page): ContentFile | undefined => byPath.get(originOf(page) ?? '')
  const claims = Map.groupBy(pages, (page) => fileOf(page)?.path)
  /** Returns the page that a file becomes: the one in its place, else the one with the most of its blocks. */
  const heirOf = ({ path, slug, page }: ContentFile): Page | undefined => {
    const claiming = claims.get(path) ?? []
    const [first] = claiming.toSorted((a, b) => sharedBlocks(page, b) - sharedBlocks(page, a))
    return claiming.find((each) => each.slug === slug) ?? first
  }
  return (page: Page): { readonly source?: ContentFile | undefined; readonly isMove?: boolean } => {
    const [origin, there] = [fileOf(page), bySlug.get(page.slug)]
    if (origin && origin !== there && heirOf(origin) === page) return { source: origin, isMove: true }
    return { source: there ?? origin }
  }
}

/** Returns the path of the file that a page has, or is a copy of. */
export function originOf({ document }: Page): string | undefined {
  const path = isPlainObject(document) ? document['path'] : undefined
  return typeof path === 'string' ? path : undefined
}

/** Returns the path of a page that has no file yet. Throws a refusal for one that would be no content. */
export function newPath(slug: string, there: KnownFile | undefined, admits: PlanSources['admits']): string {
  const path = there?.path ?? pathOfSlug(slug)
  if (path === undefined)
    throw fileRefused(
      slug,
      'A page of this site is a file, so its slug is /~ and a path, such as /~docs/boats.md.',
    )
  if (formOfPath(path)?.kind !== 'document')
    throw fileRefused(path, 'Only documents are created, such as files that end with .md or .mdx.')
  if (there && !isReadable(there))
    throw fileRefused(path, `The file there cannot be read: ${there.unreadable}.`)
  if (!there && !admits(path))
    throw fileRefused(path, 'This folder has no content; create it in another one.')
  return path
}
