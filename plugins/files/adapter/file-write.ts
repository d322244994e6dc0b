/** What one file has after a publish. */
import { dirname } from 'node:path/posix'
import type { Block, Page } from '../../content/page.ts'
import { sameJson } from '../../content/plain-object.ts'
import { lineEndOf } from '../ranges.ts'
import type { FileContent } from '../reading.ts'
import { namedBlocks } from './block-names.ts'
import { blocksOf, type ContentFile, isEmptyDetails } from './content-page.ts'
import type { EarlierTexts } from './earlier-texts.ts'
import type { FileForm, FormOf } from './kinds.ts'
import type { KnownFile } from './read-files.ts'
import { fileRefused } from './refusals.ts'
import { hashOf, type KnownText } from './readings.ts'

/** A file that a publish writes. */
export interface FileWrite {
  /** The page that it is written of. */
  readonly page: Page
  readonly path: string
  /** The file whose text it has, changed or not; absent for a new one. */
  readonly source?: ContentFile | undefined
  /** The content file that is at its path, of a page that goes elsewhere. */
  readonly replaced?: ContentFile | undefined
  /** Whether the file moves from its place. */
  readonly isMove: boolean
  readonly text: string
  readonly known: KnownText
}

/** Whether the file of a page has its content already. */
export function isWritten(page: Page, { page: known }: ContentFile): boolean {
  if (page === known) return true
  const isTitled = page.title === known.title && sameJson(page.meta ?? {}, known.meta ?? {})
  return isTitled && sameJson(blocksOf(page), known.blocks)
}

/** Refuses a file that a page operation may not change. */
export const refuseUnlessDocument = ({ path, form }: Pick<KnownFile, 'path' | 'form'>): void => {
  if (form.kind !== 'document')
    throw fileRefused(path, 'The code of the site may use this file, so it is not moved, copied or removed.')
}

/** Where a file is written, and what it is made from. */
export interface WriteSource {
  readonly path: string
  readonly source: ContentFile | undefined
  readonly isMove: boolean
  /** Of the source. */
  readonly text: string | undefined
  readonly formOf: FormOf
  readonly earlier: EarlierTexts['of']
  /** Whether a page may have no details which its file got since, and those which that has lost. */
  readonly mayDiffer: boolean
}

/** Returns what is written into the file of a page. Throws a refusal for what the file cannot hold. */
export function fileWrite(
  page: Page,
  { path, source, isMove, text: before, formOf, earlier, mayDiffer }: WriteSource,
): FileWrite {
  const isOther = source !== undefined && source.path !== path
  if (isOther) refuseUnlessDocument(source)
  if (isOther && dirname(path) !== dirname(source.path) && page.blocks.some(importsBeside))
    throw fileRefused(source.path, 'What it imports is found from its folder. Move it in the repository.')
  const other = otherKeyOf(page)
  if (other !== undefined) throw fileRefused(path, `A file has no place for the ${other} of a page.`)
  const own = formOf(path)
  const form = own && 'file' in own ? own : source?.form
  if (!form) throw fileRefused(path, 'Files of this kind are not content.')
  const { title, meta } = page
  const isCopy = isOther && !isMove
  const origin = isCopy ? undefined : source?.origin
  const facts = { origin, sent: { title, meta } }
  const again = writtenAgain(page, path, form, earlier(page, origin))
  if (again) return { page, path, source, isMove, text: again.text, known: { ...again.known, ...facts } }
  const created = newDocument(page, path, form)
  const content = source && (isCopy ? copied(page, source) : source.content)
  const isLost = mayDiffer && content && hasDetails(page) && !hasDetails(content)
  const there = content && before !== undefined ? { text: before, content, form: source.form } : created
  const base = isLost ? withFront(created, there) : there
  const asked = wantedContent(page, base.content, { source: isLost ? undefined : source, mayDiffer })
  const wanted = base.form.file.held?.(base.content, asked) ?? asked
  const patched = base.form.file.patch(base.text, base.content, wanted, new Set(source?.former))
  if (!('text' in patched)) throw fileRefused(placeOf(path, page, patched.block), patched.refused)
  const text = source ? patched.text : withEmptyLine(patched.text)
  const known = { ...knownOf(path, text, { form, wanted }), ...facts }
  return { page, path, source, isMove, text, known }
}

/** Whether a block imports a module by a path from its file, which is code and does not follow. */
const importsBeside = ({ type, props: { text } }: Block): boolean =>
  type === 'Source' && typeof text === 'string' && importBeside.test(text)

const importBeside = /(?:\bfrom|^import)\s?['"]\.\.?\//m

/** Returns a text that the file of a page had before, if it is read as that page. */
function writtenAgain(page: Page, path: string, form: FileForm, text: string | undefined) {
  const reading = text === undefined ? undefined : form.file.read(text)
  if (text === undefined || !reading || 'unreadable' in reading) return undefined
  const wanted = blocksOf(page)
  const blocks = namedBlocks(path, wanted, reading.blocks)
  const shown = blocks.filter((block) => !isEmptyDetails(block))
  return sameJson(shown, wanted) ? { text, known: { hash: hashOf(text), blocks } } : undefined
}

/** Names the file, and the block by its type and its text. */
function placeOf(path: string, { blocks }: Page, id: string | undefined): string {
  const block = blocks.find((each) => each.id === id)
  return block ? `${path}, block ${block.id} (${block.type})` : path
}

/** Of a page, a file has the title, the description and the blocks. */
const otherKeyOf = ({ title, meta = {} }: Page): string | undefined =>
  Object.keys(meta).find(
    (name) => name !== 'description' && meta[name] && !(name === 'title' && meta[name] === title),
  )

/** A new document has an empty line between its front matter and its first node. */
function withEmptyLine(text: string): string {
  const body = text.indexOf('\n---\n') + 5
  return body < text.length ? `${text.slice(0, body)}\n${text.slice(body)}` : text
}

/** The content of a file with the ids of the blocks of its copy, which are pinned like those of the file. */
const copied = (page: Page, { content }: ContentFile): FileContent => ({
  ...content,
  blocks: namedBlocks(
    '',
    blocksOf(page),
    content.blocks.map((block) => ({ ...block, from: 0, to: 0 })),
  ),
})

/** What a file is written from. */
type Base = Pick<ContentFile, 'content' | 'form'> & { readonly text: string }

/** A document with front matter, in which the title and the description are written. */
function newDocument(page: Page, path: string, form: FileForm): Base {
  const details = page.blocks.find(({ type }) => type === 'Details')
  const block = { id: details?.id ?? `b_details_${hashOf(path).slice(0, 12)}`, type: 'Details', props: {} }
  return { text: "---\ntitle: ''\n---\n", content: { title: '', blocks: [block] }, form }
}

/** A document without front matter with that of a new one. */
const withFront = ({ text, content }: Base, there: Base): Base => ({
  ...there,
  text: `${text}\n`.replaceAll('\n', lineEndOf(there.text)) + there.text,
  content: { ...content, blocks: [...content.blocks, ...there.content.blocks] },
})

export const hasDetails = ({ blocks }: FileContent): boolean => blocks.some(({ type }) => type === 'Details')

function wantedContent(
  page: Page,
  before: FileContent,
  { source, mayDiffer }: { readonly source: ContentFile | undefined; readonly mayDiffer: boolean },
): FileContent {
  const { description } = page.meta ?? {}
  const blocks = blocksOf(page)
  const [first] = before.blocks
  const isHidden = first?.type === 'Details' && (isEmptyDetails(first) || mayDiffer) && !hasDetails(page)
  return {
    title: wantedTitle(page, before, source),
    description: (description ?? '') === (before.description ?? '') ? before.description : description,
    blocks: isHidden ? [{ ...first, props: {} }, ...blocks] : blocks,
  }
}

/** A file without a title of its own has that of its heading or its name, whatever the page is called. */
function wantedTitle(page: Page, before: FileContent, source: ContentFile | undefined): string | undefined {
  const isUnchanged = source && (!source.hasTitle || page.title === source.page.title)
  return isUnchanged ? before.title : page.title
}

/** Returns the blocks of a text that is written, by which its next reading finds their ids. */
function knownOf(
  path: string,
  text: string,
  { form, wanted }: { readonly form: FileForm; readonly wanted: FileContent },
): KnownText {
  const reading = form.file.read(text)
  if ('unreadable' in reading)
    throw fileRefused(path, `As this kind of file it could not be read. ${reading.unreadable}`)
  const blocks = namedBlocks(path, wanted.blocks, reading.blocks)
  if (!sameJson(blocks, wanted.blocks))
    throw fileRefused(path, 'As this kind of file it would be read as something else.')
  return { hash: hashOf(text), blocks }
}
