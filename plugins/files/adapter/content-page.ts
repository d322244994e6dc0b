/** A file as a page of the site. */
import { withBlocksOnUse } from '../../content/blocks-on-use.ts'
import { withoutGeneratedItemIds } from '../../content/items.ts'
import type { Block, Page } from '../../content/page.ts'
import { perObject } from '../../content/plain-object.ts'
import { titleFromSlug } from '../../content/slugs.ts'
import type { FileContent, Reading } from '../reading.ts'
import { slugOfPath } from '../../content/file-slugs.ts'
import type { KnownText } from './readings.ts'
import type { FileForm, FormlessFile } from './kinds.ts'

/** A file of the website that can be edited; its blocks are read when they are used. */
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
  /** Returns a page that no other reader has. */
  readonly newPage: () => Page
  /** Reads its blocks again, see `withBlocksOnUse`. */
  readonly blocksAgain: () => readonly Block[]
  /** What its text has, as `patch` takes it. */
  readonly content: FileContent
  /** Whether the title is one of its front matter. */
  readonly hasTitle: boolean
  /** The keys of its front matter but for title and description. */
  readonly keys: readonly string[]
  /** The marks of its blocks, see `markOf`. */
  readonly marks: readonly number[]
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

/** The keys of the details of a page. */
export const keysOf = ({ blocks }: Pick<Page, 'blocks'>): readonly string[] =>
  Object.keys(blocks.find(({ type }) => type === 'Details')?.props ?? {})

/** Returns a number that is the same for the same id of a block, and mostly another one for another id. */
export function markOf(id: string): number {
  let mark = 0
  for (let at = 0; at < id.length; at += 1) mark = (mark * 31 + id.charCodeAt(at)) | 0
  return mark >> 1
}

const withoutFirst = perObject((blocks: readonly Block[]): readonly Block[] => blocks.slice(1))

interface FileFacts extends Pick<
  ContentFile,
  'path' | 'form' | 'stamp' | 'hash' | 'origin' | 'former' | 'blocksAgain'
> {
  readonly id: string
  readonly modified: Date
  readonly reading: Reading
  readonly blocks: readonly Block[]
  /** What a publish has called the page, which has this text. */
  readonly sent: KnownText['sent']
}

/** Returns a file with the page that it is. */
export function contentFile({ id, modified, reading, blocks, ...given }: FileFacts): ContentFile {
  const { blocksAgain, sent, ...file } = given
  const { title, description, heading } = reading
  const slug = slugOfPath(file.path)
  const named = [title, heading].find((each) => each?.trim())
  const shown = named ?? titleFromSlug(slug)
  const meta = sent ? sent.meta : description ? { description } : undefined
  const outline = {
    id,
    slug,
    title: sent?.title ?? shown,
    updatedAt: modified.toISOString(),
    ...(meta && { meta }),
    document: { path: file.path, kind: file.form.kind, ...(named === undefined && { isUntitled: true }) },
  }
  const [first] = blocks
  const isHidden = first !== undefined && isEmptyDetails(first)
  const blocksOfPage = isHidden ? () => withoutFirst(blocksAgain()) : blocksAgain
  const newPage = (): Page => withBlocksOnUse(outline, blocksOfPage)
  const content = withBlocksOnUse({ title: title ?? shown, description }, blocksAgain)
  const marks = blocks.map((block) => markOf(block.id))
  const facts = { hasTitle: title !== undefined, keys: keysOf({ blocks }), marks }
  return { ...file, slug, page: newPage(), newPage, blocksAgain, content, ...facts }
}
