/** A file as a page of the site. */
import { withoutGeneratedItemIds } from '../../content/items.ts'
import type { Block, Page } from '../../content/page.ts'
import { titleFromSlug } from '../../content/slugs.ts'
import type { FileContent, Reading } from '../reading.ts'
import { slugOfPath } from '../../content/file-slugs.ts'
import type { KnownText } from './readings.ts'
import type { FileForm, FormlessFile } from './kinds.ts'

/** A file of the website that can be edited. */
export interface ContentFile {
  readonly path: string
  readonly slug: string
  readonly form: FileForm
  readonly stamp: string
  readonly hash: string
  /** As of its `KnownText`. */
  readonly origin: string
  /** As of its `FileReadings`. */
  readonly former: readonly string[]
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
  readonly form: FileForm | FormlessFile
  readonly stamp: string
  /** Without a full stop, with the line if it is known. */
  readonly unreadable: string
}

/** Front matter with no more than what the page has is not shown, and a page that is created has none. */
export const isEmptyDetails = ({ type, props }: Block): boolean =>
  type === 'Details' && Object.keys(props).length === 0

/** The blocks of a page as its file has them: without what is only of drafts. */
export const blocksOf = ({ blocks }: Pick<Page, 'blocks'>): readonly Block[] =>
  blocks.map(({ id, type, props }) => ({ id, type, props: withoutGeneratedItemIds(props) }))

interface FileFacts extends Pick<ContentFile, 'path' | 'form' | 'stamp' | 'hash' | 'origin' | 'former'> {
  readonly id: string
  readonly modified: Date
  readonly reading: Reading
  readonly blocks: readonly Block[]
  /** What a publish has called the page, which has this text. */
  readonly sent: KnownText['sent']
}

/** Returns a file with the page that it is. */
export function contentFile({ id, modified, reading, blocks, sent, ...file }: FileFacts): ContentFile {
  const { title, description, heading } = reading
  const slug = slugOfPath(file.path)
  const shown = [title, heading].find((each) => each?.trim()) ?? titleFromSlug(slug)
  const meta = sent ? sent.meta : description ? { description } : undefined
  const page: Page = {
    id,
    slug,
    title: sent?.title ?? shown,
    updatedAt: modified.toISOString(),
    blocks: blocks.filter((block) => !isEmptyDetails(block)),
    ...(meta && { meta }),
    document: { path: file.path, kind: file.form.kind },
  }
  const hasTitle = title !== undefined
  return { ...file, slug, page, content: { title: title ?? shown, description, blocks }, hasTitle }
}
