import { defineBlock } from './define.ts'

export const card = defineBlock({
  type: 'Card',
  displayName: 'Card',
  description: 'One offer with a title, a text and a button, with or without an image.',
  category: 'content',
  headingLevel: true,
  props: {
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
    variant: { kind: 'enum', options: ['default', 'full-bleed'], default: 'default' },
  },
  starter: {
    title: 'A good place to start',
    description: 'Describe one offer here: what it is, who it suits and what makes it worth a look.',
    ctaText: 'See prices',
    ctaHref: '/pricing',
  },
})
