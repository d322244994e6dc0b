import { engineBlockId, freeBlockId } from '../../content/block-ids.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { coerceSlug } from '../../content/slugs.ts'
import { asksForPage } from '../language.ts'
import { pageAt } from '../lookup.ts'
import { typeName } from './names.ts'
import { isOp, type Loose, type Place, type Row, slugFor, without } from './row.ts'

const pageKeys = ['slug', 'path', 'route', 'pageSlug', 'newPageSlug', 'title', 'newTitle', 'id', 'meta', 'blocks', 'block', 'page']
const typeKeys = ['type', 'blockType', 'block_type', 'component']
const blockKeys = ['id', 'type', 'props']
const firstText = (values: readonly unknown[]): unknown => values.find((value) => typeof value === 'string')

/** What an operation creates: the block of `add_block`, the blocks of `create_page`. */
export function newBlocks(op: Loose): readonly Loose[] {
  const { block, page } = op
  if (isOp(op, 'add_block')) return isPlainObject(block) ? [block] : []
  return isOp(op, 'create_page') && isPlainObject(page) && Array.isArray(page['blocks']) ? page['blocks'].filter(isPlainObject) : []
}

/** The operation with other new blocks in their places. */
export function withNewBlocks(op: Loose, to: (block: Loose) => Loose): Loose {
  const blocks = newBlocks(op).map(to)
  if (isOp(op, 'add_block')) return { ...op, block: blocks[0] }
  return isPlainObject(op['page']) ? { ...op, page: { ...op['page'], blocks } } : op
}

const isNew = (op: Loose): boolean => newBlocks(op).length > 0

/** Rows for pages and blocks that are created. */
export const newRows: readonly Row[] = [
  {
    what: 'a page beside its envelope',
    when: (op) => isOp(op, 'create_page') && !isPlainObject(op['page']),
    becomes(op) {
      const slug = firstText(['page', 'slug', 'path', 'route', 'newPageSlug', 'pageSlug'].map((key) => op[key]))
      const title = firstText([op['title'], op['newTitle']])
      const blocks = Array.isArray(op['blocks']) ? op['blocks'] : isPlainObject(op['block']) && [op['block']]
      const meta = isPlainObject(op['meta']) && op['meta']
      const page = { ...(slug !== undefined && { slug }), ...(title !== undefined && { title }), ...(meta && { meta }), ...(blocks && { blocks }) }
      return Object.keys(page).length === 0 ? op : { ...without(op, pageKeys), page }
    },
  },
  {
    what: 'a page that exists, with blocks for it',
    when: isNew,
    becomes(op, { input }) {
      const { slug } = isPlainObject(op['page']) ? op['page'] : {}
      const isHere = slug === undefined || pageAt(input, slugFor(input, slug))?.slug === input.selection.slug
      return isOp(op, 'create_page') && isHere ? newBlocks(op).map((block) => ({ op: 'add_block', pageSlug: input.selection.slug, block })) : op
    },
  },
  {
    what: 'a block beside its envelope',
    when: (op) => isOp(op, 'add_block') && !isPlainObject(op['block']),
    becomes(op) {
      const type = firstText(['type', 'blockType', 'block_type', 'block'].map((key) => op[key]))
      const props = [op['props'], op['patch']].find(isPlainObject)
      const id = firstText(['blockId', 'newBlockId', 'id'].map((key) => op[key]))
      return type === undefined ? op : { ...op, block: { type, ...(props && { props }), ...(id !== undefined && { id }) } }
    },
  },
  {
    what: 'a block for a page that is to be created',
    when: (op, { words }) => isOp(op, 'add_block') && isNew(op) && asksForPage(words),
    becomes(op, { input, created }) {
      const slug = slugFor(input, op['pageSlug'])
      return slug === undefined || pageAt(input, slug) || created.has(slug) ? op : { op: 'create_page', page: { slug, blocks: newBlocks(op) } }
    },
  },
  {
    what: 'the slug of a new page without its slash, or under another name',
    when: (op) => isOp(op, 'create_page') && isPlainObject(op['page']),
    becomes(op, { created }) {
      const page = isPlainObject(op['page']) ? op['page'] : {}
      const given = page['slug'] ?? page['path'] ?? page['route']
      const slug = coerceSlug(given) ?? given
      if (typeof slug === 'string') created.add(slug)
      return slug === page['slug'] ? op : { ...op, page: { ...without(page, ['path', 'route']), slug } }
    },
  },
  {
    what: 'the type of a new block under another name, or in a loose spelling',
    when: isNew,
    becomes: (op, { input }) => withNewBlocks(op, (block) => {
      const key = typeKeys.find((name) => block[name] !== undefined)
      const name = key === undefined ? undefined : block[key]
      return key === undefined || typeof name !== 'string' ? block : { ...without(block, [key]), type: typeName(name, input) }
    }),
  },
  {
    what: 'props of a new block beside their envelope',
    when: isNew,
    becomes: (op) => withNewBlocks(op, (block) => {
      const beside = Object.entries(block).filter(([name]) => !blockKeys.includes(name))
      if (block['props'] !== undefined || beside.length === 0) return block
      return { ...without(block, beside.map(([name]) => name)), props: Object.fromEntries(beside) }
    }),
  },
  {
    what: 'the id of a new block that is missing or used',
    when: isNew,
    becomes: (op, place) => withNewBlocks(op, (block) => {
      const id = idOf(block, place)
      if (id !== undefined) place.given.add(id)
      return id === undefined ? block : { ...block, id }
    }),
  },
]

function idOf({ id, type }: Loose, { input, now, given }: Place): string | undefined {
  const isUsed = (wanted: string): boolean => given.has(wanted) || input.draft.pages.some(({ blocks }) => blocks.some((block) => block.id === wanted))
  if (typeof id === 'string' && id.trim() !== '') return typeof type === 'string' ? freeBlockId(id, isUsed) : id
  return typeof type === 'string' ? engineBlockId(type, now, isUsed) : undefined
}
