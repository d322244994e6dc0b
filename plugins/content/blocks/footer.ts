import { defineBlock } from './define.ts'

export const footer = defineBlock({
  type: 'Footer',
  displayName: 'Footer',
  description: 'The end of every page: columns of links and the copyright line.',
  category: 'navigation',
  chrome: true,
  headingLevel: true,
  props: {
    copyright: { kind: 'text', need: 'filled' },
    columns: {
      kind: 'list',
      need: 'filled',
      itemFields: {
        title: { kind: 'text', need: 'filled' },
        links: { kind: 'richtext', need: 'filled', label: 'Links (one Label|URL per line)' },
      },
    },
  },
  starter: {
    copyright: '© All rights reserved.',
    columns: [
      { title: 'Company', links: 'About us|/about\nContact|/contact' },
      { title: 'Service', links: 'Prices|/pricing\nQuestions|/faq' },
    ],
  },
})
