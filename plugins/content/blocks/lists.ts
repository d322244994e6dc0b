import { defineBlock } from './define.ts'

export const card = defineBlock({
  type: 'Card',
  displayName: 'Card',
  description: 'One offer with a title, a text and a button, with or without an image.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text', need: 'filled' },
    description: { kind: 'text', need: 'filled', multiline: true },
    ctaText: { kind: 'text', need: 'filled', label: 'Button text' },
    ctaHref: { kind: 'url', need: 'filled', label: 'Button link' },
    imageUrl: {
      kind: 'image',
      need: 'filled-if-present',
      imageSpec: { aspectRatio: 'landscape', width: 768, height: 512 },
    },
    imageAlt: { kind: 'imageAlt', need: 'filled-if-present', label: 'Image description' },
    variant: { kind: 'enum', options: ['default', 'full-bleed'], default: 'default' },
  },
  starter: {
    title: 'A good place to start',
    description: 'Describe one offer here: what it is, who it suits and what makes it worth a look.',
    ctaText: 'See prices',
    ctaHref: '/pricing',
  },
})

export const cardGrid = defineBlock({
  type: 'CardGrid',
  displayName: 'Card Grid',
  description: 'Several cards side by side: services, plans or articles.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text', need: 'filled' },
    subtitle: { kind: 'text' },
    columns: { kind: 'enum', options: ['2', '3', '4'], default: '3' },
    cardVariant: { kind: 'enum', options: ['default', 'full-bleed'], default: 'default' },
    cards: {
      kind: 'list',
      need: 'filled',
      itemFields: {
        title: { kind: 'text', need: 'filled' },
        description: { kind: 'text', need: 'filled', multiline: true },
        ctaText: { kind: 'text', need: 'filled', label: 'Button text' },
        ctaHref: { kind: 'url', need: 'filled', label: 'Button link' },
        imageUrl: {
          kind: 'image',
          need: 'filled-if-present',
          imageSpec: { aspectRatio: 'landscape', width: 768, height: 512 },
        },
        imageAlt: { kind: 'imageAlt', need: 'filled-if-present', label: 'Image description' },
      },
    },
  },
  starter: {
    title: 'What we offer',
    columns: '3',
    cards: [
      {
        title: 'Advice',
        description: 'An hour together to find out what you need.',
        ctaText: 'Book a talk',
        ctaHref: '/',
      },
      {
        title: 'Project',
        description: 'From the first sketch to the finished result.',
        ctaText: 'See how we work',
        ctaHref: '/',
      },
      {
        title: 'Care',
        description: 'We stay by your side after everything is done.',
        ctaText: 'Read more',
        ctaHref: '/',
      },
    ],
  },
})

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

/** Cells are one opaque matrix: they have no fields and no row operations. */
const matrix = { type: 'array', minItems: 1, items: { type: 'array', items: { type: 'string' } } }

export const table = defineBlock({
  type: 'Table',
  displayName: 'Table',
  description: 'Rows and columns of short texts under headers.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text' },
    headers: { kind: 'stringList', need: 'filled' },
    rows: { kind: 'text', need: 'filled', schema: matrix },
    striped: { kind: 'enum', options: ['true', 'false'], default: 'false' },
  },
  starter: {
    title: '',
    headers: ['What you get', 'Small', 'Medium', 'Large'],
    rows: [
      ['Best for', 'One person', 'A small team', 'A whole company'],
      ['Answer within', '3 days', '1 day', '4 hours'],
      ['Meetings', 'On request', 'Monthly', 'Weekly'],
      ['Price', '€ 20', '€ 60', '€ 180'],
    ],
    striped: 'true',
  },
})
