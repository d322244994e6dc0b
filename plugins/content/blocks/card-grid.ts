import { defineBlock } from './define.ts'

export const cardGrid = defineBlock({
  type: 'CardGrid',
  displayName: 'Card Grid',
  description: 'Several cards side by side: services, plans or articles.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text', need: 'filled' },
    subtitle: { kind: 'text' },
    columns: { kind: 'enum', options: ['2', '3', '4'], default: '3' },
    cardVariant: { kind: 'enum', options: ['default', 'full-bleed'], default: 'default' },
    cards: {
      kind: 'list',
      need: 'filled',
      itemFields: {
        title: { kind: 'text', need: 'filled' },
        description: { kind: 'text', need: 'filled', multiline: true },
        ctaText: { kind: 'text', need: 'filled', label: 'Button text' },
        ctaHref: { kind: 'url', need: 'filled', label: 'Button link' },
        imageUrl: {
          kind: 'image',
          need: 'filled-if-present',
          imageSpec: { aspectRatio: 'landscape', width: 768, height: 512 },
        },
        imageAlt: { kind: 'imageAlt', need: 'filled-if-present', label: 'Image description' },
      },
    },
  },
  starter: {
    title: 'What we offer',
    columns: '3',
    cards: [
      {
        title: 'Advice',
        description: 'An hour together to find out what you need.',
        ctaText: 'Book a talk',
        ctaHref: '/',
      },
      {
        title: 'Project',
        description: 'From the first sketch to the finished result.',
        ctaText: 'See how we work',
        ctaHref: '/',
      },
      {
        title: 'Care',
        description: 'We stay by your side after everything is done.',
        ctaText: 'Read more',
        ctaHref: '/',
      },
    ],
  },
})
