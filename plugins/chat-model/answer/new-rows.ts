import { engineBlockId, freeBlockId } from '../../content/block-ids.ts'
import type { BlockType } from '../../content/model.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { coerceSlug } from '../../content/slugs.ts'
import { asksForPage } from '../language.ts'
import { blockTypeAt, pageAt } from '../lookup.ts'
import { firstText, isOp, type Loose, objectIn, type Place, type Row, type Rows, slugFor, typeName, without } from './row.ts'

const pageKeys = ['slug', 'path', 'route', 'pageSlug', 'newPageSlug', 'title', 'newTitle', 'id', 'meta', 'blocks', 'block', 'page']
const typeKeys = ['type', 'blockType', 'block_type', 'component']
const blockKeys = ['id', 'type', 'props']

/** What an operation creates: the block of `add_block`, the blocks of `create_page`. */
function newBlocks(op: Loose): readonly Loose[] {
  const { block, page } = op
  if (isOp(op, 'add_block')) return isPlainObject(block) ? [block] : []
  return isOp(op, 'create_page') && isPlainObject(page) && Array.isArray(page['blocks']) ? page['blocks'].filter(isPlainObject) : []
}

/** A row for every new block. */
export function ofNewBlocks(to: (block: Loose, place: Place) => Loose): Row {
  return (op, place) => {
    const blocks = newBlocks(op).map((block) => to(block, place))
    if (blocks.length === 0) return op
    return isOp(op, 'add_block') ? { ...op, block: blocks[0] } : { ...op, page: { ...objectIn(op['page']), blocks } }
  }
}

/** A row for the props of every new block whose type is known. */
export const ofNewProps = (to: (props: Loose, type: BlockType) => Loose): Row => ofNewBlocks((block, { input }) => {
  const type = blockTypeAt(input, block['type'])
  return type && isPlainObject(block['props']) ? { ...block, props: to(block['props'], type) } : block
})

/** Rows for pages and blocks that are created. */
export const newRows: Rows = {
  'a page beside its envelope'(op) {
    if (!isOp(op, 'create_page') || isPlainObject(op['page'])) return op
    const slug = firstText(op, ['page', 'slug', 'path', 'route', 'newPageSlug', 'pageSlug'])
    const title = firstText(op, ['title', 'newTitle'])
    const blocks = Array.isArray(op['blocks']) ? op['blocks'] : isPlainObject(op['block']) && [op['block']]
    const meta = isPlainObject(op['meta']) && op['meta']
    const page = { ...(slug !== undefined && { slug }), ...(title !== undefined && { title }), ...(meta && { meta }), ...(blocks && { blocks }) }
    return Object.keys(page).length === 0 ? op : { ...without(op, pageKeys), page }
  },
  'a page that exists, with blocks for it'(op, { input }) {
    const { slug } = objectIn(op['page'])
    const isHere = slug === undefined || pageAt(input, slugFor(input, slug))?.slug === input.selection.slug
    const blocks = isOp(op, 'create_page') && isHere ? newBlocks(op) : []
    return blocks.length === 0 ? op : blocks.map((block) => ({ op: 'add_block', pageSlug: input.selection.slug, block }))
  },
  'a block beside its envelope'(op) {
    if (!isOp(op, 'add_block') || isPlainObject(op['block'])) return op
    const type = firstText(op, ['type', 'blockType', 'block_type', 'block'])
    const props = [op['props'], op['patch']].find(isPlainObject)
    const id = firstText(op, ['blockId', 'newBlockId', 'id'])
    return type === undefined ? op : { ...op, block: { type, ...(props && { props }), ...(id !== undefined && { id }) } }
  },
  'a block for a page that is to be created'(op, { input, words, created }) {
    const blocks = isOp(op, 'add_block') && asksForPage(words) ? newBlocks(op) : []
    const slug = slugFor(input, op['pageSlug'])
    return blocks.length === 0 || slug === undefined || pageAt(input, slug) || created.has(slug) ? op : { op: 'create_page', page: { slug, blocks } }
  },
  'the slug of a new page without its slash, or under another name'(op, { created }) {
    const { page } = op
    if (!isOp(op, 'create_page') || !isPlainObject(page)) return op
    const given = page['slug'] ?? page['path'] ?? page['route']
    const slug = coerceSlug(given) ?? given
    if (typeof slug === 'string') created.add(slug)
    return slug === page['slug'] ? op : { ...op, page: { ...without(page, ['path', 'route']), slug } }
  },
  'the type of a new block under another name, or in a loose spelling': ofNewBlocks((block, { input }) => {
    const key = typeKeys.find((name) => block[name] !== undefined) ?? ''
    return typeof block[key] === 'string' ? { ...without(block, [key]), type: typeName(block[key], input) } : block
  }),
  'props of a new block beside their envelope': ofNewBlocks((block) => {
    const outside = Object.entries(block).filter(([name]) => !blockKeys.includes(name))
    if (block['props'] !== undefined || outside.length === 0) return block
    return { ...without(block, outside.map(([name]) => name)), props: Object.fromEntries(outside) }
  }),
  'the id of a new block that is missing or used': ofNewBlocks((block, place) => {
    const id = idOf(block, place)
    if (id !== undefined) place.given.add(id)
    return id === undefined ? block : { ...block, id }
  }),
}

function idOf({ id, type }: Loose, { input, now, given }: Place): string | undefined {
  const isUsed = (wanted: string): boolean => given.has(wanted) || input.draft.pages.some(({ blocks }) => blocks.some((block) => block.id === wanted))
  if (typeof id === 'string' && id.trim() !== '') return typeof type === 'string' ? freeBlockId(id, isUsed) : id
  return typeof type === 'string' ? engineBlockId(type, now, isUsed) : undefined
}
