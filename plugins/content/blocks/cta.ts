import { defineBlock } from './define.ts'

export const cta = defineBlock({
  type: 'CTA',
  displayName: 'Call to Action',
  description: 'Asks visitors to take the next step, with one or two buttons.',
  category: 'conversion',
  headingLevel: true,
  props: {
    title: { kind: 'text', need: 'filled' },
    description: { kind: 'text', need: 'filled', multiline: true },
    ctaText: { kind: 'text', need: 'filled', label: 'Button text' },
    ctaHref: { kind: 'url', need: 'filled', label: 'Button link' },
    secondaryCtaText: { kind: 'text', label: 'Second button text' },
    secondaryCtaHref: { kind: 'url', label: 'Second button link' },
  },
  starter: {
    title: 'Ready when you are',
    description: 'Tell us what you have in mind and we will come back with a plan.',
    ctaText: 'Contact us',
    ctaHref: '/',
  },
})
