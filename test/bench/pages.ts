import { builtinRegistry } from '../../plugins/content/registry.ts'
import type { Block, Page } from '../../plugins/content/page.ts'

/** Typical blocks, each with the default text of its type. */
export const types = [
  'RichText',
  'Hero',
  'CardGrid',
  'FAQAccordion',
  'FeatureGrid',
  'Testimonials',
  'Stats',
  'CTA',
  'TwoColumn',
  'Quote',
]

/** The block changed by the measured operations. */
export const target = 'b_richtext_0'

/** A page of about `bytes` bytes of JSON. */
export function pageOf(bytes: number, slug = '/'): Page {
  const blocks: Block[] = []
  for (let size = 0, at = 0; size < bytes; at++) {
    const type = types[at % types.length] ?? 'RichText'
    const block = {
      id: `b_${type.toLowerCase()}_${at}`,
      type,
      props: { ...builtinRegistry.get(type)?.starter() },
    }
    size += JSON.stringify(block).length
    blocks.push(block)
  }
  return {
    id: slug === '/' ? 'p_home' : `p_${slug.slice(1)}`,
    slug,
    title: `Page ${slug}`,
    updatedAt: '2026-01-01T12:00:00.000Z',
    blocks,
  }
}

/** A site of `count` pages of about `bytes` bytes each, home first. */
export function siteOf(count: number, bytes: number): readonly Page[] {
  return Array.from({ length: count }, (_, at) => pageOf(bytes, at === 0 ? '/' : `/page-${at}`))
}
