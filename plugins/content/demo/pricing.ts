import { imagePlaceholder } from '../field-kinds.ts'
import type { Page } from '../model.ts'

const terms = `Every bike gets a **written estimate** before we start. If we find something on the way, we call first.

### Common repairs

- flat tyre, tube included: € 14
- new chain, fitted: from € 32
- brake pads, per wheel: € 18

Old parts are yours to keep. Leave them with us and we recycle them.`

export const pricing: Page = {
  id: 'p_pricing',
  slug: '/pricing',
  title: 'Pricing',
  updatedAt: '2026-01-01T09:00:00.000Z',
  meta: {
    title: 'Prices – Fern & Spoke',
    description: 'Fixed prices for check-ups and common repairs. Parts are charged at list price.',
  },
  blocks: [
    {
      id: 'b_hero_pricing',
      type: 'Hero',
      props: {
        heading: 'Prices you can plan with',
        subheading: 'Labour at a fixed price, parts at list price, and a call before anything else is added.',
        ctaText: 'Compare check-ups',
        ctaHref: '#b_table_pricing',
        imageUrl: imagePlaceholder,
        imageAlt: 'A price board above the workshop counter',
        imagePosition: 'right',
        textAlign: 'left',
      },
    },
    {
      id: 'b_table_pricing',
      type: 'Table',
      props: {
        title: 'Three sizes of check-up',
        headers: ['What you get', 'Basic', 'Yearly', 'Complete'],
        rows: [
          ['Brakes and gears adjusted', 'yes', 'yes', 'yes'],
          ['Wheels trued', '–', 'yes', 'yes'],
          ['Bearings cleaned and greased', '–', '–', 'yes'],
          ['Ready within', '1 day', '1 day', '3 days'],
          ['Price without parts', '€ 35', '€ 75', '€ 160'],
        ],
        striped: 'true',
      },
    },
    {
      id: 'b_card_pricing',
      type: 'Card',
      props: {
        title: 'The commuter plan',
        description: 'Two check-ups a year, free punctures and a loan bike when yours stays overnight: € 12 a month.',
        ctaText: 'What riders ask',
        ctaHref: '/faq',
        imageUrl: imagePlaceholder,
        imageAlt: 'A loan bike with the workshop’s logo on its basket',
        variant: 'full-bleed',
      },
    },
    { id: 'b_richtext_pricing', type: 'RichText', props: { title: 'How we charge', body: terms } },
  ],
}
