import { realpath } from 'node:fs/promises'
import { createKeyedQueue } from '../../../kernel/index.ts'
import type { ContentAdapter, FilesOfContent, SiteContent } from '../../content/adapter.ts'
import type { Page } from '../../content/page.ts'
import type { Carried } from '../../content/read-pages.ts'
import { openEarlierTexts } from './earlier-texts.ts'
import { createLister, type RunGit } from './find.ts'
import { createGitAtWork } from './git-at-work.ts'
import { isReadable, type KnownFile, readFiles } from './read-files.ts'
import { changesOf, planPublish } from './plan.ts'
import { createForms, type FileForm, kindOfPath } from './kinds.ts'
import { openReadings } from './readings.ts'
import { type Choice, selectContent } from './select.ts'
import { listPictures, readPicture } from './pictures.ts'
import { lineOf, type TextInFile } from './line-of.ts'
import { type LastRead, refusalOf } from './refusal-of.ts'
import { repositoryBusy } from './refusals.ts'
import { indexOf } from './sources.ts'
import { createWriter } from './write.ts'

/** What `createContentFiles` needs besides its folder. */
export interface ContentFilesOptions extends Choice {
  /** Runs git in the folder, without which its files are found by walking through it. */
  readonly git?: RunGit | undefined
}

/** The files of a website as its content, and as a draft would have them. */
export interface ContentFiles extends ContentAdapter {
  readonly files: FilesOfContent
  /**
   * Returns the files that a publish of these pages would change, by path: the text of each, `undefined` for one
   * that it would remove. Rejects as a publish does for what a file cannot hold.
   */
  filesOf(pages: readonly Page[]): Promise<ReadonlyMap<string, string | undefined>>
  /** Lists the files of content in order, without reading them. */
  list(): Promise<readonly { readonly path: string; readonly kind: FileForm['kind'] }[]>
  /** Reads a picture by its path; `undefined` for all other files. */
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
export function createContentFiles(
  folder: string,
  { git, ...choice }: ContentFilesOptions = {},
): ContentFiles {
  const queue = createKeyedQueue<'folder'>()
  let opened: ReturnType<typeof open> | undefined
  let last: LastRead | undefined

  async function open() {
    const root = await realpath(folder).catch((cause: unknown) => {
      throw new Error(`The folder ${folder} cannot be read; check that it exists.`, { cause })
    })
    return {
      root,
      list: createLister(root, git),
      readings: await openReadings(root),
      forms: createForms(root),
      earlier: await openEarlierTexts(root),
      gitAtWork: await createGitAtWork(git),
    }
  }

  function opening() {
    opened ??= open()
    return opened.catch((error: unknown) => {
      opened = undefined
      throw error
    })
  }

  /** The files that a publish has written, which are read again: what it has called a page is not in its file. */
  let stale: ReadonlySet<string> = new Set()

  /** Returns the content files of now; those of the last read while git is at work. */
  async function current() {
    const { root, list, readings, forms, earlier, gitAtWork } = await opening()
    if (last && stale.size === 0 && gitAtWork() !== undefined)
      return { ...last, readings, files: [...last.byPath.values()] }
    const listed = await list()
    const { paths, admits } = selectContent(listed, choice, readings.has)
    const formOf = forms(listed)
    const before = new Map([...(last?.byPath ?? [])].filter(([path]) => !stale.has(path)))
    const files = await readFiles(root, paths, before, { readings, formOf })
    const byPath = new Map(files.map((file) => [file.path, file]))
    last = { root, byPath, index: indexOf(files), admits, formOf, earlier: earlier.of }
    stale = new Set()
    return { ...last, readings, files }
  }

  async function changesOfPages(pages: readonly Page[]) {
    const { root, readings, files, ...sources } = await current()
    const { textOf } = createWriter(root, readings, (await opening()).earlier)
    // A publish leaves those that cannot be read as they are.
    const plan = await planPublish(pages, { ...sources, files: files.filter(isReadable), textOf })
    return changesOf(plan, textOf)
  }

  return {
    readContent: () => queue.run('folder', async () => contentOf((await current()).files)),
    writeContent: ({ pages, siteConfig }, place) =>
      queue.run('folder', async () => {
        const { gitAtWork, earlier } = await opening()
        const busy = gitAtWork()
        if (busy !== undefined) throw repositoryBusy(busy)
        const { root, readings, ...sources } = await current()
        const writer = createWriter(root, readings, earlier)
        const plan = await planPublish(pages, { ...sources, textOf: writer.textOf })
        await writer.write(plan, place)
        stale = new Set(plan.writes.map(({ path }) => path))
        return { notes: Object.keys(siteConfig ?? {}).length > 0 ? [settingsDropped] : [] }
      }),
    files: { folder, changesOf: (pages) => queue.run('folder', () => changesOfPages(pages)) },
    filesOf: async (pages) => {
      const changes = await queue.run('folder', () => changesOfPages(pages))
      const left = changes.flatMap(({ path, from, after }) => from ?? (after === undefined ? path : []))
      return new Map([
        ...left.map((path) => [path, undefined] as const),
        ...changes.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after] as const])),
      ])
    },
    list: () =>
      queue.run('folder', async () => {
        const { list, readings } = await opening()
        const { paths } = selectContent(await list(), choice, readings.has)
        return paths.flatMap((path) => {
          const kind = kindOfPath(path)
          return kind ? { path, kind } : []
        })
      }),
    async listMedia(query) {
      const { list } = await opening()
      const pages = [...(last?.byPath.values() ?? [])].flatMap((file) =>
        isReadable(file) ? [file.page] : [],
      )
      return listPictures(await list(), pages, query)
    },
    async picture(path) {
      const { root } = await opening()
      return readPicture(root, path)
    },
    lineOf: (text) => last && lineOf(text, last),
    refusalOf: (change) => last && refusalOf(change, last),
  }
}

const settingsDropped =
  'The site settings (name, logo, navigation) were not stored, because files of content have no place for them.'

/** Returns content that no other reader has. */
function contentOf(files: readonly KnownFile[]): SiteContent {
  const pages: SiteContent['pages'][number][] = []
  const unreadable: Carried[] = []
  for (const file of files) {
    if (isReadable(file)) {
      pages.push({ ...file.page })
      continue
    }
    const { slug, path, form, unreadable: reason } = file
    const raw = { slug, document: { path, kind: form.kind }, unreadable: reason }
    unreadable.push({ slug, reason, raw, after: pages.at(-1)?.slug })
  }
  return { pages, ...(unreadable.length > 0 && { unreadable }) }
}
