import * as v from 'valibot'
import { declaredType } from '../registry.ts'
import { withFile } from '../file-slugs.ts'
import { ingestPage } from '../ingest.ts'
import { isLocked } from '../locked.ts'
import type { Block, Page } from '../model.ts'
import { pageSize } from '../page-bytes.ts'
import { titleFromSlug } from '../slugs.ts'
import { defineOperation } from './definition.ts'
import { check, enforce, enforcedSchema } from './enforce.ts'
import { nameInMenu } from './menu-name.ts'
import { violates } from './refuse.ts'
import { block, name, openObject, optional, text } from './shapes.ts'
import { addPage, type BatchState, createBlocks, newPageId, noteIfElsewhere, orderOf } from './state.ts'
import { admitToDemo, newSlug, refuseNewLock, refuseTaken, type Rules } from './target.ts'
import { newProps, pathsBelow } from './values.ts'

const meta = { title: optional(text), description: optional(text), ogImage: optional(text) }

/** The fields of a page as sent. */
export const pageFields = {
  id: optional(text),
  slug: name('the slug of the new page, such as "/about"'),
  title: optional(text),
  updatedAt: optional(text),
  blocks: optional(v.array(block, 'wanted a list of blocks')),
  meta: optional(openObject(meta, 'an object')),
}
const page = openObject(pageFields, 'a page: an object with at least a slug')

export const createPage = defineOperation(
  'create_page',
  { page },
  {
    summary: 'Adds a page, last in order. What the page leaves out but its slug is filled in.',
    needs: (op) => ({ pages: [op.page.slug], order: true, config: true, blockIds: true, pageIds: true }),
    apply(state, op) {
      const slug = newSlug(op.page.slug, 'page.slug')
      refuseTaken(state, slug, 'page.slug')

      const { meta, title, ...given } = op.page
      const created: Page = {
        ...given,
        id: given.id || newPageId(state, slug),
        slug,
        title: title?.trim() ? title : titleFromSlug(slug),
        updatedAt: state.now.toISOString(),
        blocks: newBlocks(state, slug, given.blocks ?? []),
        ...(meta && { meta }),
      }
      const page = ingestPage(withFile(created), state.context)
      checkBlocks(state, page.blocks)
      createBlocks(state, page.blocks, pageSize(page))
      addPage(state, page, [...orderOf(state), slug])
      if (title?.trim()) nameInMenu(state, slug, page.title)
      return { op: { ...op, page } }
    },
  },
)

function newBlocks(state: BatchState, slug: string, blocks: readonly Block[]): readonly Block[] {
  const own = new Set<string>()
  const before = state.draft.page(slug)?.blocks
  return blocks.map((block, index) => {
    refuseNewLock(block, `page.blocks[${index}]`, before)
    if (isLocked(block)) return block
    const { blockType } = rulesAnywhere(state, block.type, `page.blocks[${index}].type`)
    const id = own.has(block.id) ? state.freeId(block.id) : block.id
    if (id === block.id) noteIfElsewhere(state, slug, id)
    else state.notes.push(`block ${block.id} comes twice; the second is called ${id}`)
    own.add(id)
    state.newIds.add(id)
    const named = { ...block, id }
    return { ...named, props: newProps(state, named, blockType, `page.blocks[${index}].props`) }
  })
}

/** Refuses invalid blocks of a plan; keeps those from people and the system, with a note. */
function checkBlocks(state: BatchState, blocks: readonly Block[]): void {
  blocks.forEach((block, index) => {
    if (isLocked(block)) return
    const { type, props, id } = block
    const at = `page.blocks[${index}].props`
    const { by, blockType } = rulesAnywhere(state, type, at)
    const schema = enforcedSchema(blockType)
    if (state.context.source === 'planner') {
      enforce(state, { by, schema, at: '', after: props, pathInOp: pathsBelow(at) })
    } else {
      const found = check(state, schema, props, '')
      state.notes.push(...found.map(({ path, message }) => `${id}: ${path} ${message}`))
    }
  })
}

/** A page may contain any declared block type, including pinned ones. */
function rulesAnywhere({ context }: BatchState, type: string, path: string): Rules {
  admitToDemo(context, type)
  const { manifest, registry } = context
  const blockType = declaredType(type, context)
  if (blockType) return { by: manifest?.get(type) ? 'manifest' : 'registry', blockType }
  const types = [...(manifest?.types() ?? []), ...registry.types()].map((each) => each.type)
  const admissible = [...new Set(types)]
  return violates(path, `unknown block type '${type}'; use one of ${admissible.join(', ')}`, admissible)
}
