/**
 * Edits of a site, of few places, so that they meet: as operations of a draft, and as what happens to a site
 * by itself.
 */
import type { SiteContent } from '../../plugins/content/adapter.ts'
import type { Page } from '../../plugins/content/page.ts'
import { isPlainObject, sameJson } from '../../plugins/content/plain-object.ts'
import fc, { pick } from './property.ts'
import { noon } from './publishing.ts'
import { shut } from './tree.ts'

type Block = Page['blocks'][number]
export type Settings = Readonly<Record<string, unknown>>
/** The content of a site or of a draft; redirects are a setting, by their former address. */
export interface Content {
  readonly pages: readonly Page[]
  readonly settings: Settings
}

const word = pick('one', 'two', 'three')
const orNone = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const page = pick('home', 'home', 'a', 'a', 'b')
const slug = pick('/a', '/b', '/n', '/x')
/** Where redirects lead. */
const target = pick('/', '/?new', '/#new', '/a', '/b', '/n')
const edit = <const K extends string, T extends object>(
  what: K,
  fields: { readonly [N in keyof T]: fc.Arbitrary<T[N]> },
) => fc.record<T>(fields).map((given) => ({ what, ...given }))

/** What can be edited. */
const edits = {
  prop: edit('prop', {
    page,
    block: pick('hero', 'hero', 'faq', 'extra', 'twin'),
    value: word,
    name: pick('heading', 'heading', 'subheading'),
  }),
  row: edit('row', { page, row: pick('r1', 'r1', 'r2', 'r3'), value: orNone(word) }),
  rowPlace: edit('row place', { page, row: pick('r1', 'r2'), to: fc.nat({ max: 2 }) }),
  bare: edit('bare', { page, row: pick('p', 'q', 'r', 's', 't'), isIn: fc.boolean() }),
  extra: edit('extra', { page, value: orNone(word), type: pick('Hero', 'Hero', 'RichText') }),
  twin: edit('twin', { page, isIn: fc.boolean() }),
  locked: edit('locked', { page, value: orNone(word) }),
  blockPlace: edit('block place', { page, block: pick('hero', 'faq', 'bare'), to: fc.nat({ max: 2 }) }),
  title: edit('title', { page, value: word }),
  meta: edit('meta', { page, name: pick('title', 'description'), value: orNone(word) }),
  slug: edit('slug', { page, slug }),
  swap: edit('swap', { page, with: page }),
  create: edit('create', { slug: pick('/n', '/n', '/a', '/x'), value: word }),
  remove: edit('remove', { page: pick('a', 'b', 'n'), to: orNone(target) }),
  copy: edit('copy', { page }),
  pagePlace: edit('page place', { page, after: page }),
  setting: edit('setting', { name: pick('logo', 'logo', 'theme', 'name'), value: orNone(word) }),
  label: edit('label', { slug, value: orNone(word) }),
  group: edit('group', { group: pick('More', 'Other'), slugs: orNone(fc.subarray(['/', '/a', '/b', '/n'])) }),
  redirect: edit('redirect', { from: pick('/old', '/older', '/x'), to: orNone(target) }),
} as const
type Edits = typeof edits
export type Edit = {
  readonly [K in keyof Edits]: Edits[K] extends fc.Arbitrary<infer E> ? E : never
}[keyof Edits]

const weights: Readonly<Record<keyof Edits, number>> = {
  prop: 9,
  row: 6,
  rowPlace: 2,
  bare: 4,
  extra: 3,
  twin: 1,
  locked: 1,
  blockPlace: 3,
  title: 1,
  meta: 3,
  slug: 4,
  swap: 1,
  create: 3,
  remove: 2,
  copy: 1,
  pagePlace: 3,
  setting: 5,
  label: 3,
  group: 3,
  redirect: 2,
}
export type EditKind = keyof Edits
export const editKinds = Object.keys(weights) as readonly EditKind[]
/** An edit of one of some kinds. */
export const anEdit = (kinds: readonly EditKind[]): fc.Arbitrary<Edit> =>
  fc.oneof(
    ...kinds.map((kind) => {
      const arbitrary: fc.Arbitrary<Edit> = edits[kind]
      return { weight: weights[kind], arbitrary }
    }),
  )

const answer = 'An answer'
const texts = { Hero: 'heading', RichText: 'title' }
const propOf = ({ type }: Block): string => (type === 'Hero' ? 'heading' : 'title')

function blockOf(id: string, value: string, type: keyof typeof texts = 'Hero'): Block {
  const hero = { subheading: 'one', ctaText: 'Go', ctaHref: '/c', imageUrl: '/e.png', imageAlt: 'E' }
  const choices = { imagePosition: 'right', textAlign: 'left' }
  return type === 'Hero'
    ? { id, type, props: { heading: value, ...hero, ...choices } }
    : { id, type, props: { title: value, body: 'Text' } }
}
const faqOf = (id: string, items: readonly object[]): Block => ({
  id,
  type: 'FAQAccordion',
  props: { title: 'one', items },
})

export function pageOf(name: string, at: string, value = 'one'): Page {
  const rows = ['r0', 'r1'].map((id) => ({ id, q: 'one', a: answer }))
  const bare = ['p', 'q'].map((q) => ({ q, a: answer }))
  const blocks = [blockOf(`hero-${name}`, value), faqOf(`faq-${name}`, rows), faqOf(`bare-${name}`, bare)]
  return { id: `p-${name}`, slug: at, title: name, updatedAt: noon, blocks }
}
export const start: Content = {
  pages: [pageOf('home', '/'), pageOf('a', '/a'), pageOf('b', '/b')],
  settings: { logo: 'one', navLabels: { '/a': 'one' }, navGroups: { More: ['/a', '/b'] }, $redirects: {} },
}

export interface Names {
  readonly nameOf: (page: Page) => string
  /** A name for a page that is added at a slug. */
  readonly newName: (slug: string) => string
}

const rowsIn = (block: Block | undefined): readonly Readonly<Record<string, unknown>>[] => {
  const items = block?.props['items']
  return Array.isArray(items) ? items.filter(isPlainObject) : []
}
const mapIn = (settings: Settings, name: string): Settings => {
  const map = settings[name]
  return isPlainObject(map) ? map : {}
}
const without = (map: Settings, name: string): Settings =>
  Object.fromEntries(Object.entries(map).filter(([each]) => each !== name))
const moved = <T>(list: readonly T[], element: T, to: number): readonly T[] =>
  list.filter((each) => each !== element).toSpliced(to, 0, element)

/** What an edit concerns in some content; `undefined` where it is not possible. */
function placesOf(edit: Edit, { pages }: Content, { nameOf }: Names) {
  const name = 'page' in edit ? edit.page : ''
  const own = pages.find((each) => nameOf(each) === name)
  const other = 'with' in edit ? edit.with : 'after' in edit ? edit.after : ''
  const blockIn = (kind: string) => own?.blocks.find(({ id }) => id === `${kind}-${name}`)
  const listed = pages.find((each) => nameOf(each) === other)
  return { name, own, other: listed === own ? undefined : listed, blockIn }
}

/** The operations of an edit of a draft; none where it is not possible there. */
export function operationsOf(edit: Edit, content: Content, names: Names): readonly object[] {
  const { name, own, other, blockIn } = placesOf(edit, content, names)
  const isFree = (slug: string) => content.pages.every((each) => each.slug !== slug)
  const at = { pageSlug: own?.slug }
  const settings = (patch: object) => [{ op: 'update_site_config', patch }]
  if (edit.what === 'setting')
    return edit.value === undefined ? [] : edit.name === 'theme' ? [] : settings({ [edit.name]: edit.value })
  if (edit.what === 'label') return settings({ navLabels: { [edit.slug]: edit.value ?? '' } })
  if (edit.what === 'redirect') return settings({ redirects: { [edit.from]: edit.to ?? '' } })
  if (edit.what === 'group') {
    const others = without(mapIn(content.settings, 'navGroups'), edit.group)
    return settings({ navGroups: { ...others, ...(edit.slugs && { [edit.group]: edit.slugs }) } })
  }
  if (edit.what === 'create') {
    if (!isFree(edit.slug)) return []
    return [{ op: 'create_page', page: pageOf(names.newName(edit.slug), edit.slug, edit.value) }]
  }
  if (!own) return []
  if (edit.what === 'remove')
    return [{ op: 'remove_page', ...at, ...(edit.to !== undefined && { redirectTo: edit.to }) }]
  if (edit.what === 'copy') {
    const newPageSlug = `/copy-${name}`
    return isFree(newPageSlug) ? [{ op: 'duplicate_page', ...at, newPageSlug }] : []
  }
  if (edit.what === 'title') return [{ op: 'rename_page', ...at, newTitle: edit.value }]
  if (edit.what === 'meta')
    return [{ op: 'update_page_meta', ...at, patch: { [edit.name]: edit.value ?? '' } }]
  if (edit.what === 'slug')
    return name === 'home' || !isFree(edit.slug) ? [] : [renamed(own.slug, edit.slug, own.title)]
  if (edit.what === 'swap') {
    if (!other || [own.slug, other.slug].includes('/')) return []
    return [
      renamed(own.slug, '/tmp', own.title),
      renamed(other.slug, own.slug, other.title),
      renamed('/tmp', other.slug, own.title),
    ]
  }
  if (edit.what === 'page place')
    return name === 'home' || !other ? [] : [{ op: 'move_page', ...at, afterPageSlug: other.slug }]
  return blockOperations(edit, { own, name, blockIn })
}
const renamed = (pageSlug: string, newPageSlug: string, newTitle: string) => ({
  op: 'rename_page',
  pageSlug,
  newPageSlug,
  newTitle,
})

/**
 * The paths of the values that an edit sets to what they are already; none of an edit that changes something.
 */
export function typedAgain(edit: Edit, content: Content, names: Names): readonly string[] {
  const { name, own, blockIn } = placesOf(edit, content, names)
  const { settings } = content
  const same = (at: string, before: unknown, after: unknown): readonly string[] =>
    (before ?? '') === (after ?? '') ? [at] : []
  if (edit.what === 'setting')
    return edit.value === undefined || edit.name === 'theme'
      ? []
      : same(`config|${edit.name}`, settings[edit.name], edit.value)
  if (edit.what === 'label')
    return same(`config|navLabels|${edit.slug}`, mapIn(settings, 'navLabels')[edit.slug], edit.value)
  if (edit.what === 'redirect') {
    const redirects = mapIn(settings, '$redirects')
    // What leads to an address that leads on is set to where that leads.
    const isLedOn = edit.to !== undefined && edit.to in redirects
    return isLedOn ? [] : same(`config|$redirects|${edit.from}`, redirects[edit.from], edit.to)
  }
  if (edit.what === 'group') {
    const groups = mapIn(settings, 'navGroups')
    return sameJson(groups, {
      ...without(groups, edit.group),
      ...(edit.slugs && { [edit.group]: edit.slugs }),
    })
      ? Object.keys(groups).map((group) => `config|navGroups|${group}`)
      : []
  }
  const page = `page ${name}`
  if (!own) return []
  if (edit.what === 'title') return same(`${page}|title`, own.title, edit.value)
  if (edit.what === 'meta') return same(`${page}|meta|${edit.name}`, own.meta?.[edit.name], edit.value)
  const block =
    edit.what === 'prop' ? blockIn(edit.block) : edit.what === 'extra' ? blockIn('extra') : undefined
  if (block && 'value' in edit && edit.value !== undefined) {
    if (edit.what === 'extra' && edit.type !== block.type) return []
    const prop =
      edit.what === 'prop' && edit.name !== 'heading' && block.type === 'Hero' ? edit.name : propOf(block)
    return same(`${page}|block ${block.id}|${prop}`, block.props[prop], edit.value)
  }
  if (edit.what === 'row' && edit.value !== undefined) {
    const row = rowsIn(blockIn('faq')).find(({ id }) => id === edit.row)
    return row ? same(`${page}|block faq-${name}|items|row ${edit.row}|q`, row['q'], edit.value) : []
  }
  if (edit.what !== 'bare') return []
  const rows = rowsIn(blockIn('bare'))
  const isSame = sameJson(
    bareRows(rows, edit),
    rows.map(({ q }) => String(q)),
  )
  return isSame && blockIn('bare') ? [`${page}|block bare-${name}|items`] : []
}

type InBlocks = Extract<
  Edit,
  { readonly what: 'prop' | 'row' | 'row place' | 'bare' | 'extra' | 'twin' | 'locked' | 'block place' }
>
function blockOperations(
  edit: InBlocks,
  { own, name, blockIn }: { own: Page; name: string; blockIn: (kind: string) => Block | undefined },
): readonly object[] {
  const at = { pageSlug: own.slug }
  const faq = { ...at, blockId: `faq-${name}`, listKey: 'items' }
  const rows = rowsIn(blockIn('faq'))
  const index = 'row' in edit ? rows.findIndex(({ id }) => id === edit.row) : -1
  if (edit.what === 'prop') {
    const block = blockIn(edit.block)
    if (!block) return []
    const prop = edit.name === 'heading' || block.type !== 'Hero' ? propOf(block) : edit.name
    return [{ op: 'update_props', ...at, blockId: block.id, patch: { [prop]: edit.value } }]
  }
  if (edit.what === 'row') {
    if (edit.value === undefined) return index < 0 ? [] : [{ op: 'remove_item', ...faq, index }]
    return index < 0
      ? [{ op: 'add_item', ...faq, item: { id: edit.row, q: edit.value, a: answer } }]
      : [{ op: 'update_item', ...faq, index, patch: { q: edit.value } }]
  }
  if (edit.what === 'row place')
    return index < 0
      ? []
      : [
          {
            op: 'move_item',
            ...faq,
            index,
            ...(edit.to > 0 && edit.to - 1 < rows.length && { afterIndex: edit.to - 1 }),
          },
        ]
  if (edit.what === 'bare') {
    const items = bareRows(rowsIn(blockIn('bare')), edit).map((q) => ({ q, a: answer }))
    return [{ op: 'update_props', ...at, blockId: `bare-${name}`, patch: { items } }]
  }
  if (edit.what === 'extra') {
    const blockId = `extra-${name}`
    const [removed, added] = [
      { op: 'remove_block', ...at, blockId },
      { op: 'add_block', ...at, block: blockOf(blockId, edit.value ?? '', edit.type) },
    ]
    const block = blockIn('extra')
    if (edit.value === undefined) return block ? [removed] : []
    if (!block) return [added]
    return block.type === edit.type
      ? [{ op: 'update_props', ...at, blockId, patch: { [propOf(block)]: edit.value } }]
      : [removed, added]
  }
  if (edit.what === 'twin') {
    const blockId = `twin-${name}`
    if (!edit.isIn) return blockIn('twin') ? [{ op: 'remove_block', ...at, blockId }] : []
    return blockIn('twin')
      ? []
      : [{ op: 'duplicate_block', ...at, blockId: `hero-${name}`, newBlockId: blockId }]
  }
  if (edit.what === 'locked')
    return blockIn('locked') ? [{ op: 'remove_block', ...at, blockId: `locked-${name}` }] : []
  const blockId = `${edit.block}-${name}`
  const others = own.blocks.filter(({ id }) => id !== blockId)
  const afterBlockId = others[edit.to - 1]?.id
  return [{ op: 'move_block', ...at, blockId, ...(afterBlockId !== undefined && { afterBlockId }) }]
}
const bareRows = (
  rows: readonly Settings[],
  { row, isIn }: { readonly row: string; readonly isIn: boolean },
) => {
  const others = rows.map(({ q }) => String(q)).filter((q) => q !== row)
  return [...others, ...(isIn ? [row] : [])].toSorted()
}

/** A setting that only the site changes, of values that are merged as one. */
const themes = {
  one: [{ id: 'r1', links: [null, ''] }, { links: [] }],
  two: [{ links: [] }, null],
  three: null,
} as const

/** The content of a site after an edit; the same where it is not possible. */
export function edited(edit: Edit, content: Content, names: Names): Content {
  const { pages, settings } = content
  const { name, own, other } = placesOf(edit, content, names)
  const isFree = (slug: string) => pages.every((each) => each.slug !== slug)
  const setting = (key: string, value: unknown): Content => ({
    pages,
    settings: value === undefined ? without(settings, key) : { ...settings, [key]: value },
  })
  const inMap = (map: string, key: string, value: unknown): Content =>
    setting(
      map,
      value === undefined ? without(mapIn(settings, map), key) : { ...mapIn(settings, map), [key]: value },
    )
  const withPages = (change: (page: Page) => Page): Content => ({ settings, pages: pages.map(change) })
  const ofPage = (change: Partial<Page>): Content =>
    withPages((each) => (each === own ? { ...each, ...change } : each))
  if (edit.what === 'setting')
    return setting(edit.name, edit.name === 'theme' && edit.value ? themes[edit.value] : edit.value)
  if (edit.what === 'label') return inMap('navLabels', edit.slug, edit.value)
  if (edit.what === 'redirect') return isFree(edit.from) ? inMap('$redirects', edit.from, edit.to) : content
  if (edit.what === 'group') return inMap('navGroups', edit.group, edit.slugs)
  if (edit.what === 'create')
    return isFree(edit.slug)
      ? { settings, pages: [...pages, pageOf(names.newName(edit.slug), edit.slug, edit.value)] }
      : content
  if (!own) return content
  if (edit.what === 'remove') return { settings, pages: pages.filter((each) => each !== own) }
  if (edit.what === 'copy') return content
  if (edit.what === 'title') return ofPage({ title: edit.value })
  if (edit.what === 'meta') {
    const { meta = {}, ...others } = own
    const after = {
      ...without(meta, edit.name),
      ...(edit.value !== undefined && { [edit.name]: edit.value }),
    }
    const changed = { ...others, ...(Object.keys(after).length > 0 && { meta: after }) }
    return withPages((each) => (each === own ? changed : each))
  }
  if (edit.what === 'slug')
    return name === 'home' || !isFree(edit.slug) ? content : ofPage({ slug: edit.slug })
  if (edit.what === 'swap') {
    if (!other || [own.slug, other.slug].includes('/')) return content
    return withPages((each) =>
      each === own ? { ...own, slug: other.slug } : each === other ? { ...other, slug: own.slug } : each,
    )
  }
  if (edit.what === 'page place') {
    if (name === 'home' || !other) return content
    const rest = pages.filter((each) => each !== own)
    return { settings, pages: rest.toSpliced(rest.indexOf(other) + 1, 0, own) }
  }
  return ofPage({ blocks: editedBlocks(edit, own.blocks, name) })
}

function editedBlocks(edit: InBlocks, blocks: readonly Block[], name: string): readonly Block[] {
  const find = (kind: string) => blocks.find(({ id }) => id === `${kind}-${name}`)
  const withProps = (block: Block | undefined, props: object) =>
    blocks.map((each) => (each === block ? { ...each, props: { ...each.props, ...props } } : each))
  const [faq, extra, twin, hero, locked] = ['faq', 'extra', 'twin', 'hero', 'locked'].map(find)
  const rows = rowsIn(faq)
  const row = 'row' in edit ? rows.find(({ id }) => id === edit.row) : undefined
  if (edit.what === 'prop') {
    const block = find(edit.block)
    if (!block) return blocks
    const prop = edit.name === 'heading' || block.type !== 'Hero' ? propOf(block) : edit.name
    return withProps(block, { [prop]: edit.value })
  }
  if (edit.what === 'row') {
    if (edit.value === undefined) return withProps(faq, { items: rows.filter((each) => each !== row) })
    const { value: q } = edit
    return withProps(faq, {
      items: row
        ? rows.map((each) => (each === row ? { ...each, q } : each))
        : [...rows, { id: edit.row, q, a: answer }],
    })
  }
  if (edit.what === 'row place') return row ? withProps(faq, { items: moved(rows, row, edit.to) }) : blocks
  if (edit.what === 'bare') {
    const items = bareRows(rowsIn(find('bare')), edit).map((q) => ({ q, a: answer }))
    return withProps(find('bare'), { items })
  }
  if (edit.what === 'extra') {
    const others = blocks.filter((each) => each !== extra)
    if (edit.value === undefined) return others
    const block = blockOf(`extra-${name}`, edit.value, edit.type)
    return extra ? blocks.map((each) => (each === extra ? block : each)) : [...others, block]
  }
  if (edit.what === 'twin') {
    const others = blocks.filter((each) => each !== twin)
    return edit.isIn && hero ? (twin ? blocks : [...others, { ...hero, id: `twin-${name}` }]) : others
  }
  if (edit.what === 'locked') {
    const others = blocks.filter((each) => each !== locked)
    if (edit.value === undefined) return others
    const block = { id: `locked-${name}`, type: shut, props: { own: edit.value } }
    return locked ? blocks.map((each) => (each === locked ? block : each)) : [...others, block]
  }
  const block = find(edit.block)
  return block ? moved(blocks, block, edit.to) : blocks
}

/** Content as a site has it. */
export const toSite = ({ pages, settings }: Content): SiteContent => {
  const { $redirects, ...siteConfig } = settings
  const redirects = Object.entries(isPlainObject($redirects) ? $redirects : {}).map(([from, to]) => ({
    from,
    to,
  }))
  return { pages: [...pages], siteConfig, redirects }
}
