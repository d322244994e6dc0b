import { imagePlaceholder } from '../field-kinds.ts'
import { defineBlock } from './define.ts'

const slide = { imageUrl: imagePlaceholder, imageAlt: 'Image of this slide' }

export const carousel = defineBlock({
  type: 'Carousel',
  displayName: 'Carousel',
  description: 'Large images that slide one after the other, each with a text if wanted.',
  category: 'content',
  headingLevel: false,
  props: {
    items: {
      kind: 'list',
      need: 'filled',
      label: 'Slides',
      itemFields: {
        imageUrl: {
          kind: 'image',
          need: 'filled',
          imageSpec: { aspectRatio: 'landscape', width: 1200, height: 600 },
        },
        imageAlt: { kind: 'imageAlt', label: 'Image description' },
        heading: { kind: 'text' },
        description: { kind: 'text', multiline: true },
        ctaText: { kind: 'text', label: 'Button text' },
        ctaHref: { kind: 'url', label: 'Button link' },
      },
    },
    autoplay: { kind: 'enum', options: ['true', 'false'], default: 'false' },
    interval: { kind: 'number', label: 'Milliseconds per slide' },
  },
  starter: {
    items: [
      {
        ...slide,
        heading: 'Start strong',
        description: 'The first slide is the one that everybody sees.',
        ctaText: 'Find out more',
        ctaHref: '/',
      },
      { ...slide, heading: 'Then add detail', description: 'Show what the first image could not.' },
      {
        ...slide, heading: 'End with an invitation', description: 'Say what to do next.',
        ctaText: 'Get in touch', ctaHref: '/',
      },
    ],
    autoplay: 'false',
    interval: 5000,
  },
})
