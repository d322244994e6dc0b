import * as v from 'valibot'
import { freeBlockIds } from '../block-ids.ts'
import { ingestPage } from '../ingest.ts'
import type { Block, Page } from '../model.ts'
import { titleFromSlug } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { enforce } from './enforce.ts'
import { admitToDemo, newPageId, refuseTaken, type Rules } from './find.ts'
import { violates } from './refuse.ts'
import { inProps, propsViolations, settleNewProps } from './settle.ts'
import { block, name, openObject, operation, optional } from './shapes.ts'
import { newSlugFrom } from './slug-spellings.ts'
import {
  addPage, blockIdsElsewhere, noteIfElsewhere, orderOf, usedBlockIds, type BatchState,
} from './state.ts'

const text = v.string('wanted a text')
const entries = { title: optional(text), description: optional(text), ogImage: optional(text) }
const page = openObject({
  id: optional(text),
  slug: name('the slug of the new page, such as "/about"'),
  title: optional(text),
  updatedAt: optional(text),
  blocks: optional(v.array(block, 'wanted a list of blocks')),
  meta: optional(openObject(entries, 'an object')),
}, 'a page: an object with at least a slug')

export const createPage = defineOperation({
  name: 'create_page',
  summary: 'Adds a page, last in order. What the page leaves out but its slug is filled in.',
  structural: false,
  schema: operation('create_page', { page }),
  needs: (op) => ({ pages: [op.page.slug], order: true, blockIds: true, pageIds: true }),
  apply(state, op) {
    const slug = newSlugFrom(op.page.slug, 'page.slug')
    refuseTaken(state, slug, 'page.slug')

    const { meta, title, ...given } = op.page
    const created: Page = {
      ...given,
      id: given.id || newPageId(state, slug),
      slug,
      title: title?.trim() ? title : titleFromSlug(slug),
      updatedAt: state.now.toISOString(),
      blocks: settledBlocks(state, slug, given.blocks ?? []),
      ...(meta && { meta }),
    }
    const page = ingestPage(created, state.context)
    checkBlocks(state, page.blocks)
    addPage(state, page, [...orderOf(state), slug])
    return { op: { ...op, page } }
  },
})

function settledBlocks(state: BatchState, slug: string, blocks: readonly Block[]): readonly Block[] {
  const own = new Set<string>()
  const isUsed = usedBlockIds(state, { many: true })
  const isElsewhere = blockIdsElsewhere(state, slug, { many: true })
  const free = freeBlockIds((id) => own.has(id) || isUsed(id))
  return blocks.map((block, index) => {
    const { blockType } = rulesAnywhere(state, block.type, `page.blocks[${index}].type`)
    const id = own.has(block.id) ? free(block.id) : block.id
    if (id === block.id) noteIfElsewhere(state, id, isElsewhere)
    else state.notes.push(`block ${block.id} comes twice; the second is called ${id}`)
    own.add(id)
    const named = { ...block, id }
    return { ...named, props: settleNewProps(state, named, blockType, `page.blocks[${index}].props`) }
  })
}

/** A plan has to get every block right; what people and the system bring in is kept, with a remark. */
function checkBlocks(state: BatchState, blocks: readonly Block[]): void {
  blocks.forEach(({ type, props, id }, index) => {
    const at = `page.blocks[${index}].props`
    const { by, blockType } = rulesAnywhere(state, type, at)
    const found = propsViolations(state, blockType, props)
    if (state.context.source === 'planner') enforce(state, by, found, { at: inProps(at) })
    else state.notes.push(...found.map(({ path, message }) => `${id}: ${path} ${message}`))
  })
}

/** A page may hold any block type that is declared, pinned ones as well. */
function rulesAnywhere({ context }: BatchState, type: string, path: string): Rules {
  admitToDemo(context, type)
  const { manifest, registry } = context
  const declared = manifest?.get(type)
  const blockType = declared ?? registry.get(type)
  if (blockType) return { by: declared ? 'manifest' : 'registry', blockType }
  const types = [...(manifest?.types() ?? []), ...registry.types()].map((known) => known.type)
  const admissible = [...new Set(types)]
  return violates(path, `unknown block type '${type}'; use one of ${admissible.join(', ')}`, admissible)
}
