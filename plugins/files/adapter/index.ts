import { createKeyedQueue } from '../../../kernel/index.ts'
import type {
  ContentAdapter,
  ContentChanges,
  FilesOfContent,
  MediaFile,
  MediaItem,
  SiteContent,
} from '../../content/adapter.ts'
import type { Page } from '../../content/page.ts'
import type { Carried } from '../../content/read-pages.ts'
import { createDraftPlan, type DraftFiles, type DraftReader, readableOf } from './draft-plan.ts'
import { type ContentFilesOptions, createFolder } from './folder.ts'
import { isReadable, type KnownFile } from './read-files.ts'
import { changesOf, planPublish } from './plan.ts'
import { type FileForm, kindOfPath } from './kinds.ts'
import { addPicture } from './add-picture.ts'
import { listPictures, readPicture } from './pictures.ts'
import { lineOf, type TextInFile } from './line-of.ts'
import { refusalOf } from './refusal-of.ts'
import { fileChanged, repositoryBusy } from './refusals.ts'
import { createWriter } from './write.ts'

export type { DraftReader } from './draft-plan.ts'
export type { ContentFilesOptions } from './folder.ts'

/** The files of a website as its content, and as a draft would have them. */
export interface ContentFiles extends ContentAdapter {
  readonly files: FilesOfContent
  changes(since?: string): Promise<ContentChanges>
  read(slug: string): Promise<Page | undefined>
  /**
   * Returns the files that a publish of a draft would change, by path: the text of each, the file whose bytes
   * a new picture gets, `undefined` for one that it would remove; and the pages that have changed since the last
   * call with this reader. Rejects as a publish does for what a file cannot hold.
   *
   * After the first call only the files of pages that have changed are looked at; what else has changed in the
   * folder is seen by the next read of the content.
   */
  filesOf(draft: DraftReader): Promise<DraftFiles>
  /** Says what git is doing in the folder, during which nothing is read there; `undefined` for nothing. */
  gitAtWork(): Promise<string | undefined>
  /** Lists the files of content in order, without reading them. */
  list(): Promise<readonly { readonly path: string; readonly kind: FileForm['kind'] }[]>
  /** Stores a picture until a publish writes a file that refers to it, see `placeOfPicture` for where that is. */
  uploadMedia(file: MediaFile): Promise<MediaItem>
  /** Reads a picture by its path, also one that waits; `undefined` for all other files. */
  picture(path: string): ReturnType<typeof readPicture>
  /** Returns the line of a text in its file as it was read last; `undefined` if it is not known. */
  lineOf(text: TextInFile): number | undefined
}

/**
 * The files of a website as its content: each file of content is a page, see `selectContent` for which those
 * are.
 *
 * A read of the content reads only files that have changed since the last one. A file that cannot be read is
 * listed in `unreadable`, and costs no other. A publish writes only files that differ, in place; one that
 * cannot hold a change refuses the publish before anything is written. What is known of the blocks is in
 * `.orchestrator` below the folder.
 */
export function createContentFiles(folder: string, options: ContentFilesOptions = {}): ContentFiles {
  const queue = createKeyedQueue<'folder'>()
  const { opening, current, last, state, changedSince, noteWritten } = createFolder(folder, options)

  async function writerIn(root: string) {
    return createWriter(root, await opening())
  }

  async function changesOfPages(pages: readonly Page[]) {
    const read = await current()
    const { textOf } = await writerIn(read.root)
    return changesOf(await planPublish(pages, { ...readableOf(read), textOf }), textOf)
  }

  const filesOf = createDraftPlan({
    last,
    current,
    textOf: async (root, file) => (await writerIn(root)).textOf(file),
  })

  return {
    isExact: true,
    isPagesOnly: true,
    readContent: () => queue.run('folder', async () => contentOf((await current()).files)),
    changes: (since) =>
      queue.run('folder', async () => {
        const { files } = await current()
        const isChanged = changedSince(since)
        const readable = files.filter(isReadable)
        return {
          state: state(),
          slugs: readable.map(({ slug }) => slug),
          changed: readable.flatMap((file) => (isChanged(file) ? [file.slug] : [])),
          unreadable: unreadableIn(files),
        }
      }),
    read: async (slug) => {
      const { index } = last() ?? (await queue.run('folder', current))
      const file = index.bySlug.get(slug)
      return file && isReadable(file) ? file.page : undefined
    },
    writeContent: ({ pages, siteConfig }, { from, place } = {}) =>
      queue.run('folder', async () => {
        const busy = (await opening()).gitAtWork()
        if (busy !== undefined) throw repositoryBusy(busy)
        // Of the content that was read: what has changed since is merged first.
        const read = last(from) ?? (await current())
        if (from !== undefined && from !== state()) throw fileChanged('A file')
        const writer = await writerIn(read.root)
        const plan = await planPublish(pages, { ...read, textOf: writer.textOf })
        await writer.write(plan, place)
        noteWritten(plan.writes.map(({ path }) => path))
        return { notes: Object.keys(siteConfig ?? {}).length > 0 ? [settingsDropped] : [] }
      }),
    files: { folder, changesOf: (pages) => queue.run('folder', () => changesOfPages(pages)) },
    filesOf: (draft) => queue.run('folder', () => filesOf(draft)),
    gitAtWork: async () => (await opening()).gitAtWork(),
    async branch() {
      const { gitAtWork, branch } = await opening()
      return gitAtWork() === undefined ? branch() : undefined
    },
    list: () =>
      queue.run('folder', async () => {
        const { list, select } = await opening()
        const { paths } = await select(await list())
        return paths.flatMap((path) => {
          const kind = kindOfPath(path)
          return kind ? { path, kind } : []
        })
      }),
    async listMedia(query) {
      const { list, pictures } = await opening()
      const pages = [...(last()?.byPath.values() ?? [])].flatMap((file) =>
        isReadable(file) ? [file.page] : [],
      )
      return listPictures([...new Set([...(await list()), ...pictures.paths()])], pages, query)
    },
    uploadMedia: (file) =>
      queue.run('folder', async () => {
        const { list, pictures } = await opening()
        return addPicture(file, { read: await current(), paths: await list(), pictures })
      }),
    async picture(path) {
      const { root, pictures } = await opening()
      return readPicture(root, path, pictures)
    },
    lineOf(text) {
      const read = last()
      return read && lineOf(text, read)
    },
    refusalOf(change) {
      const read = last()
      return read && refusalOf(change, read)
    },
  }
}

const settingsDropped =
  'The site settings (name, logo, navigation) were not stored, because files of content have no place for them.'

/** Returns content that no other reader has. */
function contentOf(files: readonly KnownFile[]): SiteContent {
  const pages = files.flatMap((file) => (isReadable(file) ? [file.newPage()] : []))
  const unreadable = unreadableIn(files)
  return { pages, ...(unreadable.length > 0 && { unreadable }) }
}

function unreadableIn(files: readonly KnownFile[]): readonly Carried[] {
  const unreadable: Carried[] = []
  let after: string | undefined
  for (const file of files) {
    if (isReadable(file)) {
      after = file.slug
      continue
    }
    const { slug, path, form, unreadable: reason } = file
    const raw = { slug, document: { path, kind: form.kind }, unreadable: reason }
    unreadable.push({ slug, reason, raw, after })
  }
  return unreadable
}
