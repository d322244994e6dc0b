import fc from '../../helpers/property.ts'
import t from 'tap'
import { readJson } from '../../../plugins/chat-model/answer/json.ts'
import { normalised, placeFor as placeIn, readPlan, rows } from '../../../plugins/chat-model/answer/plan.ts'
import { type Loose, operationName, type Place, typeName } from '../../../plugins/chat-model/answer/row.ts'
import { wordsOf } from '../../../plugins/chat-model/words.ts'
import { applyBatch } from '../../../plugins/content/batch.ts'
import { withoutGeneratedItemIds } from '../../../plugins/content/items.ts'
import type { Block, Draft, Manifest } from '../../../plugins/content/model.ts'
import { operations, type Operation } from '../../../plugins/content/operations/index.ts'
import { parseOperations } from '../../../plugins/content/operations/parse.ts'
import { builtinRegistry } from '../../../plugins/content/registry.ts'
import {
  changed,
  contentOf,
  drafts,
  operationFor,
  pageOf,
  pagesOf,
  siteManifest,
} from '../../helpers/content.ts'

const now = new Date('2026-01-01T12:00:00.000Z')
const hero = { heading: 'H', subheading: 'S', ctaText: 'Go', ctaHref: '/', imageUrl: '/a.png', imageAlt: 'A' }
const blocks: readonly Block[] = [
  { id: 'b_hero_1', type: 'Hero', props: hero },
  {
    id: 'b_faq_1',
    type: 'FAQAccordion',
    props: {
      title: 'Questions',
      items: [
        { q: 'One?', a: 'Yes' },
        { q: 'Two?', a: 'No' },
      ],
    },
  },
  { id: 'b_cta_1', type: 'CTA', props: { title: 'T', description: 'D', ctaText: 'Go', ctaHref: '/' } },
]
const pages = [
  pageOf('/', blocks),
  pageOf('/about', [
    { id: 'b_cta_2', type: 'CTA', props: { title: 'T', description: 'D', ctaText: 'Go', ctaHref: '/' } },
  ]),
]

/** The place of operations, for a message about a page of a small site. */
function placeFor(
  message = '',
  { slug = '/', manifest }: { readonly slug?: string; readonly manifest?: Manifest } = {},
): Place {
  const input = {
    draft: { version: 1, pages, config: {} },
    selection: { slug },
    registry: builtinRegistry,
    manifest,
  }
  const place = placeIn({ input, words: wordsOf(message), now })
  place.freeId('b_given')
  place.created.add('/new')
  return place
}

/** The result of a row for an operation. */
interface Case {
  readonly row: string
  readonly before: Loose
  /** Absent where the operation stays unchanged. */
  readonly after?: Loose | readonly Loose[]
  readonly message?: string
  readonly place?: Place
}

const noBlock = 'a block that is not named, where only one can be meant'
const noPage = 'a page that is not named, or by its id, as home, or without its slash'
const renaming = 'an update without a block that gives a page a new address'
const removing = 'the removal of a block without a block, where a page is to go'
const before = 'a place before a block'
const toEnd = 'a move to the end'
const same = 'a new address that is the old one'

const looseEnvelope = 'a page outside of its envelope'
const existingPage = 'a page that exists, with blocks for it'
const pageToCreate = 'a block for a page that is to be created'
const slashless = 'the slug of a new page without its slash, or under another name'

const update = (items: unknown, more: Loose = {}): Loose => ({
  op: 'update_props',
  pageSlug: '/',
  blockId: 'b_faq_1',
  patch: { items, ...more },
})
const row = (q: string) => ({ q, a: 'Maybe' })
const stored = [
  { q: 'One?', a: 'Yes' },
  { q: 'Two?', a: 'No' },
]
const longerList = 'a list that got longer'
const added = { op: 'add_item', pageSlug: '/', blockId: 'b_faq_1', listKey: 'items' }

/** A new block, as an operation adds it. */
const adding = (block: Loose): Loose => ({ op: 'add_block', pageSlug: '/', block })
const withProps = (type: string, props: Loose): Loose => adding({ type, props })
const card = (row: Loose): Loose => withProps('CardGrid', { cards: [row] })
const faq = (row: Loose): Loose => ({
  op: 'add_item',
  pageSlug: '/',
  blockId: 'b_faq_1',
  listKey: 'items',
  item: row,
})
const manifestPlace = placeFor('', { manifest: siteManifest })
const missing = 'props of a new block that are missing, all or the required ones'
const typed = 'the type of a new block under another name, or in a loose spelling'
const looseProps = 'props of a new block outside of their envelope'
const noId = 'the id of a new block that is missing or used'
const choices = 'true, false and numbers where a text is to be chosen'
const looseBlock = 'a block outside of its envelope'

const cases: readonly Case[] = [
  {
    row: 'soft hyphens as entities',
    before: {
      op: 'update_props',
      patch: { title: 'Boots&shy;verleih', rows: [{ n: 1, q: 'Ka&#173;jak &#xAD;&SHY;' }] },
    },
    after: {
      op: 'update_props',
      patch: { title: 'Boots\u00adverleih', rows: [{ n: 1, q: 'Ka\u00adjak \u00ad\u00ad' }] },
    },
  },
  {
    row: 'soft hyphens as entities',
    before: { op: 'update_props', patch: { title: 'Boots\u00adverleih &amp; mehr' } },
  },
  {
    row: 'the name of an operation in another spelling, under another key, or as the only key',
    before: { op: 'updateProps', x: 1 },
    after: { op: 'update_props', x: 1 },
  },
  {
    row: 'the name of an operation in another spelling, under another key, or as the only key',
    before: { op: 'delete-block' },
    after: { op: 'remove_block' },
  },
  {
    row: 'the name of an operation in another spelling, under another key, or as the only key',
    before: { action: 'clone', blockId: 'b' },
    after: { op: 'duplicate_block', blockId: 'b' },
  },
  {
    row: 'the name of an operation in another spelling, under another key, or as the only key',
    before: { add_block: { pageSlug: '/' } },
    after: { op: 'add_block', pageSlug: '/' },
  },
  {
    row: 'the name of an operation in another spelling, under another key, or as the only key',
    before: { op: 'fetch_url', action: 'add' },
  },
  {
    row: 'the name of an operation in another spelling, under another key, or as the only key',
    before: { op: 'update_props', kind: 'update' },
  },
  {
    row: 'null in place of a field that is left out',
    before: { op: 'add_item', afterIndex: null },
    after: { op: 'add_item' },
  },
  {
    row: 'null in place of a field that is left out',
    before: { op: 'update_props', patch: { eyebrow: null } },
  },
  {
    row: 'the path of a row',
    before: { op: 'update_item', itemPath: 'items[2].q', value: 'x' },
    after: { op: 'update_item', listKey: 'items', index: 2, patch: { q: 'x' } },
  },
  {
    row: 'the path of a row',
    before: { op: 'remove_item', path: 'items[0]' },
    after: { op: 'remove_item', listKey: 'items', index: 0 },
  },
  { row: 'the path of a row', before: { op: 'rename_page', path: '/about' } },
  {
    row: 'keys in another spelling',
    before: {
      op: 'move_item',
      page_slug: '/',
      block_id: 'b',
      array_key: 'items',
      from_index: 0,
      to_index: 1,
    },
    after: { op: 'move_item', pageSlug: '/', blockId: 'b', listKey: 'items', index: 0, afterIndex: 1 },
  },
  {
    row: 'keys in another spelling',
    before: { op: 'update_props', target_block_id: 'b', changes: { heading: 'x' } },
    after: { op: 'update_props', blockId: 'b', patch: { heading: 'x' } },
  },
  {
    row: 'keys in another spelling',
    before: { op: 'rename_page', from: '/a', to: '/b' },
    after: { op: 'rename_page', pageSlug: '/a', newPageSlug: '/b' },
  },
  {
    row: 'keys in another spelling',
    before: { op: 'add_item', value: { q: 'x' }, after_index: 1 },
    after: { op: 'add_item', item: { q: 'x' }, afterIndex: 1 },
  },
  {
    row: 'keys in another spelling',
    before: { op: 'update_props', pageSlug: '/', blockId: 'b', title: 'x' },
  },
  { row: 'keys in another spelling', before: { op: 'move_page', pageSlug: '/about' } },
  {
    row: 'an operation on a block that names a row',
    before: { op: 'remove_block', blockId: 'b', listKey: 'items', index: 1 },
    after: { op: 'remove_item', blockId: 'b', listKey: 'items', index: 1 },
  },
  {
    row: 'an operation on a block that names a row',
    before: { op: 'add_block', blockId: 'b', listKey: 'items', item: {} },
    after: { op: 'add_item', blockId: 'b', listKey: 'items', item: {} },
  },
  {
    row: 'an operation on a block that names a row',
    before: { op: 'remove_block', blockId: 'b_faq_1' },
    message: 'remove the first question',
  },
  {
    row: 'an operation on a block that names a row',
    before: { op: 'add_block', block: { type: 'FAQAccordion', props: { items: [{ q: 'x', a: 'y' }] } } },
    message: 'add another faq section',
  },
  {
    row: 'a position as text',
    before: { op: 'move_item', index: '2', afterIndex: '0.9' },
    after: { op: 'move_item', index: 2, afterIndex: 0 },
  },
  { row: 'a position as text', before: { op: 'move_item', index: 'last' } },
  { row: 'a position as text', before: { op: 'move_item', index: 2 } },
  {
    row: 'new values outside of their patch',
    before: { op: 'update_props', pageSlug: '/', blockId: 'b', heading: 'x', patch: { eyebrow: 'y' } },
    after: { op: 'update_props', pageSlug: '/', blockId: 'b', patch: { heading: 'x', eyebrow: 'y' } },
  },
  {
    row: 'new values outside of their patch',
    before: { op: 'update_page_meta', pageSlug: '/', title: 'x' },
    after: { op: 'update_page_meta', pageSlug: '/', patch: { title: 'x' } },
  },
  {
    row: 'new values outside of their patch',
    before: { op: 'update_site_config', logo: '/l.png' },
    after: { op: 'update_site_config', patch: { logo: '/l.png' } },
  },
  {
    row: 'new values outside of their patch',
    before: { op: 'update_props', pageSlug: '/', blockId: 'b', patch: { heading: 'x' } },
  },
  {
    row: 'new values outside of their patch',
    before: { op: 'remove_block', pageSlug: '/', blockId: 'b', heading: 'x' },
  },
  {
    row: 'keys in another spelling',
    before: { op: 'move_page', pageSlug: '/a', afterBlockId: '/b' },
    after: { op: 'move_page', pageSlug: '/a', afterPageSlug: '/b' },
  },
  { row: 'keys in another spelling', before: { op: 'move_block', afterBlockId: 'b' } },
  {
    row: 'keys in another spelling',
    before: { op: 'duplicate_block', newPageSlug: '/about' },
    after: { op: 'duplicate_block', toPageSlug: '/about' },
  },
  { row: 'keys in another spelling', before: { op: 'duplicate_page', newPageSlug: '/about' } },
  {
    row: renaming,
    before: { op: 'update_props', pageSlug: '/about', patch: { slug: '/team', title: 'Team' } },
    after: { op: 'rename_page', pageSlug: '/about', newPageSlug: '/team', newTitle: 'Team' },
  },
  {
    row: renaming,
    before: { op: 'update_props', pageSlug: '/about', route: '/team' },
    after: { op: 'rename_page', pageSlug: '/about', newPageSlug: '/team' },
  },
  {
    row: renaming,
    before: { op: 'update_props', pageSlug: '/about', blockId: 'b', patch: { slug: '/team' } },
  },
  {
    row: renaming,
    before: { op: 'update_props', pageSlug: '/about', patch: { slug: '/team', heading: 'x' } },
  },
  {
    row: removing,
    before: { op: 'remove_block', pageSlug: '/about' },
    after: { op: 'remove_page', pageSlug: '/about' },
    message: 'Please delete the about page',
  },
  {
    row: removing,
    before: { op: 'remove_block', pageSlug: '/about' },
    message: 'Delete the hero on the about page',
  },
  {
    row: removing,
    before: { op: 'remove_block', pageSlug: '/about' },
    message: 'Remove the second card from this page',
  },
  {
    row: removing,
    before: { op: 'remove_block', pageSlug: '/about' },
    message: 'Put "delete the page" into the heading',
  },
  { row: removing, before: { op: 'remove_block', pageSlug: '/', blockId: 'b' }, message: 'Delete this page' },
  {
    row: noPage,
    before: { op: 'update_props', blockId: 'b' },
    after: { op: 'update_props', blockId: 'b', pageSlug: '/' },
  },
  {
    row: noPage,
    before: { op: 'remove_page', pageSlug: 'p_about' },
    after: { op: 'remove_page', pageSlug: '/about' },
  },
  {
    row: noPage,
    before: { op: 'duplicate_block', pageSlug: 'Home', toPageSlug: 'about' },
    after: { op: 'duplicate_block', pageSlug: '/', toPageSlug: '/about' },
  },
  { row: noPage, before: { op: 'move_page', pageSlug: '/about' } },
  { row: noPage, before: { op: 'update_site_config', patch: {} } },
  {
    row: noBlock,
    before: { op: 'update_props', pageSlug: '/', patch: { subheading: 'x' } },
    after: { op: 'update_props', pageSlug: '/', patch: { subheading: 'x' }, blockId: 'b_hero_1' },
  },
  {
    row: noBlock,
    before: { op: 'remove_block', pageSlug: '/', blockType: 'faq' },
    after: { op: 'remove_block', pageSlug: '/', blockId: 'b_faq_1' },
  },
  { row: noBlock, before: { op: 'update_props', pageSlug: '/', patch: { ctaText: 'x' } } },
  { row: noBlock, before: { op: 'remove_block', pageSlug: '/' } },
  { row: noBlock, before: { op: 'update_props', pageSlug: '/', patch: {} } },
  {
    row: 'an update of no block',
    before: { op: 'update_props', pageSlug: '/', patch: { ctaText: 'x' } },
    after: [],
  },
  { row: 'an update of no block', before: { op: 'remove_block', pageSlug: '/' } },
  {
    row: 'a list that is not named, where the block has only one',
    before: { op: 'add_item', pageSlug: '/', blockId: 'b_faq_1', item: {} },
    after: { op: 'add_item', pageSlug: '/', blockId: 'b_faq_1', item: {}, listKey: 'items' },
  },
  {
    row: 'a list that is not named, where the block has only one',
    before: { op: 'add_item', pageSlug: '/', blockId: 'b_hero_1', item: {} },
  },
  {
    row: before,
    before: { op: 'move_block', pageSlug: '/', blockId: 'b_hero_1', beforeId: 'b_cta_1' },
    after: { op: 'move_block', pageSlug: '/', blockId: 'b_hero_1', afterBlockId: 'b_faq_1' },
  },
  {
    row: before,
    before: { op: 'move_block', pageSlug: '/', blockId: 'b_cta_1', beforeId: 'b_hero_1' },
    after: { op: 'move_block', pageSlug: '/', blockId: 'b_cta_1' },
  },
  {
    row: before,
    before: { op: 'add_block', pageSlug: '/', block: { id: 'b_new' }, beforeId: 'b_hero_1' },
    after: [
      { op: 'add_block', pageSlug: '/', block: { id: 'b_new' } },
      { op: 'move_block', pageSlug: '/', blockId: 'b_new' },
    ],
  },
  {
    row: before,
    before: { op: 'add_block', pageSlug: '/', block: { id: 'b_new' }, afterBlockId: 'b_hero_1' },
  },
  {
    row: toEnd,
    before: { op: 'move_block', pageSlug: '/', blockId: 'b_hero_1' },
    after: { op: 'move_block', pageSlug: '/', blockId: 'b_hero_1', afterBlockId: 'b_cta_1' },
    message: 'move the hero to the bottom',
  },
  {
    row: toEnd,
    before: { op: 'move_block', pageSlug: '/', blockId: 'b_hero_1' },
    message: 'I recommend to move the hero up',
  },
  { row: toEnd, before: { op: 'add_block', pageSlug: '/', block: {} }, message: 'add a hero at the end' },
  { row: same, before: { op: 'rename_page', pageSlug: '/about', newPageSlug: 'about/' }, after: [] },
  { row: same, before: { op: 'rename_page', pageSlug: '/about', newPageSlug: '/about', newTitle: 'Us' } },
  { row: same, before: { op: 'rename_page', pageSlug: '/about', newPageSlug: '/team' } },
  {
    row: looseEnvelope,
    before: { op: 'create_page', slug: '/x', title: 'X', blocks: [] },
    after: { op: 'create_page', page: { slug: '/x', title: 'X', blocks: [] } },
  },
  {
    row: looseEnvelope,
    before: { op: 'create_page', page: '/x' },
    after: { op: 'create_page', page: { slug: '/x' } },
  },
  { row: looseEnvelope, before: { op: 'create_page', page: { slug: '/x' } } },
  {
    row: existingPage,
    before: { op: 'create_page', page: { blocks: [{ type: 'CTA' }, { type: 'Hero' }] } },
    after: [
      { op: 'add_block', pageSlug: '/', block: { type: 'CTA' } },
      { op: 'add_block', pageSlug: '/', block: { type: 'Hero' } },
    ],
  },
  { row: existingPage, before: { op: 'create_page', page: { slug: '/x', blocks: [{ type: 'CTA' }] } } },
  { row: existingPage, before: { op: 'create_page', page: { slug: '/about', blocks: [{ type: 'CTA' }] } } },
  {
    row: pageToCreate,
    before: { op: 'add_block', pageSlug: '/prices', block: { type: 'CTA' } },
    after: { op: 'create_page', page: { slug: '/prices', blocks: [{ type: 'CTA' }] } },
    message: 'Add a new page about prices',
  },
  {
    row: pageToCreate,
    before: { op: 'add_block', pageSlug: '/prices', block: { type: 'CTA' } },
    message: 'Add a button to the prices page',
  },
  {
    row: pageToCreate,
    before: { op: 'add_block', pageSlug: '/about', block: { type: 'CTA' } },
    message: 'Create a page',
  },
  {
    row: pageToCreate,
    before: { op: 'add_block', pageSlug: '/new', block: { type: 'CTA' } },
    message: 'Create a page',
  },
  {
    row: slashless,
    before: { op: 'create_page', page: { slug: 'x', title: 'X' } },
    after: { op: 'create_page', page: { title: 'X', slug: '/x' } },
  },
  {
    row: slashless,
    before: { op: 'create_page', page: { path: '/x' } },
    after: { op: 'create_page', page: { slug: '/x' } },
  },
  { row: slashless, before: { op: 'create_page', page: { slug: 'not an address' } } },
  { row: longerList, before: update([...stored, row('Three?')]), after: [{ ...added, item: row('Three?') }] },
  {
    row: longerList,
    before: update([row('New?'), stored[1], row('Three?')], { title: 'x' }),
    after: [update([row('New?'), stored[1]], { title: 'x' }), { ...added, item: row('Three?') }],
  },
  { row: longerList, before: update(stored) },
  { row: longerList, before: update([row('One only?')]) },
  { row: longerList, before: update([...stored, 'no row']) },
  {
    row: longerList,
    before: { op: 'update_props', pageSlug: '/', blockId: 'b_hero_1', patch: { heading: 'x' } },
  },
  {
    row: looseBlock,
    before: { op: 'add_block', type: 'faq', props: { title: 'x' }, id: 'b_new' },
    after: {
      op: 'add_block',
      type: 'faq',
      props: { title: 'x' },
      id: 'b_new',
      block: { type: 'faq', props: { title: 'x' }, id: 'b_new' },
    },
  },
  {
    row: looseBlock,
    before: { op: 'add_block', block: 'Hero' },
    after: { op: 'add_block', block: { type: 'Hero' } },
  },
  { row: looseBlock, before: { op: 'add_block', heading: 'x' } },
  { row: typed, before: adding({ blockType: 'Hero' }), after: adding({ type: 'Hero' }) },
  { row: typed, before: adding({ type: 'faq section' }), after: adding({ type: 'FAQAccordion' }) },
  {
    row: typed,
    before: { op: 'create_page', page: { slug: '/x', blocks: [{ type: 'hero' }, { type: 'CTA' }] } },
    after: { op: 'create_page', page: { slug: '/x', blocks: [{ type: 'Hero' }, { type: 'CTA' }] } },
  },
  { row: typed, before: adding({ type: 'Hero', blockType: 'CTA' }) },
  { row: typed, before: adding({ type: 'Nonsense' }) },
  {
    row: looseProps,
    before: adding({ type: 'CTA', title: 'x', heading: 'y' }),
    after: adding({ type: 'CTA', props: { title: 'x', heading: 'y' } }),
  },
  { row: looseProps, before: adding({ type: 'CTA', props: {}, title: 'x' }) },
  {
    row: noId,
    before: adding({ type: 'CTA' }),
    after: adding({ type: 'CTA', id: `b_cta_${now.getTime()}` }),
  },
  {
    row: noId,
    before: adding({ type: 'CTA', id: 'b_hero_1' }),
    after: adding({ type: 'CTA', id: 'b_hero_1_1' }),
  },
  {
    row: noId,
    before: adding({ type: 'CTA', id: 'b_given' }),
    after: adding({ type: 'CTA', id: 'b_given_1' }),
  },
  { row: noId, before: adding({ type: 'CTA', id: 'b_free' }) },
  { row: noId, before: adding({ id: 'b_hero_1' }) },
  { row: noId, before: adding({}) },
  {
    row: missing,
    before: adding({ type: 'CTA', id: 'x' }),
    after: adding({ type: 'CTA', id: 'x', props: builtinRegistry.get('CTA')?.starter() }),
  },
  {
    row: missing,
    before: withProps('Hero', { ...hero, imageUrl: null }),
    after: withProps('Hero', { ...hero, imageUrl: '/hero-generated.svg' }),
  },
  { row: missing, before: withProps('Hero', hero) },
  { row: missing, before: adding({ type: 'Nonsense' }) },
  {
    row: 'references in a new block',
    before: withProps('TeamWall', { title: 'T', office: 'entry-7' }),
    after: withProps('TeamWall', { title: 'T', office: null }),
    place: manifestPlace,
  },
  { row: 'references in a new block', before: withProps('TeamWall', { title: 'T' }), place: manifestPlace },
  {
    row: 'a patch inside of a patch',
    before: { op: 'update_props', pageSlug: '/', blockId: 'b_hero_1', patch: { props: { heading: 'x' } } },
    after: { op: 'update_props', pageSlug: '/', blockId: 'b_hero_1', patch: { heading: 'x' } },
  },
  {
    row: 'a patch inside of a patch',
    before: { op: 'update_props', pageSlug: '/', blockId: 'b_hero_1', patch: { heading: 'x' } },
  },
  {
    row: 'a patch inside of a patch',
    before: { op: 'update_props', pageSlug: '/', blockId: 'b_nothing', patch: { props: { heading: 'x' } } },
  },
  {
    row: 'lists under another name',
    before: withProps('Carousel', { slides: [] }),
    after: withProps('Carousel', { items: [] }),
  },
  {
    row: 'lists under another name',
    before: withProps('Gallery', { photos: [] }),
    after: withProps('Gallery', { images: [] }),
  },
  {
    row: 'lists under another name',
    before: withProps('Gallery', { photos: [], pictures: [1] }),
    after: withProps('Gallery', { pictures: [1], images: [] }),
  },
  {
    row: 'lists under another name',
    before: withProps('Table', { columns: ['a'], data: [['b']] }),
    after: withProps('Table', { headers: ['a'], rows: [['b']] }),
  },
  { row: 'lists under another name', before: withProps('CardGrid', { columns: '3' }) },
  { row: 'lists under another name', before: withProps('Nonsense', { slides: [] }) },
  {
    row: 'a heading where the type has a title',
    before: withProps('CTA', { heading: 'x' }),
    after: withProps('CTA', { title: 'x' }),
  },
  { row: 'a heading where the type has a title', before: withProps('Hero', { heading: 'x' }) },
  {
    row: choices,
    before: withProps('Carousel', { autoplay: true, interval: 5000 }),
    after: withProps('Carousel', { autoplay: 'true', interval: 5000 }),
  },
  {
    row: choices,
    before: withProps('CardGrid', { columns: 3 }),
    after: withProps('CardGrid', { columns: '3' }),
  },
  { row: choices, before: withProps('CardGrid', { columns: 7 }) },
  {
    row: 'internal props',
    before: withProps('TeamWall', { title: 'x', _rev: '1' }),
    after: withProps('TeamWall', { title: 'x' }),
    place: manifestPlace,
  },
  { row: 'internal props', before: withProps('TeamWall', { title: 'x' }), place: manifestPlace },
  {
    row: 'questions, answers and testimonials in full words',
    before: faq({ question: 'x', answer: 'y' }),
    after: faq({ q: 'x', a: 'y' }),
  },
  {
    row: 'questions, answers and testimonials in full words',
    before: { ...update([{ question: 'x' }]) },
    after: update([{ q: 'x' }]),
  },
  { row: 'questions, answers and testimonials in full words', before: card({ question: 'x' }) },
  {
    row: 'questions, answers and testimonials in full words',
    before: { ...faq({ question: 'x' }), listKey: 'title' },
  },
  {
    row: 'keys of a row in another case',
    before: card({ cta_text: 'x', Title: 'y' }),
    after: card({ ctaText: 'x', title: 'y' }),
  },
  { row: 'keys of a row in another case', before: card({ ctaText: 'x' }) },
  { row: 'keys of a row in another case', before: withProps('CardGrid', { cards: ['x'], title: 'y' }) },
  {
    row: 'keys of a row in another case',
    before: withProps('TeamWall', { rows: [{ kind: 'note', TEXT: 'x' }] }),
    after: withProps('TeamWall', { rows: [{ kind: 'note', text: 'x' }] }),
    place: manifestPlace,
  },
  {
    row: 'keys of a row in another case',
    before: withProps('TeamWall', { rows: [{ kind: 'person', TEXT: 'x' }] }),
    place: manifestPlace,
  },
  {
    row: 'a text under a name that the row does not have',
    before: card({ headline: 'x' }),
    after: card({ title: 'x' }),
  },
  {
    row: 'a text under a name that the row does not have',
    before: faq({ label: 'x' }),
    after: faq({ q: 'x' }),
  },
  { row: 'a text under a name that the row does not have', before: faq({ q: 'x', a: 'y', label: 'z' }) },
]

t.test('each row corrects only its own case', (t) => {
  for (const { row: what, before, after = before, message = '', place = placeFor(message) } of cases) {
    const row = rows[what]
    t.ok(row, `row '${what}' exists`)
    t.strictSame(row?.(before, place), after, `${what}: ${JSON.stringify(before)}`)
  }
  for (const what of Object.keys(rows)) {
    const of = cases.filter(({ row }) => row === what)
    t.ok(
      of.some(({ after }) => after !== undefined),
      `a case for '${what}'`,
    )
    t.ok(
      of.some(({ after }) => after === undefined),
      `a case that '${what}' leaves unchanged`,
    )
  }
  t.end()
})

/** The reading of a plan. */
const readingOf = (plan: unknown, place = placeFor()) =>
  readPlan(typeof plan === 'string' ? plan : JSON.stringify(plan), place)

t.test('keys of plans', (t) => {
  const op = { op: 'update_props', pageSlug: '/', blockId: 'b_hero_1', patch: { heading: 'x' } }
  const known = { intent: 'edit_plan', summary_for_user: 's', change_log: ['One'], ops: [op] }
  const { ops: _, ...noOps } = known
  const same: Readonly<Record<string, unknown>> = {
    'operations under another name': { ...noOps, operations: [op] },
    'one operation': { ...known, ops: op },
    'an operation at the top level': { summary: 's', change_log: ['One'], ...op },
    'a short name of the summary': { ...known, summary_for_user: undefined, summary: 's' },
    'a change log as text': { ...known, change_log: '- One\n\n* Two - three' },
    'no intent': { ...known, intent: null },
  }
  for (const [name, plan] of Object.entries(same))
    t.match(
      readingOf(plan),
      { kind: 'plan', plan: { intent: 'edit_plan', summary: 's', changeLog: ['One'], ops: [op] } },
      name,
    )
  t.match(readingOf({ summary_for_user: 'Which?' }), {
    plan: { intent: 'needs_clarification', changeLog: [], suggestions: [] },
  })
  t.match(
    readingOf({ ...known, ops: [], operations: [op] }),
    { plan: { ops: [] } },
    'the proper name has precedence',
  )
  t.match(readingOf({ ...known, ops: 'none' }), { kind: 'unusable' })
  t.match(readingOf({ ...known, change_log: 7 }), { plan: { changeLog: [''] } })
  const suggested = (given: unknown) => {
    const reading = readingOf({ ...known, suggested_next_actions: given })
    return reading.kind === 'plan' && reading.plan.suggestions
  }
  t.strictSame(
    suggested([
      'Shorten it',
      ' ',
      7,
      'Shorten it',
      'Add a contact form',
      'Go to the about page',
      'Add analytics',
    ]),
    ['Shorten it'],
  )
  t.strictSame(suggested(['1', '2', '3', '4', '5', '6']), ['1', '2', '3', '4', '5'])
  t.strictSame(suggested('1. Shorten it\n2. Make the hero inform people'), [
    'Shorten it',
    'Make the hero inform people',
  ])
  t.strictSame(suggested(7), [])
  t.end()
})

t.test('names of operations', (t) => {
  const names: Readonly<Record<string, string | undefined>> = {
    create: 'create_page',
    add: 'add_block',
    insert: 'add_block',
    append: 'add_block',
    update: 'update_props',
    edit: 'update_props',
    delete: 'remove_block',
    reorder: 'move_block',
    copy: 'duplicate_block',
    clone: 'duplicate_block',
    rename: 'rename_page',
    addBlock: 'add_block',
    'delete item': 'remove_item',
    'edit-item': 'update_item',
    clone_page: 'duplicate_page',
    UpdateSiteConfig: 'update_site_config',
    fetch: undefined,
    constructor: undefined,
    '': undefined,
  }
  for (const [name, expected] of Object.entries(names)) t.equal(operationName(name), expected, name)
  t.equal(operationName(7), undefined)
  t.end()
})

t.test('names of block types', (t) => {
  const names: Readonly<Record<string, string>> = {
    hero: 'Hero',
    HERO: 'Hero',
    features: 'FeatureGrid',
    testimonal: 'Testimonials',
    'social proof': 'Testimonials',
    quotes: 'Testimonials',
    quote: 'Quote',
    blockquote: 'Quote',
    'a quote block': 'Testimonials',
    faq: 'FAQAccordion',
    'two column': 'TwoColumn',
    statistics: 'Stats',
    'call to action': 'CTA',
    pricing: 'CardGrid',
    cards: 'Card',
    'text block': 'RichText',
    benefits: 'FeatureGrid',
    slideshow: 'Carousel',
    'image grid': 'Gallery',
    tabbed: 'Tabs',
    'data table': 'Table',
    'youtube video': 'Video',
    'google map': 'Embed',
    announcement: 'Banner',
    unheardof: 'unheardof',
  }
  for (const [name, expected] of Object.entries(names))
    t.equal(typeName(name, { registry: builtinRegistry }), expected, name)
  t.equal(
    typeName('teamwall', { registry: builtinRegistry, manifest: siteManifest }),
    'TeamWall',
    'types of the site have precedence',
  )
  t.end()
})

t.test('repairs of JSON', (t) => {
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
  t.match(readJson('{"ops":[{"op":"a","x":1},{"op":"b","y":"half a te'), {
    value: { ops: [{ op: 'a', x: 1 }, { op: 'b' }] },
    cut: 'inside',
  })
  t.match(readJson('{"ops":[{"op":"a","x":1},{"op":"b"},{"o'), {
    value: { ops: [{ op: 'a', x: 1 }, { op: 'b' }, {}] },
    cut: 'inside',
  })
  t.match(readJson('{"a":"b'), { value: {}, cut: 'after' })
  t.match(readJson('{"a":[1,'), { value: { a: [1] }, repairs: ['open end'], cut: undefined })
  for (const text of ['', 'no', 'null?', '"', '{]', '{"a":tru}', '{"a":- 5}'])
    t.equal(readJson(text), undefined, JSON.stringify(text))
  t.equal(readJson(`{"a":[${'1,'.repeat(300_000)}1]}`), undefined, 'too many values')
  const deep = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
  t.ok(readJson(deep(60)))
  for (const depth of [70, 200_000]) t.equal(readJson(deep(depth)), undefined, 'too deep')
  t.equal(readJson(`{"a":${'['.repeat(400_000)}`), undefined)
  t.end()
})

t.test('an answer with as many keys as fit is read', (t) => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]))
  const ops: readonly object[] = [
    { op: 'update_props', blockId: 'b_hero_1', ...many },
    { op: 'add_block', block: { type: 'Hero', ...many } },
    { op: 'add_item', pageSlug: '/', blockId: 'b_faq_1', listKey: 'items', item: many },
  ]
  for (const op of ops) {
    t.equal(readingOf({ intent: 'edit_plan', summary_for_user: 's', ops: [op] }).kind, 'plan')
  }
  t.end()
})

t.test('a truncated text is dropped, not completed', (t) => {
  const place = placeFor()
  const text =
    '{"intent":"edit_plan","summary_for_user":"s","change_log":["One","Two"],"ops":[{"op":"update_props","pageSlug":"/","blockId":"b_hero_1","patch":{"heading":"x"}},{"op":"update_props","pageSlug":"/","blockId":"b_cta_1","patch":{"title":"Half of wh'
  const reading = readPlan(text, place)
  t.match(reading, {
    kind: 'plan',
    plan: { isCut: true, ops: [{ blockId: 'b_hero_1', patch: { heading: 'x' } }] },
  })
  t.equal(reading.kind === 'plan' && reading.plan.ops.length, 1)
  t.end()
})

t.test('a page is created before it is used, and other operations keep their order', (t) => {
  const create = { op: 'create_page', page: { slug: '/x', blocks: [] } }
  const use = { op: 'update_page_meta', pageSlug: '/x', patch: { title: 'X' } }
  const other = { op: 'remove_block', pageSlug: '/', blockId: 'b_cta_1' }
  for (const [ops, ordered] of [
    [
      [other, use, create],
      [other, create, use],
    ],
    [
      [create, other, use],
      [create, other, use],
    ],
    [
      [other, create],
      [other, create],
    ],
  ]) {
    t.match(readingOf({ intent: 'edit_plan', summary_for_user: 's', ops }), {
      plan: { ops: ordered?.map(({ op }) => ({ op })) },
    })
  }
  t.end()
})

t.test('words of the message never change the meaning of a plan', (t) => {
  const kept: readonly (readonly [message: string, op: Loose])[] = [
    ['remove the first question', { op: 'remove_block', pageSlug: '/', blockId: 'b_faq_1' }],
    ['delete the last card', { op: 'remove_block', pageSlug: '/', blockId: 'b_cta_1' }],
    ['I recommend a calendar at the end', { op: 'duplicate_block', pageSlug: '/', blockId: 'b_faq_1' }],
    ['move it to the end', { op: 'move_page', pageSlug: '/about' }],
  ]
  for (const [message, op] of kept) t.strictSame(normalised(op, placeFor(message)), [op], message)
  const section = {
    op: 'add_block',
    pageSlug: '/',
    block: { id: 'b_new', type: 'FAQAccordion', props: { title: 'More', items: [{ q: 'x', a: 'y' }] } },
  }
  t.strictSame(normalised(section, placeFor('add another faq')), [section], 'a section stays a section')
  const moved = { op: 'move_page', pageSlug: '/about' }
  t.strictSame(normalised(moved, placeFor('move the about page')), [moved], 'no target is added')
  t.end()
})

t.test('several rows are combined', (t) => {
  const place = placeFor('Add a page about prices')
  const text = JSON.stringify({
    summary: 'I will add a page.',
    change_log: 'Add a page\nAdd a section',
    operations: [
      { action: 'insertBlock', page: 'prices', block: { block_type: 'call to action', heading: 'Now' } },
      {
        create_page: {
          slug: 'team',
          blocks: [{ type: 'faq', props: { items: [{ question: 'a', answer: 'b' }] } }],
        },
      },
    ],
  })
  const reading = readPlan(text, place)
  t.match(reading, {
    kind: 'plan',
    plan: {
      intent: 'edit_plan',
      changeLog: ['Add a page', 'Add a section'],
      ops: [
        {
          op: 'create_page',
          page: { slug: '/prices', blocks: [{ type: 'CTA', props: { title: 'Now', ctaText: String } }] },
        },
        {
          op: 'create_page',
          page: { slug: '/team', blocks: [{ type: 'FAQAccordion', props: { items: [{ q: 'a', a: 'b' }] } }] },
        },
      ],
    },
  })
  t.end()
})

t.test('missing lines are empty, and extra lines are dropped', (t) => {
  const ops = ['b_hero_1', 'b_cta_1'].map((blockId) => ({
    op: 'update_props',
    pageSlug: '/',
    blockId,
    patch: { ctaText: 'Go on' },
  }))
  const cases: readonly (readonly [lines: unknown, wanted: readonly string[]])[] = [
    [
      ['One', 'Two'],
      ['One', 'Two'],
    ],
    [['One'], ['One', '']],
    [
      ['One', 'Two', 'Three'],
      ['One', 'Two'],
    ],
    [[], ['', '']],
    [undefined, ['', '']],
    ['One\nTwo', ['One', 'Two']],
    [
      ['One', 7, 'Two'],
      ['One', 'Two'],
    ],
  ]
  for (const [change_log, changeLog] of cases) {
    t.match(
      readPlan(JSON.stringify({ intent: 'edit_plan', summary_for_user: 's', change_log, ops }), placeFor()),
      { kind: 'plan', plan: { changeLog } },
      JSON.stringify(change_log),
    )
  }
  t.end()
})

/** The draft after a batch, without row ids; `undefined` when it is refused or changes nothing. */
function draftAfter(draft: Draft, ops: readonly Operation[]): unknown {
  const tried = applyBatch(draft, ops, {
    source: 'planner',
    registry: builtinRegistry,
    manifest: siteManifest,
    now,
  })
  return tried.ok ? withoutGeneratedItemIds(contentOf(changed(draft, tried.change))) : undefined
}

t.test('normalising a valid operation does not change its effect', (t) => {
  let compared = 0
  const onDraft = drafts.chain((draft) => fc.tuple(fc.constant(draft), operationFor(draft)))
  fc.assert(
    fc.property(onDraft, ([draft, raw]) => {
      const direct = parseOperations([raw])
      const expected = direct.ok ? draftAfter(draft, direct.ops) : undefined
      if (expected === undefined || isOpen(raw, draft)) return
      const input = {
        draft: { version: 1, pages: pagesOf(draft), config: draft.config },
        selection: { slug: '/' },
        registry: builtinRegistry,
        manifest: siteManifest,
      }
      const read = parseOperations(normalised(raw, placeIn({ input, words: wordsOf('do it'), now })))
      t.strictSame(read.ok && draftAfter(draft, read.ops), expected, JSON.stringify(raw))
      compared += 1
    }),
    { numRuns: 600 },
  )
  t.ok(compared > 200, `${compared} operations`)
  t.end()
})

/** Operations that the rows complete: a used id, no props, an internal prop. */
function isOpen(raw: Loose, draft: Draft): boolean {
  const { block, page, patch } = raw
  if (Object.hasOwn(Object(patch), '_rev')) return true
  const made = [
    block,
    ...(typeof page === 'object' && page !== null && 'blocks' in page && Array.isArray(page.blocks)
      ? page.blocks
      : []),
  ]
  return made.some((each) => {
    if (typeof each !== 'object' || each === null) return false
    return (
      draft.hasBlockId(String(each.id)) ||
      Object.keys(Object(each.props)).length === 0 ||
      made.filter((other) => other?.id === each.id).length > 1
    )
  })
}

t.test('any model output is read as known operations or as a reason', (t) => {
  const key = fc.constantFrom(
    'op',
    'operation',
    'action',
    'kind',
    'pageSlug',
    'slug',
    'page',
    'path',
    'blockId',
    'id',
    'listKey',
    'itemPath',
    'index',
    'afterIndex',
    'item',
    'value',
    'patch',
    'props',
    'block',
    'blocks',
    'type',
    'heading',
    'items',
    'newPageSlug',
    'to',
    'beforeId',
    'constructor',
    'toString',
  )
  const word = fc.constantFrom(
    'add',
    'update',
    'delete',
    'create',
    'update_props',
    'add_item',
    'create_page',
    'rename',
    '/',
    '/about',
    'home',
    'b_hero_1',
    'b_faq_1',
    'items',
    'items[1].q',
    'FAQAccordion',
    'faq',
    '',
  )
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word,
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(key, tie('value'), { maxKeys: 6, noNullPrototype: true }),
  })).object
  const understood = fc.record({
    op: fc.constantFrom('update_props', 'update'),
    pageSlug: fc.constantFrom('/', 'home'),
    blockId: fc.constant('b_hero_1'),
    patch: fc.record({ heading: fc.string() }),
  })
  const operation = fc.oneof(
    anything,
    fc.tuple(anything, understood).map(([noise, op]) => ({ ...noise, ...op })),
  )
  const plan = fc.record({
    intent: fc.constant('edit_plan'),
    summary_for_user: fc.constant('s'),
    change_log: fc.constant(['x']),
    ops: fc.array(operation, { minLength: 1, maxLength: 4 }),
  })
  let plans = 0
  fc.assert(
    fc.property(plan, (raw) => {
      const reading = readPlan(JSON.stringify(raw), placeFor('make it better at the end'))
      if (reading.kind === 'unusable') return t.match(reading.problem, /./)
      if (reading.kind === 'mistaken') return t.match(reading.issues, [{ path: /^ops/, message: /./ }])
      plans += 1
      for (const op of reading.plan.ops) t.ok(operations.has(op.op))
      t.equal(reading.plan.changeLog.length, reading.plan.ops.length)
    }),
    { numRuns: 2000 },
  )
  t.ok(plans > 100, `${plans} plans`)
  t.end()
})
