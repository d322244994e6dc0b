/** Why a file cannot have a page as a draft would have it. */
import { dirname } from 'node:path/posix'
import { Refusal } from '../../../kernel/index.ts'
import { contentChanged } from '../../content/adapter.ts'
import type { PageChange } from '../../content/model.ts'
import type { Page } from '../../content/page.ts'
import { textsOf } from '../former.ts'
import { textNow } from './block-reads.ts'
import { type ContentFile, keysOf } from './content-page.ts'
import { fileWrite, hasDetails, isWritten, refuseUnlessDocument, type WriteSource } from './file-write.ts'
import { isReadable, type KnownFile } from './read-files.ts'
import { type FormOf, kindOfPath } from './kinds.ts'
import { newPath, type PicturesUsed } from './plan.ts'
import { type FileIndex, sourcesOf } from './sources.ts'

/** The files as they were read last. */
export interface LastRead {
  readonly root: string
  readonly files: readonly KnownFile[]
  readonly byPath: ReadonlyMap<string, KnownFile>
  readonly index: FileIndex
  readonly admits: (path: string) => boolean
  readonly formOf: FormOf
  readonly earlier: WriteSource['earlier']
  readonly picturesIn: PicturesUsed
}

/**
 * Says why a changed page cannot be written into its file as it was read last; `undefined` if it can, and for
 * a file that has changed since. What could not be written before the change either is not a reason.
 */
export function refusalOf({ before, after }: PageChange, last: LastRead): string | undefined {
  const file = after && last.index.fileAt(after)
  const isRetitled =
    file && before && last.index.shares(file, after) && before.id === after.id && before.title !== after.title
  if (isRetitled && !file.hasTitle)
    return `${file.path}: ${titleReasons[kindOfPath(file.path) ?? 'document']}`
  const unknown = file && before && unknownKey(file, before, after, last)
  if (unknown !== undefined) return unknown
  const why = reasonOf(() => (after ? checkPage(after, before, last) : checkRemoval(before, last)))
  if (why === undefined || !before || !after) return why
  return why === reasonOf(() => checkPage(before, before, last)) ? undefined : why
}

/** Why the title of a page cannot be changed, by the kind of its file. */
const titleReasons = {
  document:
    'Its front matter has no title. Edit its first heading, which names the page; without one, rename the file.',
  data: 'It has no title. Its file names the page.',
  template: 'It has no title. Its file names the page; what visitors see is among its texts.',
}

/** A key that is added to front matter is one that the file or another one of its folder has. */
function unknownKey(file: ContentFile, before: Page, after: Page, { byPath }: LastRead): string | undefined {
  const known = new Set(keysOf(before))
  const added = keysOf(after).filter((name) => !known.has(name))
  if (added.length === 0) return undefined
  for (const other of byPath.values())
    if (isReadable(other) && dirname(other.path) === dirname(file.path))
      for (const name of other.keys) known.add(name)
  const name = added.find((each) => !known.has(each))
  if (name === undefined) return undefined
  return `${file.path}: No file of its folder has the key ${name}; add it to one of them first.`
}

function reasonOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code === contentChanged ? undefined : error.reason
  }
}

function checkRemoval(page: Page | undefined, { index }: LastRead): void {
  const file = index.bySlug.get(page?.slug ?? '')
  if (file) refuseUnlessDocument(file)
}

/** What comes back does so by an undo or an earlier publish: no edit may bring it that the page did not have. */
function checkPage(
  page: Page,
  before: Page | undefined,
  { root, index, admits, formOf, earlier }: LastRead,
): void {
  const { source: file, isMove = false } = sourcesOf([page], index)(page)
  const had = new Set(file && file.former.length > 0 ? before?.blocks.flatMap(textsOf) : [])
  const source = file && { ...file, former: file.former.filter((text) => had.has(text)) }
  if (source && source.slug === page.slug && isWritten(page, source)) return
  const path =
    source?.slug === page.slug ? source.path : newPath(page.slug, index.bySlug.get(page.slug), admits)
  const text = source && textNow(root, source)
  if (source && text === undefined) return
  const mayDiffer = before !== undefined && hasDetails(before) === hasDetails(page)
  fileWrite(page, { path, source, isMove, text, formOf, earlier, mayDiffer })
}
