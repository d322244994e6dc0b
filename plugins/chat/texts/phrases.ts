import type { BlockWords } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Props } from '../../content/page.ts'
import { ownValue } from '../../content/plain-object.ts'
import type { ImagePlace, PlannedImage } from '../types/plan.ts'

/** One change to render, in the past tense once it is done. */
export interface ChangeLine extends BlockWords {
  readonly op: Operation
  readonly tense: 'done' | 'planned'
}

/** A planned image to render. */
export interface ImageLine extends BlockWords, Pick<PlannedImage, 'at' | 'query'> {}

type FirstWord<Name> = Name extends `${infer Word}_${string}` ? Word : never
export type Verb = FirstWord<Operation['op']>

/** The verbs of operations, for planned and for finished changes. */
export type Verbs = Readonly<Record<Verb, readonly [planned: string, done: string]>>

/** The first word of the name of an operation, its verb. */
export const verbOf = ({ op }: Operation): Verb => op.split('_')[0] as Verb

/** The words of a language for lines about changes. */
export interface Phrases {
  readonly page: string
  /** Words before the address of a new page, the page before a moved one, and the address of a copy. */
  readonly at: string
  readonly after: string
  readonly as: string
  /** The name of a block whose type is unknown. */
  readonly block: string
  /** Words before the page of a block, of a new block, and of a copied block. */
  readonly on: string
  readonly added: string
  readonly copied: string
  readonly row: string
  readonly newRow: string
  /** The word between a list and its block. */
  readonly of: string
  readonly meta: string
  readonly config: string
  readonly previews: string
  readonly logo: string
  /** Display names of site settings and of search engine texts. */
  readonly settings: Readonly<Record<string, string>>
  quoted(text: string): string
  /** A field with its new value; `null` removes it. */
  value(name: string, value: string | null): string
}

/** The target of an operation, and the values that it sets. */
export function objectIn(said: Phrases, op: Operation, words: BlockWords): { what: string; to?: string } {
  const { block = said.block, field } = words
  const page = 'pageSlug' in op ? `${said.page} ${op.pageSlug}` : said.page
  const onPage = 'pageSlug' in op ? `${block} ${said.on} ${op.pageSlug}` : block
  const settingName = (name: string): string => ownValue(said.settings, name) ?? name
  switch (op.op) {
    case 'create_page':
      return { what: `${page} ${said.quoted(op.page.title ?? op.page.slug)} ${said.at} ${op.page.slug}` }
    case 'rename_page': {
      const slug = op.newPageSlug === op.pageSlug ? undefined : op.newPageSlug
      return { what: page, to: [slug, op.newTitle && said.quoted(op.newTitle)].filter(Boolean).join(', ') }
    }
    case 'remove_page':
      return { what: page }
    case 'move_page':
      return { what: op.afterPageSlug === undefined ? page : `${page} ${said.after} ${op.afterPageSlug}` }
    case 'duplicate_page':
      return { what: op.newPageSlug === undefined ? page : `${page} ${said.as} ${op.newPageSlug}` }
    case 'update_page_meta':
      return { what: `${said.meta} ${op.pageSlug}`, to: valuesIn(said, op.patch, settingName) }
    case 'update_site_config':
      return { what: said.config, to: valuesIn(said, op.patch, settingName) }
    case 'add_block':
      return { what: `${block} ${said.added} ${op.pageSlug}` }
    case 'update_props':
      return { what: onPage, to: valuesIn(said, op.patch, (name) => field(name)) }
    case 'remove_block':
    case 'move_block':
      return { what: onPage }
    case 'duplicate_block': {
      const isElsewhere = op.toPageSlug && op.toPageSlug !== op.pageSlug
      return { what: isElsewhere ? `${onPage} ${said.copied} ${op.toPageSlug}` : onPage }
    }
    case 'add_item':
      return { what: `${said.newRow} ${field(op.listKey)} ${said.of} ${onPage}` }
    case 'update_item':
    case 'remove_item':
    case 'move_item': {
      const what = rowIn(said, op, field, onPage)
      if (!('patch' in op)) return { what }
      return { what, to: valuesIn(said, op.patch, (name) => field(name, op.listKey)) }
    }
  }
}

/** Describes the place of an image. */
export function imagePlaceIn(said: Phrases, at: ImagePlace, words: BlockWords): string {
  const { block = said.block, field } = words
  if (at.kind === 'site') return said.logo
  if (at.kind === 'page') return `${said.previews} ${at.pageSlug}`
  const onPage = `${block} ${said.on} ${at.pageSlug}`
  return at.kind === 'row' ? rowIn(said, at, field, onPage) : onPage
}

type Row = { readonly listKey: string; readonly index: number }

const rowIn = (said: Phrases, { listKey, index }: Row, field: BlockWords['field'], onPage: string): string =>
  `${said.row} ${index + 1} in ${field(listKey)} ${said.of} ${onPage}`

const longestValue = 80
const mostValues = 4

/** Lists the values of a patch, shortened to fit a line; lists and objects by name only. */
function valuesIn(said: Phrases, patch: Props, nameOf: (prop: string) => string): string {
  const values = Object.entries(patch).slice(0, mostValues).map(([prop, value]) => {
    const name = nameOf(prop)
    if (value === null) return said.value(name, value)
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return name
    const text = String(value).replace(/\s+/g, ' ')
    return said.value(name, text.length > longestValue ? `${text.slice(0, longestValue)}…` : text)
  })
  return values.join(', ')
}

/** Formats a count and its noun. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`
