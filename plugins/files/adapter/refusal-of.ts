/** Why a file cannot have a page as a draft would have it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../../kernel/index.ts'
import { sharedBlocks } from '../../content/merge/match.ts'
import type { PageChange } from '../../content/model.ts'
import type { Page } from '../../content/page.ts'
import type { ContentFile } from './content-page.ts'
import { fileWrite, isWritten, refuseUnlessDocument } from './file-write.ts'
import { isReadable, type KnownFile } from './look.ts'
import { newPath, originOf } from './plan.ts'
import { hashOf } from './readings.ts'

/** The files of the last look. */
export interface LastLook {
  readonly root: string
  readonly byPath: ReadonlyMap<string, KnownFile>
  readonly bySlug: ReadonlyMap<string, KnownFile>
  readonly admits: (path: string) => boolean
}

/**
 * Says why a changed page cannot be written into its file as it was at the last look; `undefined` if it can, and for a
 * file that has changed since. What could not be written before the change either is no reason.
 */
export function refusalOf({ before, after }: PageChange, last: LastLook): string | undefined {
  const why = reasonOf(() => (after ? checkPage(after, last) : checkRemoval(before, last)))
  if (why === undefined || !before || !after) return why
  return why === reasonOf(() => checkPage(before, last)) ? undefined : why
}

function reasonOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  }
}

function checkRemoval(page: Page | undefined, { bySlug }: LastLook): void {
  const file = bySlug.get(page?.slug ?? '')
  if (file) refuseUnlessDocument(file)
}

function checkPage(page: Page, { root, byPath, bySlug, admits }: LastLook): void {
  const readable = (file: KnownFile | undefined) => (file && isReadable(file) ? file : undefined)
  const there = bySlug.get(page.slug)
  const origin = readable(byPath.get(originOf(page) ?? ''))
  const isMove = origin !== undefined && origin !== there && sharedBlocks(origin.page, page) > 0
  const source = isMove ? origin : (readable(there) ?? origin)
  if (source && source.slug === page.slug && isWritten(page, source)) return
  const path = source?.slug === page.slug ? source.path : newPath(page.slug, there, admits)
  const text = source && textNow(root, source)
  if (source && text === undefined) return
  fileWrite(page, { path, source, isMove, text })
}

/** Its text, if that is the one of the last look. */
function textNow(root: string, { path, hash }: ContentFile): string | undefined {
  try {
    const text = readFileSync(join(root, path), 'utf8')
    return hashOf(text) === hash ? text : undefined
  } catch {
    return undefined
  }
}
