import { ingestPage, type KnownTypes } from '../ingest.ts'
import { withoutGeneratedItemIds } from '../items.ts'
import type { Block, Fields, Page } from '../model.ts'
import { sameJson } from '../same-json.ts'
import { diffBlocks, unchangedBlocks } from './blocks.ts'
import { diffProps, unknownFields, type Sides } from './fields.ts'
import type { PageDiff } from './schema.ts'

const noFields: Fields = {}

export function addedPage({ slug, title, blocks }: Page): PageDiff {
  const blockDiffs = diffBlocks({ before: [], after: blocks }, () => noFields)
  return { slug, status: 'added', titleAfter: title, blockDiffs }
}

export function removedPage({ slug, title, blocks }: Page): PageDiff {
  const blockDiffs = diffBlocks({ before: blocks, after: [] }, () => noFields)
  return { slug, status: 'removed', titleBefore: title, blockDiffs }
}

export function unchangedPage({ slug, blocks }: Page): PageDiff {
  return { slug, status: 'unchanged', blockDiffs: unchangedBlocks(blocks) }
}

/** Compares title, meta and blocks of a page that both sides have. */
export function comparedPage({ before, after }: Sides<Page>, known: KnownTypes): PageDiff {
  const titles = before.title !== after.title && { titleBefore: before.title, titleAfter: after.title }
  const metaDiffs = diffProps({ before: before.meta ?? {}, after: after.meta ?? {} }, unknownFields)
  const blockDiffs = comparedBlocks({ before, after }, known)
  const modified = titles || metaDiffs.length > 0 || blockDiffs.some(({ status }) => status !== 'unchanged')
  return {
    slug: after.slug,
    status: modified ? 'modified' : 'unchanged',
    ...titles,
    blockDiffs,
    ...(metaDiffs.length > 0 && { metaDiffs }),
  }
}

/** Equal blocks stay equal when they are repaired, so the repair, which costs more, is left for the others. */
function comparedBlocks({ before, after }: Sides<Page>, known: KnownTypes): PageDiff['blockDiffs'] {
  if (sameJson(withoutRowIds(before), withoutRowIds(after))) return unchangedBlocks(after.blocks)
  const repaired = (page: Page) => withoutRowIds(ingestPage(page, known))
  return diffBlocks({ before: repaired(before), after: repaired(after) }, (type) => fieldsOf(type, known))
}

function withoutRowIds({ blocks }: Page): readonly Block[] {
  return blocks.map(({ id, type, props }) => ({ id, type, props: withoutGeneratedItemIds(props) }))
}

function fieldsOf(type: string, { manifest, registry }: KnownTypes): Fields {
  return (manifest?.get(type) ?? registry.get(type))?.fields ?? noFields
}
