/** The content files of a folder, and what was read of them last. */
import { realpath } from 'node:fs/promises'
import { perObject } from '../../content/plain-object.ts'
import { createBlockReads } from './block-reads.ts'
import { openEarlierTexts } from './earlier-texts.ts'
import { createLister, type RunGit } from './find.ts'
import { createBranchName, createGitAtWork } from './git-at-work.ts'
import { createForms } from './kinds.ts'
import { openPendingPictures } from './pending-pictures.ts'
import { createLooks } from './looks.ts'
import { isCodePath } from './project-parsers.ts'
import { isReadable, type KnownFile, readFiles } from './read-files.ts'
import { openReadings } from './readings.ts'
import type { LastRead } from './refusal-of.ts'
import { type Choice, selectContent } from './select.ts'
import { indexOf } from './sources.ts'

/** What `createContentFiles` needs besides its folder. */
export interface ContentFilesOptions extends Choice {
  /** Runs git in the folder, without which its files are found by walking through it. */
  readonly git?: RunGit | undefined
}

/** Reads the content files of a folder; a read after the first one is of what has changed. */
export function createFolder(folder: string, { git, ...choice }: ContentFilesOptions) {
  const looks = createLooks()
  let opened: ReturnType<typeof open> | undefined
  let last: LastRead | undefined
  /** The files that a publish has written, which are read again: what it has called a page is not in its file. */
  let stale: ReadonlySet<string> = new Set()

  async function open() {
    const root = await realpath(folder).catch((cause: unknown) => {
      throw new Error(`The folder ${folder} cannot be read; check that it exists.`, { cause })
    })
    const readings = await openReadings(root)
    return {
      root,
      list: createLister(root, git),
      readings,
      ...createBlockReads(root, readings),
      select: perObject((listed: readonly string[]) => selectContent(listed, choice, readings.has)),
      forms: createForms(root),
      earlier: await openEarlierTexts(root),
      pictures: await openPendingPictures(root),
      gitAtWork: await createGitAtWork(git),
      branch: await createBranchName(git),
    }
  }

  function opening() {
    opened ??= open()
    return opened.catch((error: unknown) => {
      opened = undefined
      throw error
    })
  }

  /** Reads the files that have changed; returns the last read if none has, or while git is at work. */
  async function current(): Promise<LastRead> {
    const { root, list, readings, blocksOf, select, forms, earlier, pictures, gitAtWork } = await opening()
    if (last && stale.size === 0 && gitAtWork() !== undefined) return last
    const listed = await list()
    const { paths, admits } = await select(listed)
    const formOf = forms(listed)
    const before = new Map([...(last?.byPath ?? [])].filter(([path]) => !stale.has(path)))
    const read = await readFiles(root, paths, before, { readings, blocksOf, formOf })
    const files = read.filter(hasTexts)
    stale = new Set()
    const isSame = last?.admits === admits && files.every((file, at) => file === last?.files[at])
    if (last && isSame && files.length === last.files.length) return last
    looks.note(files)
    const byPath = new Map(read.map((file) => [file.path, file]))
    const index = indexOf(files)
    const picturesIn = pictures.usedIn
    return (last = { root, files, byPath, index, admits, formOf, earlier: earlier.of, picturesIn })
  }

  return {
    opening,
    current,
    ...looks,
    /** Returns the last read; with a state, only if it is of that, and nothing was written since. */
    last(state?: string): LastRead | undefined {
      return state === undefined || (stale.size === 0 && state === looks.state()) ? last : undefined
    },
    noteWritten: (paths: readonly string[]) => void (stale = new Set(paths)),
  }
}

/** A file of code is a page only if it has texts. */
const hasTexts = perObject(
  (file: KnownFile): boolean =>
    !isReadable(file) ||
    !isCodePath(file.path) ||
    file.page.blocks.some(({ props }) => !isEmpty(props['texts'])),
)

const isEmpty = (texts: unknown): boolean => Array.isArray(texts) && texts.length === 0
