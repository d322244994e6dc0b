import { imagePlaceholder } from '../../content/fields.ts'
import type { Page, PageMeta, Props } from '../../content/page.ts'

/** Creates a page of the demo website from block props by type. */
export function demoPage(
  slug: string,
  title: string,
  meta: PageMeta,
  blocks: Readonly<Record<string, Props>>,
): Page {
  const name = slug.slice(1) || 'home'
  return {
    id: `p_${name}`,
    slug,
    title,
    updatedAt: '2026-01-01T09:00:00.000Z',
    meta,
    blocks: Object.entries(blocks).map(([type, props]) => ({
      id: `b_${type.toLowerCase()}_${name}`,
      type,
      props,
    })),
  }
}

export const button = (ctaText: string, ctaHref: string) => ({ ctaText, ctaHref })
export const picture = (imageAlt: string) => ({ imageUrl: imagePlaceholder, imageAlt })
