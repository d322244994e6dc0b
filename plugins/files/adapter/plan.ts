/** What a publish writes into which files, decided before the first of them is written. */
import { pace } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import { withoutGeneratedItemIds } from '../../content/items.ts'
import type { Block, Page } from '../../content/page.ts'
import { sharedBlocks } from '../../content/merge/match.ts'
import { isPlainObject, sameJson } from '../../content/plain-object.ts'
import { repeatedSlug, slugTwice, titleFromSlug } from '../../content/slugs.ts'
import { documentFile } from '../document.ts'
import type { FileContent } from '../reading.ts'
import { pathOfSlug } from '../slugs.ts'
import { namedBlocks } from './block-names.ts'
import { type ContentFile, titleOfPath } from './content-page.ts'
import { type FileForm, formOfPath } from './kinds.ts'
import { isReadable, type KnownFile } from './look.ts'
import { fileRefused } from './refusals.ts'
import { hashOf, type KnownText } from './readings.ts'

/** A file that a publish writes. */
export interface FileWrite {
  readonly path: string
  /** The file whose text it has, changed or not; absent for a new one. */
  readonly source?: ContentFile | undefined
  /** Whether the file moves from its place. */
  readonly isMove: boolean
  readonly text: string
  readonly known: KnownText
}

export interface PlannedFiles {
  readonly writes: readonly FileWrite[]
  readonly removals: readonly KnownFile[]
}

/** What a plan is made of. */
export interface PlanSources {
  readonly files: readonly KnownFile[]
  readonly textOf: (file: ContentFile) => Promise<string>
  /** Whether a new file would be content. */
  readonly admits: (path: string) => boolean
}

type Entries = SiteContent['pages']

/**
 * Plans a publish: the files that differ, moved and new ones, and those that go. An entry that was unreadable stays as
 * it is while it is sent.
 *
 * Throws a refusal with the file, the block and the reason for what a file cannot hold.
 */
export async function planPublish(
  entries: Entries,
  { files, textOf, admits }: PlanSources,
): Promise<PlannedFiles> {
  const bySlug = new Map(files.map((file) => [file.slug, file]))
  const isCarried = (entry: Page): boolean => {
    const file = bySlug.get(entry.slug)
    return file !== undefined && !isReadable(file) && isPlainObject(entry) && 'unreadable' in entry
  }
  const pages = entries.filter((entry) => !isCarried(entry))
  const twice = repeatedSlug(pages)
  if (twice !== undefined) throw new Error(slugTwice(twice))
  const sources = sourcesOf(pages, files.filter(isReadable))
  const writes: FileWrite[] = []
  const moved = new Set<string>()
  for (const page of pages) {
    await pace()
    const { source, isMove = false } = sources(page)
    if (source && source.slug === page.slug && isSame(page, source)) continue
    const path = source?.slug === page.slug ? source.path : newPath(page.slug, bySlug.get(page.slug), admits)
    writes.push(await writeOf(page, { path, source, isMove, textOf }))
    if (source && isMove) moved.add(source.path)
  }
  const wanted = new Set(entries.map(({ slug }) => slug))
  const removals = files.filter(({ slug, path }) => !wanted.has(slug) && !moved.has(path))
  for (const file of removals) refuseUnlessDocument(file)
  return { writes, removals }
}

/**
 * Returns the file whose text a page has: that at its slug, or the one that its key `document` names, which it leaves if
 * no other page is there, and else is a copy of.
 */
function sourcesOf(pages: readonly Page[], files: readonly ContentFile[]) {
  const [byPath, bySlug] = [
    new Map(files.map((file) => [file.path, file])),
    new Map(files.map((file) => [file.slug, file])),
  ]
  const originOf = ({ document }: Page): ContentFile | undefined => {
    const path = isPlainObject(document) ? document['path'] : undefined
    return typeof path === 'string' ? byPath.get(path) : undefined
  }
  const claims = Map.groupBy(pages, (page) => originOf(page)?.path)
  /** Returns the page that a file becomes: the one in its place, else the one with the most of its blocks. */
  const heirOf = ({ path, slug, page }: ContentFile): Page | undefined => {
    const claiming = claims.get(path) ?? []
    const [first] = claiming.toSorted((a, b) => sharedBlocks(page, b) - sharedBlocks(page, a))
    return claiming.find((each) => each.slug === slug) ?? first
  }
  return (page: Page): { readonly source?: ContentFile | undefined; readonly isMove?: boolean } => {
    const [origin, there] = [originOf(page), bySlug.get(page.slug)]
    if (origin && origin !== there && heirOf(origin) === page) return { source: origin, isMove: true }
    return { source: there ?? origin }
  }
}

function isSame(page: Page, { page: known, content }: ContentFile): boolean {
  return (
    page.title === known.title &&
    (page.meta?.description ?? '') === (content.description ?? '') &&
    otherKeyOf(page) === undefined &&
    sameJson(blocksOf(page), content.blocks)
  )
}

const blocksOf = ({ blocks }: Page): readonly Block[] =>
  blocks.map(({ id, type, props }) => ({ id, type, props: withoutGeneratedItemIds(props) }))

function newPath(slug: string, there: KnownFile | undefined, admits: PlanSources['admits']): string {
  const path = there?.path ?? pathOfSlug(slug)
  if (path === undefined)
    throw fileRefused(
      slug,
      'A page of this site is a file, so its slug is /~ and a path, such as /~docs/boats.md.',
    )
  if (formOfPath(path)?.kind !== 'document')
    throw fileRefused(path, 'Only documents are created, such as files that end with .md or .mdx.')
  if (there && !isReadable(there))
    throw fileRefused(path, `The file there cannot be read: ${there.unreadable}.`)
  if (!there && !admits(path))
    throw fileRefused(path, 'This folder has no content; create it in another one.')
  return path
}

const refuseUnlessDocument = ({ path, form }: Pick<KnownFile, 'path' | 'form'>): void => {
  if (form.kind !== 'document')
    throw fileRefused(path, 'The code of the site may use this file, so it is not moved, copied or removed.')
}

interface WriteSource {
  readonly path: string
  readonly source: ContentFile | undefined
  readonly isMove: boolean
  readonly textOf: PlanSources['textOf']
}

async function writeOf(page: Page, { path, source, isMove, textOf }: WriteSource): Promise<FileWrite> {
  const isOther = source !== undefined && source.path !== path
  if (isOther) refuseUnlessDocument(source)
  const other = otherKeyOf(page)
  if (other !== undefined) throw fileRefused(path, `A file has no place for the ${other} of a page.`)
  const form = formOfPath(path) ?? source?.form
  if (!form) throw fileRefused(path, 'There is no such kind of file.')
  const base = source
    ? {
        text: await textOf(source),
        content: isOther && !isMove ? copied(page, source) : source.content,
        form: source.form,
      }
    : newDocument(page, path)
  const wanted = wantedContent(page, base.content, { path, source, isMove })
  const patched = base.form.file.patch(base.text, base.content, wanted)
  if (!('text' in patched)) throw fileRefused(placeOf(path, page, patched.block), patched.refused)
  const text = source ? patched.text : withEmptyLine(patched.text)
  return { path, source, isMove, text, known: knownOf(path, text, { form, wanted }) }
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

/** A document with front matter, in which the title and the description are written. */
function newDocument(page: Page, path: string) {
  const form = formOfPath(path) ?? { kind: 'document', file: documentFile() }
  const details = page.blocks.find(({ type }) => type === 'Details')
  const block = { id: details?.id ?? `b_details_${hashOf(path).slice(0, 12)}`, type: 'Details', props: {} }
  const text = "---\ntitle: ''\n---\n"
  return { text, content: { title: '', description: undefined, blocks: [block] }, form } as const
}

type FilePlace = Omit<WriteSource, 'textOf'>

function wantedContent(page: Page, before: FileContent, place: FilePlace): FileContent {
  const { description } = page.meta ?? {}
  const blocks = blocksOf(page)
  const [first] = before.blocks
  const hasDetails = blocks.some(({ type }) => type === 'Details')
  return {
    title: wantedTitle(page, before, place),
    description: (description ?? '') === (before.description ?? '') ? before.description : description,
    blocks: place.source || hasDetails || !first ? blocks : [first, ...blocks],
  }
}

/**
 * A file that moves keeps its title unless the page is given one. A copy has that of the page if the file has a place for
 * it.
 */
function wantedTitle(
  page: Page,
  before: FileContent,
  { path, source, isMove }: FilePlace,
): string | undefined {
  const isGiven = page.title !== titleFromSlug(page.slug)
  if (!source) return isGiven ? page.title : titleOfPath(path)
  const isCopy = source.slug !== page.slug && !isMove
  const isKept = page.title === source.page.title || (isMove && !isGiven) || (isCopy && !source.hasTitle)
  return isKept ? before.title : page.title
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
