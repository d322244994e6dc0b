/** The files of a checkout as a draft has them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '../content/page.ts'
import type { Checkout } from './checkout.ts'
import type { DraftFile } from './places.ts'

type FileOfDraft = string | { readonly copyOf: string } | undefined

/** What keeps the files of a checkout as those of the draft. */
export interface DraftFilesOptions {
  /** Returns the pages of the draft. */
  readonly pages: () => Promise<readonly Page[]>
  /**
   * Returns the files that differ from those of the repository: the text, the file whose bytes one gets, or
   * `undefined` for one that the draft removes.
   */
  readonly filesOf: (pages: readonly Page[]) => Promise<ReadonlyMap<string, FileOfDraft>>
  /** The folder of the repository. */
  readonly root: string
  readonly checkout: Pick<Checkout, 'follow' | 'write'>
  /** Gets the pages of the draft that the checkout has. */
  readonly onWritten: (pages: readonly Page[]) => void
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
  const { pages, filesOf, root, checkout, onWritten, onError } = options
  /** All that a draft wrote since the start, which the checkout does not copy from the repository. */
  const written = new Set<string>()
  /** What the draft had when it was written last. */
  let last: ReadonlyMap<string, FileOfDraft> = new Map()
  let mustFollow = true
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const bytesNow = (path: string) => readFile(join(root, path)).catch(() => undefined)

  /** A picture whose file has just been published is in the repository. */
  async function contentOf(path: string, wanted: FileOfDraft): Promise<DraftFile['text']> {
    return typeof wanted === 'object' ? readFile(wanted.copyOf).catch(() => bytesNow(path)) : wanted
  }

  async function write(isFollowing: boolean): Promise<void> {
    const draft = await pages()
    const wanted = await filesOf(draft)
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
    onWritten(draft)
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
