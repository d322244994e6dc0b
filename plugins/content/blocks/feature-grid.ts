import { defineBlock } from './define.ts'

export const featureGrid = defineBlock({
  type: 'FeatureGrid',
  displayName: 'Feature Grid',
  description: 'Short features side by side, each with an icon, a title and a sentence.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text', need: 'filled' },
    columns: { kind: 'enum', options: ['2', '3', '4'], default: '3' },
    features: {
      kind: 'list',
      need: 'filled',
      itemFields: {
        icon: { kind: 'text', label: 'Icon (emoji or image address)' },
        title: { kind: 'text', need: 'filled' },
        description: { kind: 'text', need: 'filled', multiline: true },
      },
    },
  },
  starter: {
    title: 'Why people choose us',
    columns: '3',
    features: [
      { icon: '⚡', title: 'Quick to start', description: 'You are up and running the same day.' },
      {
        icon: '🤝',
        title: 'Real people',
        description: 'Questions are answered by someone who knows the work.',
      },
      { icon: '🌱', title: 'Built to last', description: 'We choose what still serves you in five years.' },
    ],
  },
})
