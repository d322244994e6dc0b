import { effectiveItemFields, headingLevelOf, labelOf, rowHeadingLevelOf } from '../../content/fields.ts'
import { html, isHtml, type Html } from '../../content/markup.ts'
import type { Fields } from '../../content/model.ts'
import type { Block, Props } from '../../content/page.ts'
import { isPlainObject, ownValue } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { card, cardGrid, featureGrid, hero, twoColumn } from './block-cards.ts'
import { carousel, embed, gallery, stats, table, video } from './block-media.ts'
import { banner, cta, faqAccordion, quote, richText, tabs, testimonials } from './block-texts.ts'
import { footer, siteHeader } from './chrome.ts'
import { list as listOf, type BlockRenderer, type BlockView, type View } from './parts.ts'

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
export function renderBlock(
  block: Block,
  isOwn: BlockView['isOwn'],
  { blocks = {}, draft = false }: { readonly blocks?: OwnBlocks | undefined; readonly draft?: boolean } = {},
): Html {
  const levels = { level: headingLevelOf(block), inner: rowHeadingLevelOf(block) }
  const component = Object.hasOwn(blocks, block.type) ? blocks[block.type]?.component : undefined
  const fields = draft ? (builtinRegistry.get(block.type)?.fields ?? {}) : undefined
  const view = viewOf(block.props, fields)
  const own: unknown = typeof component === 'function' ? component(block.props) : undefined
  const content = isHtml(own)
    ? own
    : (renderers.get(block.type)?.({ id: block.id, isOwn, ...levels, ...view }) ?? html``)
  const marks = html`id="${block.id}" data-block-id="${block.id}" data-block-type="${block.type}"`
  if (block.type === 'SiteHeader')
    return html`<header class="site-header" ${marks} data-block-chrome="true">${content}</header>`
  if (block.type === 'Footer')
    return html`<footer class="site-footer" ${marks} data-block-chrome="true">${content}</footer>`
  return html`<section class="block${draft && ' editor-selectable'}" ${marks}>${content}</section>`
}

/** Returns the props of a block or row; with `fields`, its elements are marked for editors below `path`. */
function viewOf(props: Props, fields: Fields | undefined, path = ''): View {
  return {
    props,
    mark(name) {
      if (!fields) return html``
      if (name === undefined) return html` data-editable-target="${path}"`
      const meta = ownValue(fields, name)
      const target = path === '' ? name : `${path}.${name}`
      const isMultiline = meta?.kind === 'richtext'
      return html` data-editable-target="${target}" data-editable-label="${labelOf(name, meta)}" data-editable-kind="${meta?.kind ?? 'cell'}"${isMultiline && html` data-editable-multiline`}`
    },
    rows: (list) =>
      listOf(props, list).flatMap((row, at) => {
        const meta = fields && ownValue(fields, list)
        const inner = fields && (meta && isPlainObject(row) ? effectiveItemFields(meta, row) : {})
        return isPlainObject(row) ? [viewOf(row, inner, `${path && `${path}.`}${list}[${at}]`)] : []
      }),
  }
}
