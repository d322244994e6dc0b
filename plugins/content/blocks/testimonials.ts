import { defineBlock } from './define.ts'

export const testimonials = defineBlock({
  type: 'Testimonials',
  displayName: 'Testimonials',
  description: 'What customers say, in their own words.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text', need: 'filled' },
    items: {
      kind: 'list',
      need: 'filled',
      label: 'Testimonials',
      itemFields: {
        quote: { kind: 'text', need: 'filled', multiline: true },
        author: { kind: 'text', need: 'filled' },
        role: { kind: 'text' },
        imageUrl: {
          kind: 'image',
          label: 'Portrait',
          imageSpec: { aspectRatio: 'square', width: 64, height: 64 },
        },
        imageAlt: { kind: 'imageAlt', label: 'Portrait description' },
      },
    },
  },
  starter: {
    title: 'What our customers say',
    items: [
      { quote: 'They listened first, and then did exactly what we had agreed.', author: 'Maria Lindqvist' },
      { quote: 'Friendly, on time, and the result speaks for itself.', author: 'Tom Okafor' },
    ],
  },
})
