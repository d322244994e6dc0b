import type { BlockTypeInput } from '../model.ts'
import { banner, cta, hero, quote, richText, twoColumn } from './text.ts'
import { card, cardGrid, faqAccordion, featureGrid, stats, table, tabs, testimonials } from './lists.ts'
import { carousel, embed, gallery, video } from './media.ts'
import { footer, siteHeader } from './chrome.ts'

/** The built-in block types, in display order. */
export const builtinBlocks: readonly BlockTypeInput[] = [
  hero,
  featureGrid,
  testimonials,
  faqAccordion,
  cta,
  card,
  cardGrid,
  richText,
  stats,
  twoColumn,
  footer,
  siteHeader,
  embed,
  banner,
  carousel,
  gallery,
  tabs,
  table,
  quote,
  video,
]
