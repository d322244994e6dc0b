import { type BlockWords, type NameSource, typeName, typeWords } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page, Props } from '../../content/page.ts'
import { ownValue } from '../../content/plain-object.ts'
import type { ImagePlace, PendingPlan, Remark, Step } from '../types/plan.ts'
import { texts, type Verb } from './texts.ts'

type Tense = 'done' | 'planned'

/** The first word of the name of an operation, its verb. */
export const verbOf = ({ op }: Operation): Verb => op.split('_')[0] as Verb

/**
 * Writes one line for each operation. Looks up blocks in current or former pages, in the given order; a page
 * that is renamed has its former title. Block types have the names declared by the site, or else their
 * built-in names.
 */
export function changeLines(
  ops: readonly Operation[],
  tense: Tense,
  source: NameSource,
  ...drafts: readonly (readonly Page[])[]
): string[] {
  const pages = drafts.flat()
  const wordsFor = blockWords(source, pages, ops)
  const [page, former] = [titlesIn(pages, ops), titlesIn(drafts.at(-1) ?? [], ops)]
  return ops.map((op) =>
    changeLine(op, tense, { ...wordsFor(op), page: op.op === 'rename_page' ? former : page }),
  )
}

/** The names of blocks, fields and pages. */
interface ChangeNames extends BlockWords {
  readonly page: (slug: string) => string
}

/** Writes the line of one operation. */
export function changeLine(op: Operation, tense: Tense, words: ChangeNames): string {
  const { what, to } = objectIn(op, words)
  const [planned, done] = texts.verbs[verbOf(op)]
  const values = to === undefined ? '' : `${op.op === 'rename_page' ? ' to' : ':'} ${to}`
  return `${tense === 'done' ? done : planned} ${what}${values}`
}

/** Returns one line for each operation of a plan: the planner's own line if it wrote one. */
export function announcements(steps: readonly Step[], source: NameSource, pages: readonly Page[]): string[] {
  const lines = changeLines(
    steps.map(({ op }) => op),
    'planned',
    source,
    pages,
  )
  return steps.map(({ line }, index) => line ?? lines[index] ?? '')
}

/** The summary of an applied plan, with remarks. */
export const summaryOf = (changes: readonly string[], notes: readonly Remark[], source: NameSource): string =>
  [texts.applied(changes), ...notesIn(notes, source)].join(' ')

/** One sentence for each remark. */
export function notesIn(notes: readonly Remark[], source: NameSource): string[] {
  return notes.map((note) =>
    note.kind === 'said' ? note.text : texts.note({ kind: note.kind, type: typeName(note.type, source) }),
  )
}

/** Renders a pending plan with the names of its site. */
export function planTexts(
  { summary, notes, steps, images = [], reasons }: PendingPlan,
  pages: readonly Page[],
  { manifest }: Pick<NameSource, 'manifest'>,
) {
  const source = { manifest }
  const lookedFor = images.map(({ at, type, query }) =>
    texts.image(imagePlaceIn(at, { ...wordsOf(type, source), page: titlesIn(pages) }), query),
  )
  return {
    summary: [summary, ...notesIn(notes, source)].join(' '),
    changes: [...announcements(steps, source, pages), ...lookedFor],
    destructiveReasons: reasons.map((reason) => texts.reason(reason)),
  }
}

function blockWords(
  source: NameSource,
  pages: readonly Page[],
  ops: readonly Operation[],
): (op: Operation) => BlockWords {
  let types: Map<string, string> | undefined
  const typeOf = ({
    pageSlug,
    blockId,
  }: {
    readonly pageSlug: string
    readonly blockId: string
  }): string | undefined => {
    // Most blocks are on the page that their operation names; the other pages are read only if not.
    const here = pages.find(({ slug }) => slug === pageSlug)?.blocks.find(({ id }) => id === blockId)
    return here?.type ?? (types ??= typesIn(pages, ops)).get(blockId)
  }
  return (op) =>
    wordsOf(op.op === 'add_block' ? op.block.type : 'blockId' in op ? typeOf(op) : undefined, source)
}

/** The display names of a block type and its fields, as they read inside a sentence. */
function wordsOf(type: string | undefined, source: NameSource): BlockWords {
  const words = typeWords(type, source)
  return { ...words, field: (...names) => texts.label(words.field(...names)) }
}

/** Returns the types of all blocks, including those that an operation adds. */
function typesIn(pages: readonly Page[], ops: readonly Operation[]): Map<string, string> {
  const types = new Map(
    ops.flatMap((op) => (op.op === 'add_block' ? [[op.block.id, op.block.type] as const] : [])),
  )
  for (const page of pages.toReversed()) for (const { id, type } of page.blocks) types.set(id, type)
  return types
}

/** The titles of pages, also of those that operations create; the slugs of others. */
function titlesIn(pages: readonly Page[], ops: readonly Operation[] = []): (slug: string) => string {
  const created = ops.flatMap((op) => (op.op === 'create_page' ? [op.page] : []))
  const titles = new Map([...created, ...pages.toReversed()].map(({ slug, title }) => [slug, title]))
  return (slug) => titles.get(slug) || slug
}

/** The target of an operation, and the values that it sets. */
function objectIn(op: Operation, words: ChangeNames): { what: string; to?: string } {
  const { block = 'block', field, text } = words
  const page = 'pageSlug' in op ? `page ${words.page(op.pageSlug)}` : 'page'
  const onPage = 'pageSlug' in op ? `${block} on ${words.page(op.pageSlug)}` : block
  const settingName = (name: string): string => ownValue(texts.settings, name) ?? name
  switch (op.op) {
    case 'create_page':
      return { what: `${page} ${texts.quoted(op.page.title ?? op.page.slug)} at ${op.page.slug}` }
    case 'rename_page': {
      const slug = op.newPageSlug === op.pageSlug ? undefined : op.newPageSlug
      return { what: page, to: [slug, op.newTitle && texts.quoted(op.newTitle)].filter(Boolean).join(', ') }
    }
    case 'remove_page':
      return { what: page }
    case 'move_page':
      return { what: op.afterPageSlug === undefined ? page : `${page} after ${words.page(op.afterPageSlug)}` }
    case 'duplicate_page':
      return { what: op.newPageSlug === undefined ? page : `${page} as ${op.newPageSlug}` }
    case 'update_page_meta':
      return {
        what: `the search engine texts of ${words.page(op.pageSlug)}`,
        to: valuesIn(op.patch, settingName),
      }
    case 'update_site_config':
      return { what: 'the site settings', to: valuesIn(op.patch, settingName) }
    case 'add_block':
      return { what: `${block} to ${words.page(op.pageSlug)}` }
    case 'update_props':
      return { what: onPage, to: valuesIn(op.patch, (name) => field(name), text) }
    case 'remove_block':
    case 'move_block':
      return { what: onPage }
    case 'duplicate_block': {
      const isElsewhere = op.toPageSlug && op.toPageSlug !== op.pageSlug
      return { what: isElsewhere ? `${onPage} to ${words.page(op.toPageSlug)}` : onPage }
    }
    case 'add_item':
      return { what: `a row to ${field(op.listKey)} of ${onPage}` }
    case 'update_item':
      return {
        what: rowIn(op, field, onPage),
        to: valuesIn(
          op.patch,
          (name) => field(name, op.listKey),
          (value, name) => text(value, name, op.listKey),
        ),
      }
    case 'remove_item':
    case 'move_item':
      return { what: rowIn(op, field, onPage) }
  }
}

function imagePlaceIn(at: ImagePlace, { block = 'block', field, page }: ChangeNames): string {
  if (at.kind === 'site') return 'the logo of the site'
  if (at.kind === 'page') return `link previews of ${page(at.pageSlug)}`
  const onPage = `${block} on ${page(at.pageSlug)}`
  return at.kind === 'row' ? rowIn(at, field, onPage) : onPage
}

type RowPlace = { readonly listKey: string; readonly index: number }

const rowIn = ({ listKey, index }: RowPlace, field: BlockWords['field'], onPage: string): string =>
  `row ${index + 1} in ${field(listKey)} of ${onPage}`

const longestValue = 80
const mostValues = 4

/** Lists the values of a patch, shortened to fit a line; lists and objects by name only. */
function valuesIn(
  patch: Props,
  nameOf: (prop: string) => string,
  textOf: BlockWords['text'] = (value) => value,
): string {
  const values = Object.entries(patch)
    .slice(0, mostValues)
    .map(([prop, value]) => {
      const name = nameOf(prop)
      if (value === null) return `no ${name}`
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return name
      const text = String(textOf(value, prop)).replace(/\s+/g, ' ')
      return `${name} to ${texts.quoted(text.length > longestValue ? `${text.slice(0, longestValue)}…` : text)}`
    })
  return values.join(', ')
}
