import type { BlockTypeInput } from '../model.ts'
import { banner } from './banner.ts'
import { cardGrid } from './card-grid.ts'
import { card } from './card.ts'
import { carousel } from './carousel.ts'
import { cta } from './cta.ts'
import { embed } from './embed.ts'
import { faqAccordion } from './faq-accordion.ts'
import { featureGrid } from './feature-grid.ts'
import { footer } from './footer.ts'
import { gallery } from './gallery.ts'
import { hero } from './hero.ts'
import { quote } from './quote.ts'
import { richText } from './rich-text.ts'
import { siteHeader } from './site-header.ts'
import { stats } from './stats.ts'
import { table } from './table.ts'
import { tabs } from './tabs.ts'
import { testimonials } from './testimonials.ts'
import { twoColumn } from './two-column.ts'
import { video } from './video.ts'

/** The block types that come with the orchestrator, in the order that people see them. */
export const builtinBlocks: readonly BlockTypeInput[] = [
  hero, featureGrid, testimonials, faqAccordion, cta, card, cardGrid, richText, stats, twoColumn,
  footer, siteHeader, embed, banner, carousel, gallery, tabs, table, quote, video,
]
