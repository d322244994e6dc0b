/** The files of a draft. After an edit, only what differs from the files is compared and planned again. */
import { pace } from '../../../kernel/index.ts'
import type { Page } from '../../content/page.ts'
import { perObject } from '../../content/plain-object.ts'
import type { ContentFile } from './content-page.ts'
import { isWritten } from './file-write.ts'
import { hasStamp } from './find.ts'
import type { PendingPicture } from './pending-pictures.ts'
import { planOf, type PlannedFiles } from './plan.ts'
import { isReadable, type KnownFile } from './read-files.ts'
import type { LastRead } from './refusal-of.ts'
import { indexOf } from './sources.ts'

/** What files have by path: a text, or the bytes of another file; `undefined` for one that is removed. */
export type FileTexts = ReadonlyMap<string, string | PendingPicture | undefined>

/** A draft whose pages are read one by one. */
export interface DraftReader {
  /** Returns the pages that have changed after a version; all of them if `isComplete`. */
  read(
    since?: number,
  ): Promise<{
    readonly version: number
    readonly isComplete: boolean
    readonly pages: AsyncIterable<readonly [slug: string, stored: { readonly page: Page } | undefined]>
  }>
  page(slug: string): Promise<Page | undefined>
  /** Returns the slugs of all pages, in their order. */
  slugs(): Promise<readonly string[]>
}

/** The files of a draft, and the pages that it has otherwise than at the last call, by slug. */
export interface DraftFiles {
  readonly files: FileTexts
  readonly pages: ReadonlyMap<string, Page | undefined>
  readonly isComplete: boolean
}

interface Planned {
  readonly version: number
  readonly read: LastRead
  /** The pages that are not as in their files. */
  readonly others: ReadonlyMap<string, Page>
  readonly plan: PlannedFiles
}

interface PlanSteps {
  /** Returns the last read of the files. */
  readonly last: () => LastRead | undefined
  /** Reads the files that have changed. */
  readonly current: () => Promise<LastRead>
  readonly textOf: (root: string, file: ContentFile) => Promise<string>
}

/** Creates a function that returns the files which a publish of a draft would change. */
export function createDraftPlan({ last, current, textOf }: PlanSteps) {
  const plans = new WeakMap<DraftReader, Planned>()

  /** Returns the last read; reads the folder again if the file of one of the pages has changed since. */
  async function readFor(before: Planned, slugs: Iterable<string>): Promise<LastRead> {
    const { read } = before
    const isSame = (slug: string): boolean => {
      const file = read.index.bySlug.get(slug)
      return !file || hasStamp(read.root, file.path, file.stamp)
    }
    return read === last() && [...slugs].every(isSame) ? read : current()
  }

  /** Returns the pages that may be others than their files, by slug. */
  async function* differing(draft: DraftReader, before: Planned, changed: Changed, read: LastRead) {
    yield* changed
    for (const slug of otherFiles(before.read, read))
      if (!changed.has(slug)) yield [slug, await draft.page(slug)] as const
  }

  return async (draft: DraftReader): Promise<DraftFiles> => {
    const earlier = plans.get(draft)
    const { version, isComplete, pages: stream } = await draft.read(earlier?.version)
    const before = isComplete ? undefined : earlier
    const changed = before && new Map(await Array.fromAsync(stream, ([slug, stored]) => [slug, stored?.page]))
    const read = before && changed ? await readFor(before, changed.keys()) : await current()
    const { index } = read
    const others = new Map(before?.others)
    const pages = new Map<string, Page | undefined>()
    const compare = (slug: string, page: Page | undefined): void => {
      const file = page && index.fileAt(page)
      const isSame = page && file && isWritten(page, file)
      if (page && !isSame) others.set(slug, page)
      else others.delete(slug)
      pages.set(slug, isSame ? file.page : page)
    }
    if (before && changed)
      for await (const [slug, page] of differing(draft, before, changed, read)) {
        await pace()
        compare(slug, page)
      }
    else
      for await (const [slug, stored] of stream) {
        await pace()
        compare(slug, stored?.page)
      }
    const slugs = await draft.slugs()
    const own = (file: ContentFile) => textOf(read.root, file)
    const sources = { ...readableOf(read), textOf: own }
    const plan = await planOf({ slugs, others }, sources, before?.plan.writes)
    plans.set(draft, { version, read, others, plan })
    const texts = textsOf(plan)
    const files = new Map<string, string | PendingPicture | undefined>(texts)
    for (const picture of read.picturesIn(texts)) files.set(picture.path, picture)
    return { files, pages, isComplete: before === undefined }
  }
}

type Changed = ReadonlyMap<string, Page | undefined>

/** Returns the slugs of files that are others than before. */
function otherFiles(before: LastRead, now: LastRead): readonly string[] {
  if (before === now) return []
  const [was, is] = [before.index.bySlug, now.index.bySlug]
  return [...new Set([...was.keys(), ...is.keys()])].filter((slug) => was.get(slug) !== is.get(slug))
}

/** Returns a read without the files that cannot be read: a publish leaves them as they are. */
export const readableOf = perObject(
  (read: LastRead): LastRead & { readonly files: readonly ContentFile[] } => {
    const files = read.files.filter(isReadable)
    return { ...read, files, index: files.length === read.files.length ? read.index : indexOf(files) }
  },
)

function textsOf({ writes, removals }: PlannedFiles): ReadonlyMap<string, string | undefined> {
  const gone: readonly KnownFile[] = [
    ...removals,
    ...writes.flatMap(({ source, isMove }) => (source && isMove ? [source] : [])),
  ]
  return new Map([
    ...gone.map(({ path }) => [path, undefined] as const),
    ...writes.map(({ path, text }) => [path, text] as const),
  ])
}
