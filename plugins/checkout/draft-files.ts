/** The files of a checkout as a draft has them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '../content/page.ts'
import type { Checkout } from './checkout.ts'
import { type DraftFile, readFound } from './places.ts'

type FileOfDraft = string | { readonly copyOf: string } | undefined

/** The files of a draft, and its pages that are others than at the last call; of all if `isComplete`. */
interface FilesOfDraft {
  readonly files: ReadonlyMap<string, FileOfDraft>
  readonly pages: ReadonlyMap<string, Page | undefined>
  readonly isComplete: boolean
}

/** What keeps the files of a checkout as those of the draft. */
export interface DraftFilesOptions {
  /**
   * Returns the files that differ from those of the repository: the text, the file whose bytes one gets, or
   * `undefined` for one that the draft removes.
   */
  readonly filesOf: () => Promise<FilesOfDraft>
  /** The folder of the repository. */
  readonly root: string
  readonly checkout: Pick<Checkout, 'write'> & { readonly follow: () => Promise<unknown> }
  /** Gets the pages that the checkout has otherwise than before, `undefined` for one that went; all at first. */
  readonly onWritten: (pages: FilesOfDraft['pages'], isComplete: boolean) => void
  readonly onError: (error: unknown) => void
}

/**
 * Returns a function that writes the draft into the checkout, and resolves when it is there. The first call, and
 * one after files of the repository have changed, copies those as well; any other writes only what the draft
 * has changed since. Calls while it writes share one further round. A draft that files cannot hold stays as it
 * was written last.
 */
export function createDraftFiles(
  options: DraftFilesOptions,
): (after?: { readonly isRepositoryNew: boolean }) => Promise<void> {
  const { filesOf, root, checkout, onWritten, onError } = options
  /** All that a draft wrote since the start, which the checkout does not copy from the repository. */
  const written = new Set<string>()
  /** What the draft had when it was written last. */
  let last: FilesOfDraft['files'] = new Map()
  /** What a write that failed would have shown. */
  let waiting: Pick<FilesOfDraft, 'pages' | 'isComplete'> | undefined
  let mustFollow = true
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const bytesNow = (path: string) => {
    const place = join(root, path)
    return readFound(place, () => readFile(place)).catch(() => undefined)
  }

  /** A picture whose file has just been published is in the repository. */
  async function contentOf(path: string, wanted: FileOfDraft): Promise<DraftFile['text']> {
    return typeof wanted === 'object' ? readFile(wanted.copyOf).catch(() => bytesNow(path)) : wanted
  }

  async function write(isFollowing: boolean): Promise<void> {
    const { files: wanted, ...changed } = await filesOf()
    waiting =
      changed.isComplete || !waiting
        ? changed
        : { ...waiting, pages: new Map([...waiting.pages, ...changed.pages]) }
    if (isFollowing) await checkout.follow()
    for (const path of wanted.keys()) written.add(path)
    const isOther = (path: string): boolean =>
      isFollowing || wanted.has(path) !== last.has(path) || wanted.get(path) !== last.get(path)
    const files = [...written]
      .filter(isOther)
      .map(async (path) => ({
        path,
        text: wanted.has(path) ? await contentOf(path, wanted.get(path)) : await bytesNow(path),
      }))
    await checkout.write((await Promise.all(files)).toSorted((a, b) => orderOf(a) - orderOf(b)))
    last = wanted
    onWritten(waiting.pages, waiting.isComplete)
    waiting = undefined
  }

  const run = async (): Promise<void> => {
    const isFollowing = mustFollow
    mustFollow = false
    running = write(isFollowing).catch((error: unknown) => {
      mustFollow ||= isFollowing
      onError(error)
    })
    await running
    running = undefined
  }
  return ({ isRepositoryNew } = { isRepositoryNew: false }) => {
    mustFollow ||= isRepositoryNew
    if (!running) return run()
    next ??= running.then(() => {
      next = undefined
      return run()
    })
    return next
  }
}

/** What a text refers to comes before it, and goes after it. */
const orderOf = ({ text }: DraftFile): number => (text === undefined ? 2 : typeof text === 'string' ? 1 : 0)
