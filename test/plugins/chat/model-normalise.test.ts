import fc from '../../helpers/property.ts'
import t, { type Test } from 'tap'
import { newBlockRows, propsRows } from '../../../plugins/chat/model/normalise/block-rows.ts'
import { listRows } from '../../../plugins/chat/model/normalise/list-rows.ts'
import { operationName, typeName } from '../../../plugins/chat/model/normalise/names.ts'
import { normaliseOperation } from '../../../plugins/chat/model/normalise/operation.ts'
import { opKeyRows } from '../../../plugins/chat/model/normalise/op-key-rows.ts'
import { opTargetRows } from '../../../plugins/chat/model/normalise/op-target-rows.ts'
import { pagesFirst } from '../../../plugins/chat/model/normalise/order.ts'
import { pageRows } from '../../../plugins/chat/model/normalise/page-rows.ts'
import { planRows } from '../../../plugins/chat/model/normalise/plan-rows.ts'
import { readPlan } from '../../../plugins/chat/model/normalise/plan.ts'
import type { Place } from '../../../plugins/chat/model/normalise/place.ts'
import { readJson } from '../../../plugins/chat/model/normalise/read-json.ts'
import { itemRows, normalisedItem } from '../../../plugins/chat/model/normalise/row-rows.ts'
import { wordsOf } from '../../../plugins/chat/model/words.ts'
import { applyBatch } from '../../../plugins/content/batch.ts'
import { withoutGeneratedItemIds } from '../../../plugins/content/items.ts'
import type { Block, Draft, Fields, Manifest, Props } from '../../../plugins/content/model.ts'
import { operations, type Operation } from '../../../plugins/content/operations/index.ts'
import { parseOperations } from '../../../plugins/content/operations/parse.ts'
import { builtinRegistry } from '../../../plugins/content/registry.ts'
import { changed, contentOf, drafts, operationFor, pageOf, pagesOf, siteManifest } from '../../helpers/content.ts'

const now = new Date('2026-01-01T12:00:00.000Z')
const hero = { heading: 'H', subheading: 'S', ctaText: 'Go', ctaHref: '/', imageUrl: '/a.png', imageAlt: 'A' }
const blocks: readonly Block[] = [
  { id: 'b_hero_1', type: 'Hero', props: hero },
  { id: 'b_faq_1', type: 'FAQAccordion', props: { title: 'Questions', items: [{ q: 'One?', a: 'Yes' }, { q: 'Two?', a: 'No' }] } },
  { id: 'b_cta_1', type: 'CTA', props: { title: 'T', description: 'D', ctaText: 'Go', ctaHref: '/' } },
]
const pages = [pageOf('/', blocks), pageOf('/about', [{ id: 'b_cta_2', type: 'CTA', props: { title: 'T', description: 'D', ctaText: 'Go', ctaHref: '/' } }])]

/** Where operations are read, for a message about a page of a small site. */
function placeFor(message = '', { slug = '/', manifest }: { readonly slug?: string; readonly manifest?: Manifest } = {}): Place {
  const input = { draft: { version: 1, pages, config: {} }, selection: { slug }, registry: builtinRegistry, manifest }
  return { input, words: wordsOf(message), now, given: new Set(['b_given']), created: new Set(['/new']) }
}

type Loose = Props
/** What a row makes of something; the same again where it leaves it alone. */
interface Case {
  readonly row: string
  readonly before: Loose
  /** Absent where nothing is to change. */
  readonly after?: Loose | readonly Loose[]
  readonly message?: string
  readonly place?: Place
}

function check(t: Test, rows: readonly { readonly name: string }[], apply: (name: string, value: Loose, place: Place) => unknown, cases: readonly Case[]) {
  for (const { row, before, after = before, message = '', place = placeFor(message) } of cases) {
    t.ok(rows.some(({ name }) => name === row), `there is a row '${row}'`)
    t.strictSame(apply(row, before, place), after, `${row}: ${JSON.stringify(before)}`)
  }
  for (const { name } of rows) {
    const of = cases.filter(({ row }) => row === name)
    t.ok(of.some(({ after }) => after !== undefined), `a case shows what '${name}' does`)
    t.ok(of.some(({ after }) => after === undefined), `a case shows what '${name}' leaves alone`)
  }
  t.end()
}

/** Applies the row of a name from one of the tables of operations. */
const applyRow = (rows: readonly { readonly name: string; apply(op: Loose, place: Place): unknown }[]) =>
  (name: string, op: Loose, place: Place) => rows.find((row) => row.name === name)?.apply(op, place)

t.test('keys of operations', (t) => check(t, opKeyRows, applyRow(opKeyRows), [
  { row: 'soft hyphens as entities', before: { op: 'update_props', patch: { title: 'Boots&shy;verleih', rows: [{ n: 1, q: 'Ka&#173;jak &#xAD;&SHY;' }] } }, after: { op: 'update_props', patch: { title: 'Boots\u00adverleih', rows: [{ n: 1, q: 'Ka\u00adjak \u00ad\u00ad' }] } } },
  { row: 'soft hyphens as entities', before: { op: 'update_props', patch: { title: 'Boots\u00adverleih &amp; mehr' } } },
  { row: 'the name of an operation in another spelling, under another key, or as the only key', before: { op: 'updateProps', x: 1 }, after: { op: 'update_props', x: 1 } },
  { row: 'the name of an operation in another spelling, under another key, or as the only key', before: { op: 'delete-block' }, after: { op: 'remove_block' } },
  { row: 'the name of an operation in another spelling, under another key, or as the only key', before: { action: 'clone', blockId: 'b' }, after: { op: 'duplicate_block', blockId: 'b' } },
  { row: 'the name of an operation in another spelling, under another key, or as the only key', before: { add_block: { pageSlug: '/' } }, after: { op: 'add_block', pageSlug: '/' } },
  { row: 'the name of an operation in another spelling, under another key, or as the only key', before: { op: 'fetch_url', action: 'add' } },
  { row: 'the name of an operation in another spelling, under another key, or as the only key', before: { op: 'update_props', kind: 'update' } },
  { row: 'null in place of a field that is left out', before: { op: 'add_item', afterIndex: null }, after: { op: 'add_item' } },
  { row: 'null in place of a field that is left out', before: { op: 'update_props', patch: { eyebrow: null } } },
  { row: 'the path of a row', before: { op: 'update_item', itemPath: 'items[2].q', value: 'x' }, after: { op: 'update_item', listKey: 'items', index: 2, patch: { q: 'x' } } },
  { row: 'the path of a row', before: { op: 'remove_item', path: 'items[0]' }, after: { op: 'remove_item', listKey: 'items', index: 0 } },
  { row: 'the path of a row', before: { op: 'rename_page', path: '/about' } },
  { row: 'keys in another spelling', before: { op: 'move_item', page_slug: '/', block_id: 'b', array_key: 'items', from_index: 0, to_index: 1 }, after: { op: 'move_item', pageSlug: '/', blockId: 'b', listKey: 'items', index: 0, afterIndex: 1 } },
  { row: 'keys in another spelling', before: { op: 'update_props', target_block_id: 'b', changes: { heading: 'x' } }, after: { op: 'update_props', blockId: 'b', patch: { heading: 'x' } } },
  { row: 'keys in another spelling', before: { op: 'rename_page', from: '/a', to: '/b' }, after: { op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' } },
  { row: 'keys in another spelling', before: { op: 'add_item', value: { q: 'x' }, after_index: 1 }, after: { op: 'add_item', item: { q: 'x' }, afterIndex: 1 } },
  { row: 'keys in another spelling', before: { op: 'update_props', pageSlug: '/', blockId: 'b', title: 'x' } },
  { row: 'keys in another spelling', before: { op: 'move_page', pageSlug: '/about' } },
  { row: 'an operation on a block that names a row', before: { op: 'remove_block', blockId: 'b', listKey: 'items', index: 1 }, after: { op: 'remove_item', blockId: 'b', listKey: 'items', index: 1 } },
  { row: 'an operation on a block that names a row', before: { op: 'add_block', blockId: 'b', listKey: 'items', item: {} }, after: { op: 'add_item', blockId: 'b', listKey: 'items', item: {} } },
  { row: 'an operation on a block that names a row', before: { op: 'remove_block', blockId: 'b_faq_1' }, message: 'remove the first question' },
  { row: 'an operation on a block that names a row', before: { op: 'add_block', block: { type: 'FAQAccordion', props: { items: [{ q: 'x', a: 'y' }] } } }, message: 'add another faq section' },
  { row: 'a position as text', before: { op: 'move_item', index: '2', afterIndex: '0.9' }, after: { op: 'move_item', index: 2, afterIndex: 0 } },
  { row: 'a position as text', before: { op: 'move_item', index: 'last' } },
  { row: 'a position as text', before: { op: 'move_item', index: 2 } },
  { row: 'the patch of an item under the name of the item', before: { op: 'update_item', item: { q: 'x' } }, after: { op: 'update_item', patch: { q: 'x' } } },
  { row: 'the patch of an item under the name of the item', before: { op: 'add_item', item: { q: 'x' } } },
  { row: 'new props beside their patch', before: { op: 'update_props', pageSlug: '/', blockId: 'b', heading: 'x', patch: { eyebrow: 'y' } }, after: { op: 'update_props', pageSlug: '/', blockId: 'b', patch: { heading: 'x', eyebrow: 'y' } } },
  { row: 'new props beside their patch', before: { op: 'update_page_meta', pageSlug: '/', title: 'x' }, after: { op: 'update_page_meta', pageSlug: '/', patch: { title: 'x' } } },
  { row: 'new props beside their patch', before: { op: 'update_site_config', logo: '/l.png' }, after: { op: 'update_site_config', patch: { logo: '/l.png' } } },
  { row: 'new props beside their patch', before: { op: 'update_props', pageSlug: '/', blockId: 'b', patch: { heading: 'x' } } },
  { row: 'new props beside their patch', before: { op: 'remove_block', pageSlug: '/', blockId: 'b', heading: 'x' } },
]))

const noBlock = 'a block that is not named, where only one can be meant'
const noPage = 'a page that is not named, or by its id, as home, or without its slash'
const renaming = 'an update without a block that gives a page a new address'
const removing = 'the removal of a block without a block, where a page is to go'
const before = 'a place before a block'
const toEnd = 'a move to the end'
const same = 'a new address that is the old one'

t.test('targets of operations', (t) => check(t, opTargetRows, applyRow(opTargetRows), [
  { row: 'the anchor of a page under the name of a block', before: { op: 'move_page', pageSlug: '/a', afterBlockId: '/b' }, after: { op: 'move_page', pageSlug: '/a', afterPageSlug: '/b' } },
  { row: 'the anchor of a page under the name of a block', before: { op: 'move_block', afterBlockId: 'b' } },
  { row: 'the page of a copy under the name of a new page', before: { op: 'duplicate_block', newPageSlug: '/about' }, after: { op: 'duplicate_block', toPageSlug: '/about' } },
  { row: 'the page of a copy under the name of a new page', before: { op: 'duplicate_page', newPageSlug: '/about' } },
  { row: renaming, before: { op: 'update_props', pageSlug: '/about', patch: { slug: '/team', title: 'Team' } }, after: { op: 'rename_page', pageSlug: '/about', newPageSlug: '/team', newTitle: 'Team' } },
  { row: renaming, before: { op: 'update_props', pageSlug: '/about', route: '/team' }, after: { op: 'rename_page', pageSlug: '/about', newPageSlug: '/team' } },
  { row: renaming, before: { op: 'update_props', pageSlug: '/about', blockId: 'b', patch: { slug: '/team' } } },
  { row: renaming, before: { op: 'update_props', pageSlug: '/about', patch: { slug: '/team', heading: 'x' } } },
  { row: removing, before: { op: 'remove_block', pageSlug: '/about' }, after: { op: 'remove_page', pageSlug: '/about' }, message: 'Please delete the about page' },
  { row: removing, before: { op: 'remove_block', pageSlug: '/about' }, message: 'Delete the hero on the about page' },
  { row: removing, before: { op: 'remove_block', pageSlug: '/about' }, message: 'Remove the second card from this page' },
  { row: removing, before: { op: 'remove_block', pageSlug: '/about' }, message: 'Put "delete the page" into the heading' },
  { row: removing, before: { op: 'remove_block', pageSlug: '/', blockId: 'b' }, message: 'Delete this page' },
  { row: noPage, before: { op: 'update_props', blockId: 'b' }, after: { op: 'update_props', blockId: 'b', pageSlug: '/' } },
  { row: noPage, before: { op: 'remove_page', pageSlug: 'p_about' }, after: { op: 'remove_page', pageSlug: '/about' } },
  { row: noPage, before: { op: 'duplicate_block', pageSlug: 'Home', toPageSlug: 'about' }, after: { op: 'duplicate_block', pageSlug: '/', toPageSlug: '/about' } },
  { row: noPage, before: { op: 'move_page', pageSlug: '/about' } },
  { row: noPage, before: { op: 'update_site_config', patch: {} } },
  { row: noBlock, before: { op: 'update_props', pageSlug: '/', patch: { subheading: 'x' } }, after: { op: 'update_props', pageSlug: '/', patch: { subheading: 'x' }, blockId: 'b_hero_1' } },
  { row: noBlock, before: { op: 'remove_block', pageSlug: '/', blockType: 'faq' }, after: { op: 'remove_block', pageSlug: '/', blockId: 'b_faq_1' } },
  { row: noBlock, before: { op: 'update_props', pageSlug: '/', patch: { ctaText: 'x' } } },
  { row: noBlock, before: { op: 'remove_block', pageSlug: '/' } },
  { row: noBlock, before: { op: 'update_props', pageSlug: '/', patch: {} } },
  { row: 'an update of no block', before: { op: 'update_props', pageSlug: '/', patch: { ctaText: 'x' } }, after: [] },
  { row: 'an update of no block', before: { op: 'remove_block', pageSlug: '/' } },
  { row: 'a list that is not named, where the block has only one', before: { op: 'add_item', pageSlug: '/', blockId: 'b_faq_1', item: {} }, after: { op: 'add_item', pageSlug: '/', blockId: 'b_faq_1', item: {}, listKey: 'items' } },
  { row: 'a list that is not named, where the block has only one', before: { op: 'add_item', pageSlug: '/', blockId: 'b_hero_1', item: {} } },
  { row: before, before: { op: 'move_block', pageSlug: '/', blockId: 'b_hero_1', beforeId: 'b_cta_1' }, after: { op: 'move_block', pageSlug: '/', blockId: 'b_hero_1', afterBlockId: 'b_faq_1' } },
  { row: before, before: { op: 'move_block', pageSlug: '/', blockId: 'b_cta_1', beforeId: 'b_hero_1' }, after: { op: 'move_block', pageSlug: '/', blockId: 'b_cta_1' } },
  { row: before, before: { op: 'add_block', pageSlug: '/', block: { id: 'b_new' }, beforeId: 'b_hero_1' }, after: [{ op: 'add_block', pageSlug: '/', block: { id: 'b_new' } }, { op: 'move_block', pageSlug: '/', blockId: 'b_new' }] },
  { row: before, before: { op: 'add_block', pageSlug: '/', block: { id: 'b_new' }, afterBlockId: 'b_hero_1' } },
  { row: toEnd, before: { op: 'move_block', pageSlug: '/', blockId: 'b_hero_1' }, after: { op: 'move_block', pageSlug: '/', blockId: 'b_hero_1', afterBlockId: 'b_cta_1' }, message: 'move the hero to the bottom' },
  { row: toEnd, before: { op: 'move_block', pageSlug: '/', blockId: 'b_hero_1' }, message: 'I recommend to move the hero up' },
  { row: toEnd, before: { op: 'add_block', pageSlug: '/', block: {} }, message: 'add a hero at the end' },
  { row: same, before: { op: 'rename_page', pageSlug: '/about', newPageSlug: 'about/' }, after: [] },
  { row: same, before: { op: 'rename_page', pageSlug: '/about', newPageSlug: '/about', newTitle: 'Us' } },
  { row: same, before: { op: 'rename_page', pageSlug: '/about', newPageSlug: '/team' } },
]))

const beside = 'a page beside its envelope'
const there = 'a page that is there already, with blocks for it'
const toCreate = 'a block for a page that is to be created'
const slashless = 'the slug of a new page without its slash'

t.test('pages that are created', (t) => check(t, pageRows, applyRow(pageRows), [
  { row: beside, before: { op: 'create_page', slug: '/x', title: 'X', blocks: [] }, after: { op: 'create_page', page: { slug: '/x', title: 'X', blocks: [] } } },
  { row: beside, before: { op: 'create_page', page: '/x' }, after: { op: 'create_page', page: { slug: '/x' } } },
  { row: beside, before: { op: 'create_page', page: { slug: '/x' } } },
  { row: there, before: { op: 'create_page', page: { blocks: [{ type: 'CTA' }, { type: 'Hero' }] } }, after: [{ op: 'add_block', pageSlug: '/', block: { type: 'CTA' } }, { op: 'add_block', pageSlug: '/', block: { type: 'Hero' } }] },
  { row: there, before: { op: 'create_page', page: { slug: '/x', blocks: [{ type: 'CTA' }] } } },
  { row: there, before: { op: 'create_page', page: { slug: '/about', blocks: [{ type: 'CTA' }] } } },
  { row: toCreate, before: { op: 'add_block', pageSlug: '/prices', block: { type: 'CTA' } }, after: { op: 'create_page', page: { slug: '/prices', blocks: [{ type: 'CTA' }] } }, message: 'Add a new page about prices' },
  { row: toCreate, before: { op: 'add_block', pageSlug: '/prices', block: { type: 'CTA' } }, message: 'Add a button to the prices page' },
  { row: toCreate, before: { op: 'add_block', pageSlug: '/about', block: { type: 'CTA' } }, message: 'Create a page' },
  { row: toCreate, before: { op: 'add_block', pageSlug: '/new', block: { type: 'CTA' } }, message: 'Create a page' },
  { row: slashless, before: { op: 'create_page', page: { slug: 'x', title: 'X' } }, after: { op: 'create_page', page: { title: 'X', slug: '/x' } } },
  { row: slashless, before: { op: 'create_page', page: { path: '/x' } }, after: { op: 'create_page', page: { slug: '/x' } } },
  { row: slashless, before: { op: 'create_page', page: { slug: 'not an address' } } },
]))

const update = (items: unknown, more: Loose = {}): Loose => ({ op: 'update_props', pageSlug: '/', blockId: 'b_faq_1', patch: { items, ...more } })
const row = (q: string) => ({ q, a: 'Maybe' })
const stored = [{ q: 'One?', a: 'Yes' }, { q: 'Two?', a: 'No' }]
const grown = 'a list that got longer'
const added = { op: 'add_item', pageSlug: '/', blockId: 'b_faq_1', listKey: 'items' }

t.test('lists that come whole', (t) => check(t, listRows, applyRow(listRows), [
  { row: grown, before: update([...stored, row('Three?')]), after: [{ ...added, item: row('Three?') }] },
  { row: grown, before: update([row('New?'), stored[1], row('Three?')], { title: 'x' }), after: [update([row('New?'), stored[1]], { title: 'x' }), { ...added, item: row('Three?') }] },
  { row: grown, before: update(stored) },
  { row: grown, before: update([row('One only?')]) },
  { row: grown, before: update([...stored, 'no row']) },
  { row: grown, before: { op: 'update_props', pageSlug: '/', blockId: 'b_hero_1', patch: { heading: 'x' } } },
]))

const manifestPlace = placeFor('', { manifest: siteManifest })
const missing = 'props that are missing, all or the required ones'

t.test('blocks that are new', (t) => check(t, newBlockRows, applyRow(newBlockRows), [
  { row: 'the type under another name', before: { blockType: 'Hero' }, after: { type: 'Hero' } },
  { row: 'the type under another name', before: { type: 'Hero', blockType: 'CTA' } },
  { row: 'the type in a loose spelling', before: { type: 'faq section' }, after: { type: 'FAQAccordion' } },
  { row: 'the type in a loose spelling', before: { type: 'Nonsense' } },
  { row: 'props beside their envelope', before: { type: 'CTA', title: 'x', heading: 'y' }, after: { type: 'CTA', props: { title: 'x', heading: 'y' } } },
  { row: 'props beside their envelope', before: { type: 'CTA', props: {}, title: 'x' } },
  { row: 'an id that is missing or used', before: { type: 'CTA' }, after: { type: 'CTA', id: `b_cta_${now.getTime()}` } },
  { row: 'an id that is missing or used', before: { type: 'CTA', id: 'b_hero_1' }, after: { type: 'CTA', id: 'b_hero_1_1' } },
  { row: 'an id that is missing or used', before: { type: 'CTA', id: 'b_given' }, after: { type: 'CTA', id: 'b_given_1' } },
  { row: 'an id that is missing or used', before: { type: 'CTA', id: 'b_free' } },
  { row: missing, before: { type: 'CTA', id: 'x' }, after: { type: 'CTA', id: 'x', props: builtinRegistry.get('CTA')?.starter() } },
  { row: missing, before: { type: 'Hero', props: { ...hero, imageUrl: undefined } }, after: { type: 'Hero', props: { ...hero, imageUrl: '/hero-generated.svg' } } },
  { row: missing, before: { type: 'Hero', props: hero } },
  { row: missing, before: { type: 'Nonsense' } },
  { row: 'references in a new block', before: { type: 'TeamWall', props: { title: 'T', office: 'entry-7' } }, after: { type: 'TeamWall', props: { title: 'T', office: null } }, place: manifestPlace },
  { row: 'references in a new block', before: { type: 'TeamWall', props: { title: 'T' } }, place: manifestPlace },
]))

interface PropsCase extends Case {
  readonly type: string
}
const propsCases: readonly PropsCase[] = [
  { row: 'lists under another name', type: 'Carousel', before: { slides: [] }, after: { items: [] } },
  { row: 'lists under another name', type: 'Gallery', before: { photos: [] }, after: { images: [] } },
  { row: 'lists under another name', type: 'Gallery', before: { pictures: [] }, after: { images: [] } },
  { row: 'lists under another name', type: 'Table', before: { columns: ['a'], data: [['b']] }, after: { headers: ['a'], rows: [['b']] } },
  { row: 'lists under another name', type: 'CardGrid', before: { columns: '3' } },
  { row: 'a heading where the type has a title', type: 'CTA', before: { heading: 'x' }, after: { title: 'x' } },
  { row: 'a heading where the type has a title', type: 'Hero', before: { heading: 'x' } },
  { row: 'true, false and numbers where texts are to choose from', type: 'Carousel', before: { autoplay: true, interval: 5000 }, after: { autoplay: 'true', interval: 5000 } },
  { row: 'true, false and numbers where texts are to choose from', type: 'CardGrid', before: { columns: 3 }, after: { columns: '3' } },
  { row: 'true, false and numbers where texts are to choose from', type: 'CardGrid', before: { columns: 7 } },
  { row: 'internal props', type: 'TeamWall', before: { title: 'x', _rev: '1' }, after: { title: 'x' }, place: manifestPlace },
  { row: 'internal props', type: 'TeamWall', before: { title: 'x' }, place: manifestPlace },
]

t.test('props', (t) => check(t, propsRows, (name, props, place) => {
  const found = propsCases.find(({ row, before }) => row === name && before === props)
  return propsRows.find((row) => row.name === name)?.apply(props, found?.type ?? '', place)
}, propsCases))

const faqFields: Fields = { q: { kind: 'text' }, a: { kind: 'text' } }
const cardFields: Fields = { title: { kind: 'text' }, description: { kind: 'text' }, ctaText: { kind: 'text' } }
const quoteFields: Fields = { quote: { kind: 'text' }, author: { kind: 'text' }, name: { kind: 'text' } }
const itemCases: readonly (Case & { readonly fields: Fields })[] = [
  { row: 'questions, answers and testimonials in full words', fields: faqFields, before: { question: 'x', answer: 'y' }, after: { q: 'x', a: 'y' } },
  { row: 'questions, answers and testimonials in full words', fields: quoteFields, before: { review: 'x' }, after: { quote: 'x' } },
  { row: 'questions, answers and testimonials in full words', fields: cardFields, before: { question: 'x' } },
  { row: 'keys in another case', fields: cardFields, before: { cta_text: 'x', Title: 'y' }, after: { ctaText: 'x', title: 'y' } },
  { row: 'keys in another case', fields: cardFields, before: { ctaText: 'x' } },
  { row: 'a text under a name that the row does not have', fields: cardFields, before: { headline: 'x' }, after: { title: 'x' } },
  { row: 'a text under a name that the row does not have', fields: faqFields, before: { label: 'x' }, after: { q: 'x' } },
  { row: 'a text under a name that the row does not have', fields: quoteFields, before: { name: 'x' } },
]

t.test('rows of lists', (t) => check(t, itemRows, (name, value) => {
  const found = itemCases.find(({ row, before }) => row === name && before === value)
  return itemRows.find((row) => row.name === name)?.apply(value, found?.fields ?? {})
}, itemCases))

t.test('plans', (t) => check(t, planRows, (name, plan) => planRows.find((row) => row.name === name)?.apply(plan), [
  { row: 'operations under another name, or one without a list', before: { operations: [1] }, after: { ops: [1] } },
  { row: 'operations under another name, or one without a list', before: { ops: { op: 'x' } }, after: { ops: [{ op: 'x' }] } },
  { row: 'operations under another name, or one without a list', before: { summary: 's', op: 'add', block: {} }, after: { ops: [{ op: 'add', block: {} }], summary: 's' } },
  { row: 'operations under another name, or one without a list', before: { ops: [], operations: [1] } },
  { row: 'operations under another name, or one without a list', before: { intent: 'content_answer' } },
  { row: 'a summary under its short name', before: { summary: 's' }, after: { summary_for_user: 's' } },
  { row: 'a summary under its short name', before: { summary: 's', summary_for_user: 't' } },
  { row: 'change log and suggestions as one text', before: { change_log: '- One\n2. Two\n\n* Three - four' }, after: { change_log: ['One', 'Two', 'Three - four'] } },
  { row: 'change log and suggestions as one text', before: { change_log: ['- One'] } },
  { row: 'suggestions that nobody could send, or twice', before: { suggested_next_actions: ['Shorten it', ' ', 7, 'Shorten it', 'Add a contact form', 'Go to the about page', 'Add analytics'] }, after: { suggested_next_actions: ['Shorten it'] } },
  { row: 'suggestions that nobody could send, or twice', before: { suggested_next_actions: ['Make the hero inform people', 'Open the page with a question about boats', 'Update the navigation'].slice(0, 1) } },
  { row: 'suggestions that nobody could send, or twice', before: { suggested_next_actions: 'Shorten it' } },
  { row: 'more suggestions than are shown', before: { suggested_next_actions: ['1', '2', '3', '4', '5', '6'] }, after: { suggested_next_actions: ['1', '2', '3', '4', '5'] } },
  { row: 'more suggestions than are shown', before: { suggested_next_actions: ['1'] } },
  { row: 'no intent', before: { ops: [1] }, after: { ops: [1], intent: 'edit_plan' } },
  { row: 'no intent', before: { ops: [] }, after: { ops: [], intent: 'needs_clarification' } },
  { row: 'no intent', before: { ops: [], intent: 'content_answer' } },
  { row: 'no change log', before: { ops: [{ op: 'add' }, { x: 1 }] }, after: { ops: [{ op: 'add' }, { x: 1 }], change_log: [] } },
  { row: 'no change log', before: { ops: [1], change_log: [] } },
]))

t.test('names of operations', (t) => {
  const names: Readonly<Record<string, string | undefined>> = {
    create: 'create_page', add: 'add_block', insert: 'add_block', append: 'add_block', update: 'update_props', edit: 'update_props',
    delete: 'remove_block', reorder: 'move_block', copy: 'duplicate_block', clone: 'duplicate_block', rename: 'rename_page',
    addBlock: 'add_block', 'delete item': 'remove_item', 'edit-item': 'update_item', clone_page: 'duplicate_page', UpdateSiteConfig: 'update_site_config',
    fetch: undefined, constructor: undefined, '': undefined,
  }
  for (const [name, wanted] of Object.entries(names)) t.equal(operationName(name), wanted, name)
  t.equal(operationName(7), undefined)
  t.end()
})

t.test('names of block types', (t) => {
  const names: Readonly<Record<string, string>> = {
    hero: 'Hero', HERO: 'Hero', 'features': 'FeatureGrid', testimonal: 'Testimonials', 'social proof': 'Testimonials', quotes: 'Testimonials',
    quote: 'Quote', blockquote: 'Quote', 'a quote block': 'Testimonials', faq: 'FAQAccordion', 'two column': 'TwoColumn', statistics: 'Stats', 'call to action': 'CTA', pricing: 'CardGrid',
    cards: 'Card', 'text block': 'RichText', benefits: 'FeatureGrid', slideshow: 'Carousel', 'image grid': 'Gallery', tabbed: 'Tabs', 'data table': 'Table',
    'youtube video': 'Video', 'google map': 'Embed', announcement: 'Banner', unheardof: 'unheardof',
  }
  for (const [name, wanted] of Object.entries(names)) t.equal(typeName(name, { registry: builtinRegistry }), wanted, name)
  t.equal(typeName('teamwall', { registry: builtinRegistry, manifest: siteManifest }), 'TeamWall', 'types of the site come first')
  t.end()
})

t.test('JSON as models write it', (t) => {
  const cases: readonly (readonly [text: string, value: unknown, repairs: readonly string[]])[] = [
    ['{"a":1}', { a: 1 }, []],
    ['Here: {"a":1} Done.', { a: 1 }, ['text around it']],
    ['```json\n{"a":"x"}\n```', { a: 'x' }, ['text around it']],
    ['{"a":"one\ntwo"}', { a: 'one\ntwo' }, ['control characters']],
    ['{"a":[- "x", - "y"]}', { a: ['x', 'y'] }, ['bullets']],
    ['{"a":[1,2,],"b":{"c":1,},}', { a: [1, 2], b: { c: 1 } }, ['trailing commas']],
    ['{"a":-,"b":[-]}', { a: 0, b: [0] }, ['bare dashes']],
    ['{"a":[{"b":1}', { a: [{ b: 1 }] }, ['open end']],
    ['{"a":"- x, ]","b":-1}', { a: '- x, ]', b: -1 }, []],
  ]
  for (const [text, value, repairs] of cases) {
    const read = readJson(text)
    t.strictSame(read?.value, value, text)
    t.strictSame(read?.repairs, repairs, text)
  }
  t.match(readJson('{"ops":[{"op":"a","x":1},{"op":"b","y":"half a te'), { value: { ops: [{ op: 'a', x: 1 }, { op: 'b' }] }, cut: 'inside' })
  t.match(readJson('{"ops":[{"op":"a","x":1},{"op":"b"},{"o'), { value: { ops: [{ op: 'a', x: 1 }, { op: 'b' }] }, cut: 'after' })
  for (const text of ['', 'no', 'null?', '"', '{"a', '{"a":"b']) t.equal(readJson(text), undefined, JSON.stringify(text))
  const deep = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
  t.ok(readJson(deep(60)))
  for (const depth of [70, 200_000]) t.equal(readJson(deep(depth)), undefined, 'deeper than anybody walks')
  t.equal(readJson(`{"a":${'['.repeat(400_000)}`), undefined)
  t.end()
})

t.test('a text is never finished by guessing: half of it would be content', (t) => {
  const place = placeFor()
  const text = '{"intent":"edit_plan","summary_for_user":"s","change_log":["One","Two"],"ops":[{"op":"update_props","pageSlug":"/","blockId":"b_hero_1","patch":{"heading":"x"}},{"op":"update_props","pageSlug":"/","blockId":"b_cta_1","patch":{"title":"Half of wh'
  const reading = readPlan(text, place)
  t.match(reading, { kind: 'plan', plan: { dropped: 1, ops: [{ blockId: 'b_hero_1', patch: { heading: 'x' } }] } })
  t.equal(reading.kind === 'plan' && reading.plan.ops.length, 1)
  t.end()
})

t.test('a page is created before it is used, and nothing else changes its place', (t) => {
  const create = { op: 'create_page', page: { slug: '/x' } }
  const use = { op: 'add_block', pageSlug: '/x' }
  const other = { op: 'remove_block', pageSlug: '/' }
  t.strictSame(pagesFirst([other, use, create], (op) => op), [other, create, use])
  t.strictSame(pagesFirst([create, other, use], (op) => op), [create, other, use])
  t.strictSame(pagesFirst([other, create], (op) => op), [other, create])
  t.end()
})

t.test('what a plan means is never changed by a word of the message', (t) => {
  const handout = () => ({ given: new Set<string>(), created: new Set<string>() })
  const kept: readonly (readonly [message: string, op: Loose])[] = [
    ['remove the first question', { op: 'remove_block', pageSlug: '/', blockId: 'b_faq_1' }],
    ['delete the last card', { op: 'remove_block', pageSlug: '/', blockId: 'b_cta_1' }],
    ['I recommend a calendar at the end', { op: 'duplicate_block', pageSlug: '/', blockId: 'b_faq_1' }],
    ['move it to the end', { op: 'move_page', pageSlug: '/about' }],
  ]
  for (const [message, op] of kept) t.strictSame(normaliseOperation(op, placeFor(message), handout()), [op], message)
  const faq = { op: 'add_block', pageSlug: '/', block: { id: 'b_new', type: 'FAQAccordion', props: { title: 'More', items: [{ q: 'x', a: 'y' }] } } }
  t.strictSame(normaliseOperation(faq, placeFor('add another faq'), handout()), [faq], 'a section stays a section')
  const moved = { op: 'move_page', pageSlug: '/about' }
  t.strictSame(normaliseOperation(moved, placeFor('move the about page'), handout()), [moved], 'no anchor is invented')
  t.end()
})

t.test('several rows work together', (t) => {
  const place = placeFor('Add a page about prices')
  const text = JSON.stringify({
    summary: 'I will add a page.',
    change_log: 'Add a page\nAdd a section',
    operations: [
      { action: 'insertBlock', page: 'prices', block: { block_type: 'call to action', heading: 'Now' } },
      { create_page: { slug: 'team', blocks: [{ type: 'faq', props: { items: [{ question: 'a', answer: 'b' }] } }] } },
    ],
  })
  const reading = readPlan(text, place)
  t.match(reading, {
    kind: 'plan',
    plan: {
      intent: 'edit_plan',
      changeLog: ['Add a page', 'Add a section'],
      ops: [
        { op: 'create_page', page: { slug: '/prices', blocks: [{ type: 'CTA', props: { title: 'Now', ctaText: String } }] } },
        { op: 'create_page', page: { slug: '/team', blocks: [{ type: 'FAQAccordion', props: { items: [{ q: 'a', a: 'b' }] } }] } },
      ],
    },
  })
  t.end()
})

t.test('a line that is missing is left to whoever tells the plan, and one too many goes', (t) => {
  const ops = ['b_hero_1', 'b_cta_1'].map((blockId) => ({ op: 'update_props', pageSlug: '/', blockId, patch: { ctaText: 'Go on' } }))
  const cases: readonly (readonly [lines: unknown, wanted: readonly string[]])[] = [
    [['One', 'Two'], ['One', 'Two']], [['One'], ['One', '']], [['One', 'Two', 'Three'], ['One', 'Two']], [[], ['', '']], [undefined, ['', '']], ['One\nTwo', ['One', 'Two']], [['One', 7, 'Two'], ['One', 'Two']],
  ]
  for (const [change_log, changeLog] of cases) {
    t.match(readPlan(JSON.stringify({ intent: 'edit_plan', summary_for_user: 's', change_log, ops }), placeFor()), { kind: 'plan', plan: { changeLog } }, JSON.stringify(change_log))
  }
  t.end()
})

t.test('rows of a branch are read by its own fields', (t) => {
  const list = siteManifest.get('TeamWall')?.fields['rows']
  if (!list) throw new Error('the type has rows')
  t.strictSame(normalisedItem({ kind: 'note', TEXT: 'x' }, list), { kind: 'note', text: 'x' })
  t.strictSame(normalisedItem({ kind: 'person', TEXT: 'x' }, list), { kind: 'person', TEXT: 'x' })
  t.end()
})

/** What a batch of a plan makes of a draft, row ids aside; `undefined` when it is refused or changes nothing. */
function madeOf(draft: Draft, ops: readonly Operation[]): unknown {
  const tried = applyBatch(draft, ops, { source: 'planner', registry: builtinRegistry, manifest: siteManifest, now })
  return tried.ok ? withoutGeneratedItemIds(contentOf(changed(draft, tried.change))) : undefined
}

t.test('an operation that is right means the same when it was read', (t) => {
  let compared = 0
  const onDraft = drafts.chain((draft) => fc.tuple(fc.constant(draft), operationFor(draft)))
  fc.assert(fc.property(onDraft, ([draft, raw]) => {
    const direct = parseOperations([raw])
    const wanted = direct.ok ? madeOf(draft, direct.ops) : undefined
    if (wanted === undefined || isOpen(raw, draft)) return
    const input = { draft: { version: 1, pages: pagesOf(draft), config: draft.config }, selection: { slug: '/' }, registry: builtinRegistry, manifest: siteManifest }
    const read = parseOperations(normaliseOperation(raw, { input, words: wordsOf('do it'), now }, { given: new Set(), created: new Set() }))
    t.strictSame(read.ok && madeOf(draft, read.ops), wanted, JSON.stringify(raw))
    compared += 1
  }), { numRuns: 600 })
  t.ok(compared > 200, `${compared} operations`)
  t.end()
})

/** Operations that leave something open for the rows to decide: an id that is taken, no props at all, an internal prop. */
function isOpen(raw: Loose, draft: Draft): boolean {
  const { block, page, patch } = raw
  if (Object.hasOwn(Object(patch), '_rev')) return true
  const made = [block, ...(typeof page === 'object' && page !== null && 'blocks' in page && Array.isArray(page.blocks) ? page.blocks : [])]
  return made.some((each) => {
    if (typeof each !== 'object' || each === null) return false
    return draft.hasBlockId(String(each.id)) || Object.keys(Object(each.props)).length === 0 || made.filter((other) => other?.id === each.id).length > 1
  })
}

t.test('whatever a model writes, what comes out is one of the sixteen operations, or a reason', (t) => {
  const key = fc.constantFrom('op', 'operation', 'action', 'kind', 'pageSlug', 'slug', 'page', 'path', 'blockId', 'id', 'listKey', 'itemPath', 'index', 'afterIndex', 'item', 'value', 'patch', 'props', 'block', 'blocks', 'type', 'heading', 'items', 'newPageSlug', 'to', 'beforeId', 'constructor', 'toString')
  const word = fc.constantFrom('add', 'update', 'delete', 'create', 'update_props', 'add_item', 'create_page', 'rename', '/', '/about', 'home', 'b_hero_1', 'b_faq_1', 'items', 'items[1].q', 'FAQAccordion', 'faq', '')
  const anything = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, word, fc.string(), fc.integer(), fc.constant(null), fc.boolean(), fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(key, tie('value'), { maxKeys: 6, noNullPrototype: true }),
  })).object
  const understood = fc.record({ op: fc.constantFrom('update_props', 'update'), pageSlug: fc.constantFrom('/', 'home'), blockId: fc.constant('b_hero_1'), patch: fc.record({ heading: fc.string() }) })
  const operation = fc.oneof(anything, fc.tuple(anything, understood).map(([noise, op]) => ({ ...noise, ...op })))
  const plan = fc.record({ intent: fc.constant('edit_plan'), summary_for_user: fc.constant('s'), change_log: fc.constant(['x']), ops: fc.array(operation, { minLength: 1, maxLength: 4 }) })
  let plans = 0
  fc.assert(fc.property(plan, (raw) => {
    const reading = readPlan(JSON.stringify(raw), placeFor('make it better at the end'))
    if (reading.kind === 'unusable') return t.match(reading.problem, /./)
    if (reading.kind === 'mistaken') return t.match(reading.issues, [{ path: /^ops/, message: /./ }])
    plans += 1
    for (const op of reading.plan.ops) t.ok(operations.has(op.op))
    t.equal(reading.plan.changeLog.length, reading.plan.ops.length)
  }), { numRuns: 2000 })
  t.ok(plans > 100, `${plans} plans`)
  t.end()
})
