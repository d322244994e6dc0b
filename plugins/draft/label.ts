import { typeName, typeWords } from '../content/naming.ts'
import type { AvailableTypes, Block, Manifest } from '../content/model.ts'
import { type ConflictPlace, mergePage, type Taken, type Winner } from '../content/merge/index.ts'
import type { Operation } from '../content/operations/index.ts'
import type { SiteConfig } from '../content/page.ts'
import { ownValue } from '../content/plain-object.ts'
import { redirectsKey } from '../content/redirects.ts'
import { metaNames, settingNames } from '../content/setting-names.ts'
import type { ConfigRecord } from './collections.ts'
import type { ChangedPages } from './change-set.ts'
import type { LogEntry } from './port.ts'

/** A change, as its label names it. */
interface Labelled {
  readonly ops: readonly Operation[]
  readonly pages: ChangedPages
  readonly config: readonly ConfigRecord[]
  readonly manifest?: Manifest | undefined
  /** The labels of the operations, if they were made for the answer. */
  readonly labels?: readonly string[] | undefined
}

/** Returns the label of a change in the version log: what changed, on which page, and to which value. */
export function labelOf({ ops, config, labels, ...changed }: Labelled): string {
  const contentOps = ops.filter(({ op }) => op !== 'update_site_config')
  const known = contentOps.length === ops.length ? labels : undefined
  const [first, ...more] = [
    ...contentOps.map((op, at) => () => known?.[at] ?? operationLabel(op, toNaming(changed))),
    ...(config.length > 0 ? shownIn(config, ops) : []).map((record) => () => settingLabel(record)),
  ]
  if (!first) return 'Site settings changed back'
  return more.length === 0
    ? first()
    : `${first()}, and ${more.length} more ${more.length === 1 ? 'change' : 'changes'}`
}

/** One change per key, without redirects and menu labels that follow from operations on pages. */
function shownIn(config: readonly ConfigRecord[], ops: readonly Operation[]): readonly ConfigRecord[] {
  const patches = ops.flatMap((op) => (op.op === 'update_site_config' ? [op.patch] : []))
  const isBeside = patches.length < ops.length
  const setsLabels = patches.some(({ navLabels }) => navLabels !== undefined)
  return [...new Map(config.map((record) => [record.key, record])).values()].filter(
    ({ key }) => !isBeside || (key !== redirectsKey && (key !== 'navLabels' || setsLabels)),
  )
}

/** Returns one label for each operation, as the version log names it. */
export function labelsOf(ops: readonly Operation[], changed: LabelContext): readonly string[] {
  const context = toNaming(changed)
  return ops.flatMap((op) =>
    op.op === 'update_site_config'
      ? Object.entries(op.patch).map(([key, after]) => settingLabel({ key, after }))
      : operationLabel(op, context),
  )
}

const mostNamed = 3

/** Returns the label of what a draft takes over from its site. */
export function siteLabel(taken: readonly Taken[], context: LabelContext): string {
  return `From the site: ${listed(changesIn(taken, context))}`
}

/** Returns the label of what a client's copy of a site changes in a draft; `undefined` if that is nothing. */
export function pushLabel(
  { pages, config }: Pick<LabelContext, 'pages'> & { readonly config: SiteConfig | undefined },
  types: AvailableTypes,
): string | undefined {
  const taken = [...pages.values()].flatMap(
    ({ before, after }) => mergePage({ base: before, ours: before, theirs: after }, types).taken,
  )
  const all = config ? [...taken, { slug: '', what: 'changed' } as const] : taken
  return all.length === 0 ? undefined : `Pushed by an editor: ${listed(changesIn(all, { pages }))}`
}

function changesIn(taken: readonly Taken[], changed: LabelContext): readonly string[] {
  const context = toNaming(changed)
  return taken.map((each) => `${placeName(each, context)} ${each.what}`)
}

/** Returns the label of conflicts that were decided for the draft (`ours`) or the site. */
export function decisionLabel(
  decisions: readonly (ConflictPlace & { readonly winner: Winner })[],
  changed: LabelContext,
): string {
  const context = toNaming(changed)
  const ofSide = (side: Winner) =>
    listed(decisions.flatMap((each) => (each.winner === side ? [placeName(each, context)] : [])))
  const [ours, theirs] = [ofSide('ours'), ofSide('theirs')]
  const parts = [ours && `kept the draft's ${ours}`, theirs && `took the site's ${theirs}`].filter(Boolean)
  return parts.join(', and ').replace(/^./, (first) => first.toUpperCase())
}

function listed(names: readonly string[]): string {
  const places = [...new Set(names)]
  const more = places.length - mostNamed
  return [...places.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function placeName({ slug, blockId, path }: ConflictPlace, context: Naming): string {
  if (slug === '') return 'site settings'
  const { before, after } = context.pages.get(slug) ?? {}
  const page = onOneLine(after?.title ?? before?.title ?? slug)
  if (blockId === undefined) return path === undefined ? `page ${page}` : `${path} of page ${page}`
  const { name, field } = blockIn(context, blockId)
  const [prop = ''] = path?.split(/[.[]/, 1) ?? []
  return path === undefined ? `${name} on ${page}` : `${inSentence(field(prop))} of ${name} on ${page}`
}

/**
 * Returns the log entry of an undo or a redo of a change. The undo of an undo is a redo of the first change,
 * and is called that: labels and versions never nest.
 */
export function stepOver(
  step: 'undo' | 'redo',
  { version, source, summary, label = summary, restored, of = [version] }: Undoable,
): Pick<LogEntry, 'summary' | 'label' | 'restored' | 'of'> & { readonly source: 'undo' | 'redo' } {
  const again = step === 'undo' ? 'redo' : 'undo'
  const way = source === 'undo' ? again : step
  const what = inSentence(restored === undefined ? label : restoreLabel(restored, label))
  return { source: way, of, label, restored, summary: `${way === 'undo' ? 'Undo' : 'Redo'} of ${what}` }
}

type Undoable = Pick<LogEntry, 'version' | 'source' | 'summary' | 'label' | 'restored' | 'of'>

/** Returns the summary of a restore of a version with this label. */
export const restoreLabel = (version: number, label: string): string =>
  `Restored version ${version}: ${label}`

const inSentence = (label: string): string =>
  label.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase())

const longest = 80

const onOneLine = (value: unknown): string =>
  String(value)
    .slice(0, 10 * longest)
    .replace(/\s+/g, ' ')
    .trim()

/** Quotes the part of a text that begins with its first change, or its beginning if it is new. */
function quoted(value: unknown, before?: unknown): string {
  const text = onOneLine(value)
  if (text.length <= longest) return `"${text}"`
  const old = typeof before === 'string' ? onOneLine(before) : ''
  let same = 0
  while (same < old.length && old[same] === text[same]) same += 1
  // Some words before the change tell where it is.
  const latest = Math.min(same - longest / 4, text.length - longest)
  const from = same < longest / 2 ? 0 : text.indexOf(' ', latest) + 1
  const part = text.slice(from, from + longest - 1).toWellFormed()
  return `"${from > 0 ? '…' : ''}${part}${from + longest - 1 < text.length ? '…' : ''}"`
}

const isShort = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function settingLabel({ key, member, after }: Pick<ConfigRecord, 'key' | 'member' | 'after'>): string {
  const name = ownValue<string>(settingNames, key) ?? `Site setting ${key}`
  if (member !== undefined) return `${name} changed`
  if (after === undefined || after === '') return `${name} removed`
  return isShort(after) ? `${name} changed to ${quoted(after)}` : `${name} changed`
}

type LabelContext = Pick<Labelled, 'pages' | 'manifest'>

/** What the labels of one change have in common: its blocks before and after it are found by id. */
type Naming = LabelContext & Record<'before' | 'after', (id: string) => Block | undefined>

/** The number of blocks that are searched for: for more, an index of all blocks of a change costs less. */
const mostSearched = 4

/** Finds blocks of one side of changed pages. Of blocks with one id, the first counts. */
function blockFinder(pages: ChangedPages, side: 'before' | 'after'): (id: string) => Block | undefined {
  let searches = 0
  let index: ReadonlyMap<string, Block> | undefined
  return (id) => {
    if (searches++ < mostSearched) {
      for (const page of pages.values()) {
        const found = page[side]?.blocks.find((block) => block.id === id)
        if (found) return found
      }
      return undefined
    }
    const all = () => [...pages.values()].flatMap((page) => page[side]?.blocks ?? [])
    index ??= new Map(
      all()
        .map((block) => [block.id, block] as const)
        .toReversed(),
    )
    return index.get(id)
  }
}

const toNaming = (context: LabelContext): Naming => ({
  ...context,
  before: blockFinder(context.pages, 'before'),
  after: blockFinder(context.pages, 'after'),
})

/** The names of a block and its fields, as a change left it, and what the block was before. */
function blockIn({ manifest, ...blocks }: Naming, blockId: string) {
  const [before, after] = [blocks.before(blockId), blocks.after(blockId)]
  const { block = 'Block', field, text } = typeWords((after ?? before)?.type, { manifest })
  return { name: block, field, text, before }
}

/** Says which fields of a block, or of a row of its `list`, a patch changed. */
function patched(
  { field, text, before: block }: ReturnType<typeof blockIn>,
  patch: Readonly<Record<string, unknown>>,
  list?: string,
): string {
  const names = Object.keys(patch).map((name) => field(name, list))
  const [[key, value] = ['', undefined]] = Object.entries(patch)
  if (names.length > 1) return `${names.join(', ')} changed`
  const before = list === undefined ? text(block?.props[key], key) : undefined
  if (isShort(value)) return `${names[0]} changed to ${quoted(text(value, key, list), before)}`
  return `${names[0] ?? ''} ${value === null ? 'removed' : 'changed'}`
}

const rowChanges = { add_item: 'added to', remove_item: 'removed from', move_item: 'moved in' }

function operationLabel(op: Operation, context: Naming): string {
  const page = (slug: string): string => {
    const { before, after } = context.pages.get(slug) ?? {}
    return `page ${quoted(after?.title ?? before?.title ?? slug)}`
  }
  switch (op.op) {
    case 'create_page':
      return `Page ${quoted(op.page.title ?? op.page.slug)} created`
    case 'remove_page':
      return `P${page(op.pageSlug).slice(1)} deleted`
    case 'move_page':
      return `P${page(op.pageSlug).slice(1)} moved`
    case 'duplicate_page':
      return `P${page(op.pageSlug).slice(1)} copied to ${page(op.newPageSlug ?? '')}`
    case 'rename_page': {
      const { pageSlug, newPageSlug = pageSlug, newTitle } = op
      const before = quoted(context.pages.get(pageSlug)?.before?.title ?? pageSlug)
      const after = quoted(context.pages.get(newPageSlug)?.after?.title ?? newTitle)
      if (newPageSlug === pageSlug) return `Page ${before} renamed to ${after}`
      const title = before === after ? '' : ` is now ${after},`
      return `Page ${before}${title} moved from ${pageSlug} to ${newPageSlug}`
    }
    case 'update_page_meta': {
      const entries = Object.entries(op.patch).map(
        ([key, value]) =>
          `${ownValue<string>(metaNames, key) ?? key} ${value ? `changed to ${quoted(value)}` : 'removed'}`,
      )
      return `P${page(op.pageSlug).slice(1)}: ${entries.join(', ')}`
    }
    case 'add_block':
      return `${typeName(op.block.type, context)} added to ${page(op.pageSlug)}`
    case 'remove_block':
      return `${blockIn(context, op.blockId).name} removed from ${page(op.pageSlug)}`
    case 'move_block':
      return `${blockIn(context, op.blockId).name} moved on ${page(op.pageSlug)}`
    case 'duplicate_block':
      return `${blockIn(context, op.blockId).name} copied to ${page(op.toPageSlug ?? op.pageSlug)}`
    case 'update_props': {
      const block = blockIn(context, op.blockId)
      return `${block.name} on ${page(op.pageSlug)}: ${patched(block, op.patch)}`
    }
    case 'update_item': {
      const block = blockIn(context, op.blockId)
      const where = `in row ${op.index + 1} of ${block.field(op.listKey)}`
      return `${block.name} on ${page(op.pageSlug)}: ${patched(block, op.patch, op.listKey)} ${where}`
    }
    case 'add_item':
    case 'remove_item':
    case 'move_item': {
      const { name, field } = blockIn(context, op.blockId)
      return `${name} on ${page(op.pageSlug)}: row ${rowChanges[op.op]} ${field(op.listKey)}`
    }
    case 'update_site_config':
      return 'Site settings changed'
  }
}
