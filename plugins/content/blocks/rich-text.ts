import { defineBlock } from './define.ts'

const body = `Longer texts live here. Put in **bold** what must not be missed, in *italics* what is worth a pause.

## A heading keeps readers going

Short paragraphs are easier on the eye, and a list is easier still:

- one thought per line
- the most important one first
- no more than seven

When order matters, number the steps:

1. Tell us what you need.
2. We send you a proposal.
3. You decide.`

export const richText = defineBlock({
  type: 'RichText',
  displayName: 'Rich Text',
  description: 'Running text with headings, lists and links.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text', need: 'present' },
    body: { kind: 'richtext', need: 'filled' },
  },
  starter: { title: 'About this page', body },
})
