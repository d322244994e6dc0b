import { defineBlock } from './define.ts'

export const tabs = defineBlock({
  type: 'Tabs',
  displayName: 'Tabs',
  description: 'Several texts in one place; visitors choose which to read.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text' },
    tabs: {
      kind: 'list',
      need: 'filled',
      itemFields: { label: { kind: 'text', need: 'filled' }, content: { kind: 'richtext', need: 'filled' } },
    },
  },
  starter: {
    title: 'Everything at a glance',
    tabs: [
      { label: 'Overview', content: 'Sum up in two sentences what visitors will find here.' },
      {
        label: 'How it works',
        content: '1. Choose what you need.\n2. We get to work.\n3. You see the result.',
      },
      {
        label: 'What is included',
        content: '- advice before we start\n- the work itself\n- help afterwards',
      },
      { label: 'Delivery', content: 'Say **when** and **how** things arrive.' },
      { label: 'Good to know', content: 'Answer the question that you hear most often.' },
    ],
  },
})
