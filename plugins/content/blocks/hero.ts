import { imagePlaceholder } from '../field-kinds.ts'
import { defineBlock } from './define.ts'

export const hero = defineBlock({
  type: 'Hero',
  displayName: 'Hero',
  description: 'The opening of a page: a large heading with an image and a call to action.',
  category: 'content',
  headingLevel: true,
  props: {
    heading: { kind: 'text', need: 'filled' },
    subheading: { kind: 'text', need: 'filled', multiline: true },
    ctaText: { kind: 'text', need: 'filled', label: 'Button text' },
    ctaHref: { kind: 'url', need: 'filled', label: 'Button link' },
    imageUrl: {
      kind: 'image',
      need: 'filled',
      imageSpec: { aspectRatio: 'landscape', width: 1536, height: 1024 },
    },
    imageAlt: { kind: 'imageAlt', need: 'filled', label: 'Image description' },
    imagePosition: { kind: 'enum', options: ['left', 'right', 'full'], default: 'right' },
    textAlign: { kind: 'enum', options: ['left', 'center'], default: 'left', label: 'Text alignment' },
    eyebrow: { kind: 'text', label: 'Line above the heading' },
    secondaryCtaText: { kind: 'text', label: 'Second button text' },
    secondaryCtaHref: { kind: 'url', label: 'Second button link' },
  },
  starter: {
    heading: 'Say what you do in one line',
    subheading: 'Add a sentence that tells visitors who it is for and what they get.',
    ctaText: 'Get started',
    ctaHref: '/',
    imageUrl: imagePlaceholder,
    imageAlt: 'Image at the top of the page',
    imagePosition: 'right',
  },
})
