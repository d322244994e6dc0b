import {
  alt,
  choice,
  columns,
  type Declarations,
  defineBlock,
  filled,
  filledLink,
  image,
  labelled,
  list,
  longText,
  onOff,
  richText,
  text,
} from './define.ts'

const offer: Declarations = {
  title: filled(text),
  description: filled(longText),
  ...filledLink,
  imageUrl: image(768, 512, { need: 'filled-if-present' }),
  imageAlt: { ...alt, need: 'filled-if-present' },
}
const offerVariant = choice('default', 'default', 'full-bleed')

export const card = defineBlock(
  'Card',
  'One offer with a title, a text and a button, with or without an image.',
  {
    props: { ...offer, variant: offerVariant },
    starter: {
      title: 'A good place to start',
      description: 'Describe one offer here: what it is, who it suits and what makes it worth a look.',
      ctaText: 'See prices',
      ctaHref: '/pricing',
    },
  },
)

export const cardGrid = defineBlock('CardGrid', 'Several cards side by side: services, plans or articles.', {
  props: { title: filled(text), subtitle: text, columns, cardVariant: offerVariant, cards: list(offer) },
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

export const featureGrid = defineBlock(
  'FeatureGrid',
  'Short features side by side, each with an icon, a title and a sentence.',
  {
    props: {
      title: filled(text),
      columns,
      features: list({
        icon: labelled('Icon (emoji or image address)', text),
        title: filled(text),
        description: filled(longText),
      }),
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
  },
)

export const faqAccordion = defineBlock('FAQAccordion', 'Questions that open to show their answers.', {
  props: {
    title: filled(text),
    items: list(
      { q: labelled('Question', filled(text)), a: labelled('Answer', filled(richText)) },
      { label: 'Questions' },
    ),
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

export const tabs = defineBlock('Tabs', 'Several texts in one place; visitors choose which to read.', {
  props: { title: text, tabs: list({ label: filled(text), content: filled(richText) }) },
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

export const stats = defineBlock('Stats', 'A few large numbers with a label each.', {
  props: {
    title: text,
    stats: list(
      { icon: text, value: filled(text), label: filled(text), description: text },
      { label: 'Numbers' },
    ),
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

export const testimonials = defineBlock('Testimonials', 'What customers say, in their own words.', {
  props: {
    title: filled(text),
    items: list(
      {
        quote: filled(longText),
        author: filled(text),
        role: text,
        imageUrl: image(64, 64, { label: 'Portrait' }),
        imageAlt: labelled('Portrait description', alt),
      },
      { label: 'Testimonials' },
    ),
  },
  starter: {
    title: 'What our customers say',
    items: [
      { quote: 'They listened first, and then did exactly what we had agreed.', author: 'Maria Lindqvist' },
      { quote: 'Friendly, on time, and the result speaks for itself.', author: 'Tom Okafor' },
    ],
  },
})

/** Cells are one opaque matrix without fields or row operations. */
const matrix = { type: 'array', minItems: 1, items: { type: 'array', items: { type: 'string' } } }

export const table = defineBlock('Table', 'Rows and columns of short texts under headers.', {
  props: {
    title: text,
    headers: { kind: 'stringList', need: 'filled' },
    rows: { ...filled(text), schema: matrix },
    striped: onOff,
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
