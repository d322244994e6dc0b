import { LRUCache } from '../../kernel/index.ts'
import { withoutGeneratedId } from '../content/items.ts'
import type { Block, Props } from '../content/page.ts'
import { sameJson } from '../content/plain-object.ts'
import { arranged, type Part } from './arrange.ts'
import { codeAdded, codeRefused, templateCode, usualDelimiters } from './code.ts'
import {
  hasEmptyLine,
  parsedDocument,
  readingOf,
  type Document,
  type DocumentNode,
} from './document-nodes.ts'
import { isFormer, textsOf } from './former.ts'
import { patchFrontMatter } from './front-matter.ts'
import type { Flavour } from './markdown.ts'
import { newNode } from './new-node.ts'
import { refusal, type Unreadable, type Unwritable } from './outcome.ts'
import { sliceOf, spliced, type Splice } from './ranges.ts'
import {
  pinned,
  staleReason,
  withHeldProps,
  withLimits,
  type FileContent,
  type FileKind,
  type FileOptions,
  type Reading,
} from './reading.ts'
import { areCells } from './tables.ts'

/** The characters of a document that takes long to parse, and of those that stay parsed. */
const fewestLarge = 10_000
const mostParsed = 1_000_000

/**
 * A document in Markdown or MDX: the block `Details` with its front matter, if it has one, and a block for
 * each node at the top.
 *
 * The title of the page is that of the front matter, else it is the first heading, which is edited as a
 * block.
 */
export function documentFile(options: FileOptions & Flavour = {}): FileKind {
  // The text of a change is mostly one that was read or written before, and the new text is mostly the same.
  const small = new LRUCache<string, Document | Unreadable>({ max: 8 })
  const large = new LRUCache<string, Document | Unreadable>({
    maxSize: mostParsed,
    sizeCalculation: (_, text) => text.length,
  })
  function* parsing(text: string): Generator<void, Document | Unreadable> {
    const isLarge = text.length > fewestLarge
    const parsed = isLarge ? large : small
    const found = parsed.get(text)
    if (found) return found
    const earlier = isLarge ? [...large.values()].filter((each) => 'nodes' in each) : []
    const document = yield* parsedDocument(text, options, earlier)
    parsed.set(text, document)
    return document
  }
  const parse = (text: string): Document | Unreadable => {
    const steps = parsing(text)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }
  return withLimits({
    parse: parsing,
    held: (before, after) => withHeldProps(before, after, heldProps),
    read(text) {
      const document = parse(text)
      return 'unreadable' in document ? document : readingOf(document)
    },
    patch(text, before, after, former = new Set()) {
      const document = parse(text)
      if ('unreadable' in document) return refusal('stale', document.unreadable)
      const { parts, nodes } = document
      const stale = staleReason(readingOf(document), before) ?? pinnedReason(before, after)
      if (stale) return stale
      const front = patchFrontMatter(text, parts, { before, after, options, former })
      if (!('text' in front)) return front
      const returns = (block: Block): boolean => isFormer(block, former)
      const body = bodyOf(text, document, { before: before.blocks, after: after.blocks, returns })
      if (!('text' in body)) return body
      const patched = spliced(text, [...(parts.front ? [{ ...parts.front, text: front.text }] : []), body])
      if (patched === text) return { text }
      const now = parse(patched)
      const known = [text, ...after.blocks.flatMap(textsOf).filter((each) => former.has(each))].join('\n')
      return (
        differenceFrom({ after, before, now, isReadable: (each) => !('unreadable' in parse(each)) }) ??
        codeIn(now, { nodes, before: before.blocks, after: after.blocks, returns }) ??
        templateCodeIn(known, patched, options) ?? { text: patched }
      )
    },
  })
}

/** A document as the first flavour has it if that can read it, else as the second; an edit changes neither. */
export function documentOfEither(first: Flavour, second: Flavour): FileKind {
  const [usual, other] = [documentFile(first), documentFile(second)]
  const kindOf = (text: string): FileKind => ('unreadable' in usual.read(text) ? other : usual)
  return {
    *parse(text) {
      yield* usual.parse?.(text) ?? []
      yield* kindOf(text).parse?.(text) ?? []
    },
    ...(usual.held && { held: usual.held }),
    read: (text) => kindOf(text).read(text),
    patch: (text, ...change) => kindOf(text).patch(text, ...change),
  }
}

/** The props of a node as Markdown holds them: blanks around words are not shown, unless they were there before. */
function heldProps({ type, props }: Block, before: Props | undefined): Props {
  if (type === 'Table' && areCells(props['rows']))
    return { ...props, rows: props['rows'].map((row) => row.map((cell) => cell.trim())) }
  const [text, was] = [props['text'], before?.['text']]
  const isOfWords = type === 'Heading' || type === 'Paragraph' || type === 'List'
  const hadBlanks = typeof was === 'string' && was !== was.trim()
  return isOfWords && typeof text === 'string' && !hadBlanks ? { ...props, text: text.trim() } : props
}

const nodesIn = (blocks: readonly Block[]): readonly Block[] =>
  blocks.filter(({ type }) => type !== 'Details')

interface NodesChange {
  readonly before: readonly Block[]
  readonly after: readonly Block[]
  /** Whether the file has had such a block. */
  readonly returns: (block: Block) => boolean
}

/** Writes the nodes that are wanted in place of those that are there. */
function bodyOf(
  text: string,
  { parts: { front, bodyFrom }, nodes, end }: Document,
  { before, after, returns }: NodesChange,
): Splice | Unwritable {
  const body = text.slice(bodyFrom)
  const places = new Map(nodesIn(before).map(({ id }, at) => [id, at]))
  const parts: Part[] = []
  for (const block of nodesIn(after)) {
    const at = places.get(block.id)
    const isBack = returns(block)
    const written =
      at === undefined
        ? addedText(block, { nodes, text: body, end, isBack })
        : editedText(block, nodes[at], { text: body, isBack })
    if (typeof written !== 'string') return written
    parts.push({ at, text: written })
  }
  const usual = end + end
  const separation = {
    usual,
    join: (before: string, after: string) => [after, before].find(hasEmptyLine) ?? usual,
  }
  const [first, last] = [nodes[0], nodes.at(-1)]
  const joined = arranged(body, nodes, parts, separation)
  if (first && last) return { from: first.from + bodyFrom, to: last.to + bodyFrom, text: joined }
  const open = front && !text.slice(0, bodyFrom).endsWith('\n') ? end : ''
  return { from: bodyFrom, to: bodyFrom, text: joined === '' ? '' : open + joined + end }
}

function editedText(
  block: Block,
  node: DocumentNode | undefined,
  { text, isBack }: { readonly text: string; readonly isBack: boolean },
): string | Unwritable {
  if (!node || block.type !== node.type) return refusal('form', 'A block keeps its type.', block.id)
  if (sameJson(block.props, node.props)) return sliceOf(text, node)
  if (node.fixed !== undefined && !isBack) return refusal('fixed', node.fixed, block.id)
  return node.write(block.props) ?? refusal('form', `This ${nameOf(block)} has no such values.`, block.id)
}

interface NodesAround extends Pick<Document, 'nodes' | 'end'> {
  readonly text: string
  readonly isBack: boolean
}

/** A copy of a node has its bytes, and so has one that comes back. */
function addedText(block: Block, { nodes, text, end, isBack }: NodesAround): string | Unwritable {
  const source = nodes.find((node) => isCopy(block, node))
  if (source) return sliceOf(text, source)
  const { type, props } = block
  const lines = props['text']
  if (isBack && type === 'Source' && typeof lines === 'string') return lines.replaceAll('\n', end)
  const written = newNode({ type, props, end })
  return written ?? refusal('form', `Here ${withArticle(block)} can be copied, not created.`, block.id)
}

const isCopy = ({ type, props }: Block, node: DocumentNode): boolean =>
  node.type === type && sameJson(node.props, props)

const nameOf = ({ type }: { readonly type: string }): string => type.toLowerCase()

function withArticle(block: { readonly type: string }): string {
  const name = nameOf(block)
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
}

function pinnedReason(before: FileContent, after: FileContent): Unwritable | undefined {
  const [was, is] = [before, after].map(({ blocks }) =>
    blocks.flatMap(({ id, type }, at) => (pinned.has(type) ? [`${at} ${id}`] : [])),
  )
  if (sameJson(was, is)) return undefined
  return refusal('fixed', 'The details of a file are at its start, and are not moved, copied or removed.')
}

interface WrittenDocument {
  readonly before: FileContent
  readonly after: FileContent
  /** What was written, as it is read. */
  readonly now: Document | Unreadable
  readonly isReadable: (text: string) => boolean
}

/**
 * Refuses a text that is not read as what was asked for. Other blocks than the one that is refused may have
 * been edited before.
 */
function differenceFrom({ after, now, before, isReadable }: WrittenDocument): Unwritable | undefined {
  const wanted = nodesIn(after.blocks)
  const known = new Map(before.blocks.map((block) => [block.id, block]))
  const isChanged = ({ id, props }: Block): boolean => !sameJson(known.get(id)?.props, props)
  const changed = wanted.find(isChanged)
  if ('unreadable' in now) {
    const broken = wanted.find((block) => isChanged(block) && !textsOf(block).every(isReadable)) ?? changed
    return refusal('form', `With this, the file could not be read. ${now.unreadable}`, broken?.id)
  }
  const { nodes } = now
  const at = wanted.findIndex((block, n) => !nodes[n] || !isCopy(block, nodes[n]))
  const isExact = at === -1 && nodes.length === wanted.length && hasDetails(after, readingOf(now))
  if (isExact) return undefined
  const nearest = [at, at - 1, at + 1].flatMap((n) => wanted[n] ?? [])
  const block = nearest.find(isChanged) ?? changed ?? wanted[at]
  const isNew = block && isChanged(block) && !before.blocks.some((each) => sameJson(each.props, block.props))
  const reason = isNew ? formReason(block, nodes[at]) : besideReason
  return refusal('form', reason, block?.id)
}

/** Whether title, description and details are those that are wanted. */
function hasDetails(after: FileContent, { title, description, blocks }: Reading): boolean {
  const [is, wanted] = [blocks, after.blocks].map((all) => all.find(({ type }) => type === 'Details')?.props)
  const isTitled = title === undefined || title === after.title
  return (
    isTitled && (description ?? '') === (after.description ?? '') && sameJson(is, wanted, withoutGeneratedId)
  )
}

/** Why blocks that are as before are read as something else. */
const besideReason = 'Here it would become one with what is beside it.'

/** Why a block is not read as it was written. */
function formReason({ type, props }: Block, read: DocumentNode | undefined): string {
  const { text } = props
  if (typeof text === 'string' && type === 'Heading' && text.includes('\n'))
    return 'A heading cannot hold a line break.'
  if (typeof text === 'string' && type === 'Paragraph' && /\n[ \t]*\n/.test(text))
    return 'A paragraph cannot hold an empty line.'
  if (text === '') return `This ${nameOf({ type })} cannot be empty; remove it instead.`
  const now = read?.type === type ? read.props['text'] : undefined
  if (typeof text === 'string' && typeof now === 'string' && now !== text && now.includes(text))
    return besideReason
  if (read && read.type !== type)
    return `This would be read as ${withArticle(read)}, not as ${withArticle({ type })}.`
  return `Here this ${nameOf({ type })} would be read as something else.`
}

/** Refuses code that a node did not have; a copied node has that of its source, and a new one none. */
function codeIn(
  now: Document | Unreadable,
  { nodes, before, after, returns }: NodesChange & Pick<Document, 'nodes'>,
): Unwritable | undefined {
  if ('unreadable' in now) return undefined
  const places = new Map(nodesIn(before).map(({ id }, at) => [id, at]))
  for (const [n, block] of nodesIn(after).entries()) {
    const was = nodes[places.get(block.id) ?? -1] ?? nodes.find((node) => isCopy(block, node))
    if ((was && isCopy(block, was)) || returns(block)) continue
    const [code] = codeAdded(was?.code() ?? new Set(), now.nodes[n]?.code() ?? new Set())
    if (code !== undefined) return refusal('code', codeRefused(code), block.id)
  }
  return undefined
}

function templateCodeIn(before: string, after: string, { delimiters = usualDelimiters }: FileOptions) {
  const [code] = codeAdded(templateCode(before, delimiters), templateCode(after, delimiters))
  return code === undefined ? undefined : refusal('code', codeRefused(code))
}
