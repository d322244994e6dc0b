import { imagePlaceholder } from '../field-kinds.ts'
import { defineBlock } from './define.ts'

export const quote = defineBlock({
  type: 'Quote',
  displayName: 'Quote',
  description: 'One sentence worth a whole row, with who said it.',
  category: 'content',
  headingLevel: false,
  props: {
    quote: { kind: 'richtext', need: 'filled' },
    author: { kind: 'text' },
    role: { kind: 'text' },
    imageUrl: {
      kind: 'image',
      label: 'Portrait',
      imageSpec: { aspectRatio: 'square', width: 128, height: 128 },
    },
    imageAlt: { kind: 'imageAlt', label: 'Portrait description' },
  },
  starter: {
    quote: 'Good work is the best advertisement.',
    author: 'Ines Carvalho',
    role: 'Founder',
    imageUrl: imagePlaceholder,
  },
})
