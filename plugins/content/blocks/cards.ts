import type { BlockTypeInput } from '../model.ts'
import {
  alt,
  button,
  choice,
  columns,
  type Declarations,
  defineBlock,
  filled,
  filledLink,
  image,
  list,
  longText,
  text,
} from './define.ts'

const offer: Declarations = {
  title: filled(text),
  description: filled(longText),
  ...filledLink,
  imageUrl: image(768, 512, { need: 'filled-if-present' }),
  imageAlt: { ...alt, need: 'filled-if-present' },
}
const offerVariant = choice('default', 'default', 'full-bleed')

/** The blocks of offers: one, or several side by side. */
export const cardBlocks: readonly BlockTypeInput[] = [
  defineBlock('Card', 'One offer with a title, a text and a button, with or without an image.', {
    props: { ...offer, variant: offerVariant },
    starter: {
      title: 'A good place to start',
      description: 'Describe one offer here: what it is, who it suits and what makes it worth a look.',
      ctaText: 'See prices',
      ctaHref: '/pricing',
    },
  }),
  defineBlock('CardGrid', 'Several cards side by side: services, plans or articles.', {
    props: { title: filled(text), subtitle: text, columns, cardVariant: offerVariant, cards: list(offer) },
    starter: {
      title: 'What we offer',
      columns: '3',
      cards: [
        {
          title: 'Advice',
          description: 'An hour together to find out what you need.',
          ...button('Book a talk'),
        },
        {
          title: 'Project',
          description: 'From the first sketch to the finished result.',
          ...button('See how we work'),
        },
        {
          title: 'Care',
          description: 'We stay by your side after everything is done.',
          ...button('Read more'),
        },
      ],
    },
  }),
]
