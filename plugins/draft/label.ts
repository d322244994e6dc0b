import { knownType, typeName, typeWords } from '../content/naming.ts'
import type { Manifest } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import type { ConfigRecord } from './collections.ts'
import type { ChangedPages } from './change-set.ts'

/** A change, as its label names it. */
interface Labelled {
  readonly ops: readonly Operation[]
  readonly pages: ChangedPages
  readonly config: readonly ConfigRecord[]
  readonly manifest?: Manifest | undefined
}

/** Returns the label of a change in the version log: what changed, on which page, and to which value. */
export function labelOf({ ops, config, ...about }: Labelled): string {
  const contentOps = ops.filter(({ op }) => op !== 'update_site_config')
  const [first, ...more] = [
    ...contentOps.map((op) => () => operationLabel(op, about)),
    ...config.map((record) => () => settingLabel(record)),
  ]
  if (!first) return 'Site settings changed back'
  return more.length === 0
    ? first()
    : `${first()}, and ${more.length} more ${more.length === 1 ? 'change' : 'changes'}`
}

/** The label of an undo or a redo of a change with this label. */
export const stepLabel = (step: 'Undo' | 'Redo', label: string): string =>
  `${step} of ${label.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase())}`

const longest = 80

/** Quotes the beginning of a text; a value that is no text has none. */
function quoted(value: unknown): string {
  const text = String(value)
    .slice(0, 10 * longest)
    .replace(/\s+/g, ' ')
    .trim()
  return `"${text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text}"`
}

const isShort = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const settings: Readonly<Record<string, string>> = {
  name: 'Header name',
  logo: 'Header logo',
  navLabels: 'Menu names',
  navGroups: 'Menu groups',
  themeOverrides: 'Theme',
}

function settingLabel({ key, after }: ConfigRecord): string {
  const name = settings[key] ?? `Site setting ${key}`
  if (after === undefined || after === '') return `${name} removed`
  return isShort(after) ? `${name} changed to ${quoted(after)}` : `${name} changed`
}

function operationLabel(op: Operation, { pages, manifest }: Pick<Labelled, 'pages' | 'manifest'>): string {
  const source = { manifest }
  const page = (slug: string): string => {
    const { before, after } = pages.get(slug) ?? {}
    return `page ${quoted(after?.title ?? before?.title ?? slug)}`
  }
  const typeOf = (blockId: string): string | undefined =>
    [...pages.values()]
      .flatMap(({ before, after }) => [...(after?.blocks ?? []), ...(before?.blocks ?? [])])
      .find(({ id }) => id === blockId)?.type
  const block = (blockId: string): string => {
    const type = typeOf(blockId)
    return type === undefined ? 'Block' : typeName(type, source)
  }
  const fields = (blockId: string, patch: Readonly<Record<string, unknown>>, list?: string): string => {
    const { field } = typeWords(typeOf(blockId), source)
    const [[name, value] = ['', undefined], ...more] = Object.entries(patch)
    if (more.length > 0)
      return `${Object.keys(patch)
        .map((each) => field(each, list))
        .join(', ')} changed`
    return isShort(value)
      ? `${field(name, list)} changed to ${quoted(value)}`
      : `${field(name, list)} ${value === null ? 'removed' : 'changed'}`
  }
  const list = (blockId: string, key: string): string => typeWords(typeOf(blockId), source).field(key)

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
      const before = pages.get(op.pageSlug)?.before?.title ?? op.pageSlug
      const after = pages.get(op.newPageSlug ?? op.pageSlug)?.after?.title ?? op.newTitle
      const moved = op.newPageSlug !== undefined && op.newPageSlug !== op.pageSlug
      return `Page ${quoted(before)} renamed to ${quoted(after)}${moved ? ` at ${op.newPageSlug}` : ''}`
    }
    case 'update_page_meta':
      return `Search engine texts of ${page(op.pageSlug)}: ${Object.entries(op.patch)
        .map(([key, value]) => `${key} ${value ? `changed to ${quoted(value)}` : 'removed'}`)
        .join(', ')}`
    case 'add_block':
      return `${knownType(op.block.type, source)?.displayName ?? op.block.type} added to ${page(op.pageSlug)}`
    case 'remove_block':
      return `${block(op.blockId)} removed from ${page(op.pageSlug)}`
    case 'move_block':
      return `${block(op.blockId)} moved on ${page(op.pageSlug)}`
    case 'duplicate_block':
      return `${block(op.blockId)} copied to ${page(op.toPageSlug ?? op.pageSlug)}`
    case 'update_props':
      return `${block(op.blockId)} on ${page(op.pageSlug)}: ${fields(op.blockId, op.patch)}`
    case 'update_item':
      return `${block(op.blockId)} on ${page(op.pageSlug)}: ${fields(op.blockId, op.patch, op.listKey)} in row ${op.index + 1} of ${list(op.blockId, op.listKey)}`
    case 'add_item':
    case 'remove_item':
    case 'move_item': {
      const done = { add_item: 'added to', remove_item: 'removed from', move_item: 'moved in' }[op.op]
      return `${block(op.blockId)} on ${page(op.pageSlug)}: row ${done} ${list(op.blockId, op.listKey)}`
    }
    case 'update_site_config':
      return 'Site settings changed'
  }
}
