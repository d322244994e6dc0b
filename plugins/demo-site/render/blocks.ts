import { headingLevelOf, rowHeadingLevelOf } from '../../content/fields.ts'
import { html, isHtml, type Html } from '../../content/markup.ts'
import type { Block } from '../../content/page.ts'
import { card, cardGrid, featureGrid, hero, twoColumn } from './block-cards.ts'
import { carousel, embed, gallery, stats, table, video } from './block-media.ts'
import { banner, cta, faqAccordion, quote, richText, tabs, testimonials } from './block-texts.ts'
import { footer, siteHeader } from './chrome.ts'
import type { BlockRenderer, BlockView } from './parts.ts'

const renderers: ReadonlyMap<string, BlockRenderer> = new Map(
  Object.entries({
    Hero: hero,
    FeatureGrid: featureGrid,
    Testimonials: testimonials,
    FAQAccordion: faqAccordion,
    CTA: cta,
    Card: card,
    CardGrid: cardGrid,
    RichText: richText,
    Stats: stats,
    TwoColumn: twoColumn,
    Footer: footer,
    SiteHeader: siteHeader,
    Embed: embed,
    Banner: banner,
    Carousel: carousel,
    Gallery: gallery,
    Tabs: tabs,
    Table: table,
    Quote: quote,
    Video: video,
  }),
)

/** Block types of a site, as in `defineBlocks`. A `component` that maps props to `html` renders its block. */
export type OwnBlocks = Readonly<Record<string, { readonly component?: unknown }>>

/**
 * Renders a block inside an element with its id and type, which the editor and links use to find it.
 *
 * A type without a renderer renders as an empty element: the block can still be found and removed.
 */
export function renderBlock(block: Block, isOwn: BlockView['isOwn'], blocks: OwnBlocks = {}): Html {
  const levels = { level: headingLevelOf(block), inner: rowHeadingLevelOf(block) }
  const component = Object.hasOwn(blocks, block.type) ? blocks[block.type]?.component : undefined
  const own: unknown = typeof component === 'function' ? component(block.props) : undefined
  const content = isHtml(own)
    ? own
    : (renderers.get(block.type)?.({ id: block.id, props: block.props, isOwn, ...levels }) ?? html``)
  const marks = html`id="${block.id}" data-block-id="${block.id}" data-block-type="${block.type}"`
  if (block.type === 'SiteHeader') return html`<header class="site-header" ${marks}>${content}</header>`
  if (block.type === 'Footer') return html`<footer class="site-footer" ${marks}>${content}</footer>`
  return html`<section class="block" ${marks}>${content}</section>`
}
