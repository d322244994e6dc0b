/** The files of a draft. After an edit, only those of the edited pages are read and planned again. */
import type { Page } from '../../content/page.ts'
import type { ContentFile } from './content-page.ts'
import { stampOf } from './find.ts'
import type { PendingPicture } from './pending-pictures.ts'
import { planPublish, type PlannedFiles } from './plan.ts'
import { isReadable } from './read-files.ts'
import type { LastRead } from './refusal-of.ts'
import { indexOf } from './sources.ts'

/** What files have by path: a text, or the bytes of another file; `undefined` for one that is removed. */
export type DraftFiles = ReadonlyMap<string, string | PendingPicture | undefined>

interface Planned {
  readonly pages: readonly Page[]
  readonly read: LastRead
  readonly texts: ReadonlyMap<string, string | undefined>
}

interface PlanSteps {
  /** Returns the last read of the files. */
  readonly last: () => LastRead | undefined
  /** Reads the files that have changed. */
  readonly current: () => Promise<LastRead>
  readonly textOf: (root: string, file: ContentFile) => Promise<string>
}

/** Creates a function that returns the files which a publish of pages would change. */
export function createDraftPlan({ last, current, textOf }: PlanSteps) {
  let planned: Planned | undefined

  async function whole(pages: readonly Page[]): Promise<Planned> {
    const read = await current()
    const own = (file: ContentFile) => textOf(read.root, file)
    const plan = await planPublish(pages, { ...readableOf(read), textOf: own })
    return { pages, read, texts: textsOf(plan) }
  }

  /** Plans the edited pages alone; `undefined` if pages or files have come, gone, moved or changed besides. */
  async function afterEdit(pages: readonly Page[]): Promise<Planned | undefined> {
    const edited = planned && planned.read === last() ? editedPages(planned.pages, pages) : undefined
    if (!planned || !edited) return undefined
    const { read, texts } = planned
    const { root, index } = read
    const files: ContentFile[] = []
    for (const { before, page } of edited) {
      const file = index.fileAt(page)
      const stays = (each: Page): boolean =>
        file !== undefined && (each.blocks.length === 0 || index.shares(file, each))
      if (!file || !stays(before) || !stays(page)) return undefined
      const found = await stampOf(root, file.path)
      if (typeof found !== 'object' || found.stamp !== file.stamp) return undefined
      files.push(file)
    }
    const own = (file: ContentFile) => textOf(root, file)
    const changed = edited.map(({ page }) => page)
    const plan = await planPublish(changed, { ...read, files, textOf: own })
    const next = new Map(texts)
    for (const { path } of files) next.delete(path)
    for (const [path, text] of textsOf(plan)) next.set(path, text)
    return { pages, read, texts: next }
  }

  return async (pages: readonly Page[]): Promise<DraftFiles> => {
    planned = (await afterEdit(pages)) ?? (await whole(pages))
    const { read, texts } = planned
    const files = new Map<string, string | PendingPicture | undefined>(texts)
    for (const picture of read.picturesIn(texts)) files.set(picture.path, picture)
    return files
  }
}

/** Returns a read without the files that cannot be read: a publish leaves them as they are. */
export function readableOf(read: LastRead): LastRead & { readonly files: readonly ContentFile[] } {
  const files = read.files.filter(isReadable)
  return { ...read, files, index: files.length === read.files.length ? read.index : indexOf(files) }
}

/** Returns the pages that differ, each with the one before it; `undefined` if pages have come, gone or moved. */
function editedPages(before: readonly Page[], after: readonly Page[]) {
  if (before.length !== after.length) return undefined
  const edited: { readonly before: Page; readonly page: Page }[] = []
  for (const [at, page] of after.entries()) {
    const other = before[at]
    if (other === page) continue
    if (other?.slug !== page.slug) return undefined
    edited.push({ before: other, page })
  }
  return edited
}

function textsOf({ writes, removals }: PlannedFiles): Planned['texts'] {
  const moved = writes.flatMap(({ source, isMove }) => (source && isMove ? [source] : []))
  return new Map([
    ...[...removals, ...moved].map(({ path }) => [path, undefined] as const),
    ...writes.map(({ path, text }) => [path, text] as const),
  ])
}
