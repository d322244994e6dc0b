import { realpath } from 'node:fs/promises'
import { createKeyedQueue } from '../../../kernel/index.ts'
import type { ContentAdapter, SiteContent } from '../../content/adapter.ts'
import type { Page } from '../../content/page.ts'
import type { Carried } from '../../content/read-pages.ts'
import { createLister, type RunGit } from './find.ts'
import { isReadable, type KnownFile, readFiles } from './read-files.ts'
import { planPublish } from './plan.ts'
import { createForms, type FileForm, kindOfPath } from './kinds.ts'
import { openReadings } from './readings.ts'
import { type Choice, selectContent } from './select.ts'
import { type LastRead, refusalOf } from './refusal-of.ts'
import { indexOf } from './sources.ts'
import { createWriter } from './write.ts'

/** What `createContentFiles` needs besides its folder. */
export interface ContentFilesOptions extends Choice {
  /** Runs git in the folder, without which its files are found by walking through it. */
  readonly git?: RunGit | undefined
}

/** The files of a website as its content, and as a draft would have them. */
export interface ContentFiles extends ContentAdapter {
  /**
   * Returns the files that a publish of these pages would change, by path: the text of each, `undefined` for one
   * that it would remove. Rejects as a publish does for what a file cannot hold.
   */
  filesOf(pages: readonly Page[]): Promise<ReadonlyMap<string, string | undefined>>
  /** Lists the files of content in order, without reading them. */
  list(): Promise<readonly { readonly path: string; readonly kind: FileForm['kind'] }[]>
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
    }
  }

  function opening() {
    opened ??= open()
    return opened.catch((error: unknown) => {
      opened = undefined
      throw error
    })
  }

  async function current() {
    const { root, list, readings, forms } = await opening()
    const listed = await list()
    const { paths, admits } = selectContent(listed, choice, readings.has)
    const formOf = forms(listed)
    const files = await readFiles(root, paths, last?.byPath ?? new Map(), { readings, formOf })
    const byPath = new Map(files.map((file) => [file.path, file]))
    last = { root, byPath, index: indexOf(files), admits, formOf }
    return { root, readings, files, admits, formOf }
  }

  return {
    readContent: () => queue.run('folder', async () => contentOf((await current()).files)),
    writeContent: ({ pages, siteConfig }) =>
      queue.run('folder', async () => {
        const { root, readings, files, admits, formOf } = await current()
        const writer = createWriter(root, readings)
        const plan = await planPublish(pages, { files, admits, formOf, textOf: writer.textOf })
        await writer.write(plan)
        // What a publish has called a page is not in its file.
        const written = new Set(plan.writes.map(({ path }) => path))
        if (last) last = { ...last, byPath: new Map([...last.byPath].filter(([path]) => !written.has(path))) }
        return { notes: Object.keys(siteConfig ?? {}).length > 0 ? [settingsDropped] : [] }
      }),
    filesOf: (pages) =>
      queue.run('folder', async () => {
        const { root, readings, files, admits, formOf } = await current()
        const { textOf } = createWriter(root, readings)
        // A publish leaves those that cannot be read as they are.
        const sources = { files: files.filter(isReadable), admits, formOf, textOf }
        const { writes, removals } = await planPublish(pages, sources)
        const moved = writes.flatMap(({ source, isMove }) => (source && isMove ? [source] : []))
        return new Map([
          ...[...removals, ...moved].map(({ path }) => [path, undefined] as const),
          ...writes.map(({ path, text }) => [path, text] as const),
        ])
      }),
    list: () =>
      queue.run('folder', async () => {
        const { list, readings } = await opening()
        const { paths } = selectContent(await list(), choice, readings.has)
        return paths.flatMap((path) => {
          const kind = kindOfPath(path)
          return kind ? { path, kind } : []
        })
      }),
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
