import { defineBlock } from './define.ts'

export const stats = defineBlock({
  type: 'Stats',
  displayName: 'Stats',
  description: 'A few large numbers with a label each.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text' },
    stats: {
      kind: 'list',
      need: 'filled',
      label: 'Numbers',
      itemFields: {
        icon: { kind: 'text' },
        value: { kind: 'text', need: 'filled' },
        label: { kind: 'text', need: 'filled' },
        description: { kind: 'text' },
      },
    },
  },
  starter: {
    title: 'In numbers',
    stats: [
      { value: '12', label: 'years of experience' },
      { value: '450+', label: 'happy customers' },
      { value: '98 %', label: 'would come back' },
    ],
  },
})
