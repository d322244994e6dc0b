import * as v from 'valibot'
import { freeBlockId } from '../block-ids.ts'
import { ingestPage } from '../ingest.ts'
import type { Block, BlockType, Page } from '../model.ts'
import { canonicalSlug, titleFromSlug } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { enforce } from './enforce.ts'
import { admitToDemo, refuseTaken } from './find.ts'
import { newPageId } from './page-id.ts'
import { refuse } from './refuse.ts'
import { propsViolations, settleNewProps } from './settle-block.ts'
import { block, name, openObject, operation, optional } from './shapes.ts'
import { addPage, isBlockIdElsewhere, isBlockIdUsed, orderOf, type BatchState } from './state.ts'

const text = v.string('wanted a text')
const page = openObject({
  id: optional(text),
  slug: name('the slug of the new page, such as "/about"'),
  title: optional(text),
  updatedAt: optional(text),
  blocks: optional(v.array(block, 'wanted a list of blocks')),
  meta: optional(openObject({ title: optional(text), description: optional(text), ogImage: optional(text) }, 'an object')),
}, 'a page: an object with at least a slug')

export const createPage = defineOperation({
  name: 'create_page',
  summary: 'Adds a page, last in order. What the page leaves out but its slug is filled in.',
  structural: false,
  schema: operation('create_page', { page }),
  needs: (op) => ({ pages: [op.page.slug], order: true, blockIds: true }),
  apply(state, op) {
    const slug = canonicalSlug(op.page.slug)
    if (slug === undefined) {
      return refuse('schema_violation', `'${op.page.slug}' cannot be a slug: use letters, digits and - . _ ~ between slashes, such as /about`, { path: 'page.slug' })
    }
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
  const used = new Set<string>()
  return blocks.map((block, index) => {
    const { blockType } = knownType(state, block.type, `page.blocks[${index}].type`)
    const id = used.has(block.id) ? freeBlockId(block.id, (wanted) => used.has(wanted) || isBlockIdUsed(state, wanted)) : block.id
    if (id !== block.id) state.notes.push(`block ${block.id} comes twice; the second is called ${id}`)
    else if (isBlockIdElsewhere(state, id, slug)) state.notes.push(`block id ${id} is used on another page too`)
    used.add(id)
    const named = { ...block, id }
    return { ...named, props: settleNewProps(state, named, blockType) }
  })
}

/** A plan has to get every block right; what people and the system bring in is kept, with a remark. */
function checkBlocks(state: BatchState, blocks: readonly Block[]): void {
  blocks.forEach(({ type, props, id }, index) => {
    const at = `page.blocks[${index}].props`
    const { by, blockType } = knownType(state, type, at)
    const found = propsViolations(blockType, props)
    if (state.context.source === 'planner') enforce(state, by, found, { at: (path) => (path === '' ? at : `${at}.${path}`) })
    else state.notes.push(...found.map(({ path, message }) => `${id}: ${path} ${message}`))
  })
}

/** A page may hold any block type that somebody declares, pinned ones as well. */
function knownType({ context }: BatchState, type: string, path: string): { readonly by: 'manifest' | 'registry'; readonly blockType: BlockType } {
  admitToDemo(context, type)
  const declared = context.manifest?.get(type)
  const blockType = declared ?? context.registry.get(type)
  if (blockType) return { by: declared ? 'manifest' : 'registry', blockType }
  const admissible = [...new Set([...(context.manifest?.types() ?? []), ...context.registry.types()].map((known) => known.type))]
  return refuse('schema_violation', `unknown block type '${type}'; use one of ${admissible.join(', ')}`, { path, admissible })
}
