import { defineBlock } from './define.ts'

export const faqAccordion = defineBlock({
  type: 'FAQAccordion',
  displayName: 'FAQ Accordion',
  description: 'Questions that open to show their answers.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text', need: 'filled' },
    items: {
      kind: 'list',
      need: 'filled',
      label: 'Questions',
      itemFields: {
        q: { kind: 'text', need: 'filled', label: 'Question' },
        a: { kind: 'richtext', need: 'filled', label: 'Answer' },
      },
    },
  },
  starter: {
    title: 'Frequently asked questions',
    items: [
      { q: 'How do I get in touch?', a: 'Write to us or call; we answer within one working day.' },
      {
        q: 'What does it cost?',
        a: 'That depends on what you need. We send you a price before any work starts.',
      },
    ],
  },
})
