/** A file as a page of the site. */
import type { Block, Page } from '../../content/page.ts'
import { capitalised } from '../../content/slugs.ts'
import type { FileContent, Reading } from '../reading.ts'
import { slugOfPath } from '../slugs.ts'
import type { FileForm } from './kinds.ts'

/** A file of the website that can be edited. */
export interface ContentFile {
  readonly path: string
  readonly slug: string
  readonly form: FileForm
  readonly stamp: string
  readonly hash: string
  readonly page: Page
  /** What its text has, as `patch` takes it. */
  readonly content: FileContent
  /** Whether the title is one of its front matter. */
  readonly hasTitle: boolean
}

/** A file of the website that cannot be read. */
export interface UnreadableFile {
  readonly path: string
  readonly slug: string
  readonly form: FileForm
  readonly stamp: string
  /** Without a full stop, with the line if it is known. */
  readonly unreadable: string
}

/** The words of the name of a file, or of its folder for an index. */
export function titleOfPath(path: string): string {
  const names = path
    .replace(/\.\w+$/, '')
    .split('/')
    .toReversed()
  const name = names.find((each) => !/^(?:index|_index|readme|\+page)$/i.test(each)) ?? names[0] ?? path
  const words = name.replace(/^\d{4}-\d\d-\d\d-|^\d+[.-]/, '').replaceAll(/[-_\s]+/g, ' ')
  return capitalised(words.trim() || name)
}

interface FileFacts extends Pick<ContentFile, 'path' | 'form' | 'stamp' | 'hash'> {
  readonly id: string
  readonly modified: Date
  readonly reading: Reading
  readonly blocks: readonly Block[]
}

/** Returns a file with the page that it is. */
export function contentFile({ id, modified, reading, blocks, ...file }: FileFacts): ContentFile {
  const { title, description, heading } = reading
  const slug = slugOfPath(file.path)
  const shown = [title, heading].find((each) => each?.trim()) ?? titleOfPath(file.path)
  const page: Page = {
    id,
    slug,
    title: shown,
    updatedAt: modified.toISOString(),
    blocks,
    ...(description ? { meta: { description } } : {}),
    document: { path: file.path, kind: file.form.kind },
  }
  const hasTitle = title !== undefined
  return { ...file, slug, page, content: { title: title ?? shown, description, blocks }, hasTitle }
}
