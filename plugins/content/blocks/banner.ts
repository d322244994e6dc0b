import { defineBlock } from './define.ts'

export const banner = defineBlock({
  type: 'Banner',
  displayName: 'Banner',
  description: 'A coloured strip with a short announcement. Its own colours override those of the variant.',
  category: 'content',
  headingLevel: false,
  props: {
    text: { kind: 'text', need: 'filled' },
    variant: { kind: 'enum', options: ['info', 'success', 'warning'], default: 'info' },
    ctaText: { kind: 'text', label: 'Button text' },
    ctaHref: { kind: 'url', label: 'Button link' },
    backgroundColor: { kind: 'color' },
    textColor: { kind: 'color' },
  },
  starter: { text: 'Something new is here.', variant: 'info', ctaText: 'Take a look', ctaHref: '/' },
})
