import { imagePlaceholder } from '../fields.ts'
import type { BlockTypeInput } from '../model.ts'
import { cardBlocks } from './cards.ts'
import { chromeBlocks } from './chrome.ts'
import {
  alt,
  button,
  choice,
  columns,
  defineBlock,
  filled,
  filledLink,
  image,
  labelled,
  link,
  list,
  longText,
  onOff,
  richText,
  secondLink,
  text,
  url,
} from './define.ts'
import { twoColumn } from './two-column.ts'

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

const slide = { imageUrl: imagePlaceholder, imageAlt: 'Image of this slide' }

/** Cells are one opaque matrix without fields or row operations. */
const matrix = { type: 'array', minItems: 1, items: { type: 'array', items: { type: 'string' } } }

/** The built-in block types, in display order. */
export const builtinBlocks: readonly BlockTypeInput[] = [
  defineBlock('Hero', 'The opening of a page: a large heading with an image and a call to action.', {
    props: {
      heading: filled(text),
      subheading: filled(longText),
      ...filledLink,
      imageUrl: image(1536, 1024, { need: 'filled' }),
      imageAlt: filled(alt),
      imagePosition: choice('right', 'left', 'right', 'full'),
      textAlign: labelled('Text alignment', choice('left', 'left', 'center')),
      eyebrow: labelled('Line above the heading', text),
      ...secondLink,
    },
    starter: {
      heading: 'Say what you do in one line',
      subheading: 'Add a sentence that tells visitors who it is for and what they get.',
      ...button('Get started'),
      imageUrl: imagePlaceholder,
      imageAlt: 'Image at the top of the page',
      imagePosition: 'right',
    },
  }),
  defineBlock('FeatureGrid', 'Short features side by side, each with an icon, a title and a sentence.', {
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
  }),
  defineBlock('Testimonials', 'What customers say, in their own words.', {
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
  }),
  defineBlock('FAQAccordion', 'Questions that open to show their answers.', {
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
  }),
  defineBlock('CTA', 'Asks visitors to take the next step, with one or two buttons.', {
    displayName: 'Call to Action',
    category: 'conversion',
    props: { title: filled(text), description: filled(longText), ...filledLink, ...secondLink },
    starter: {
      title: 'Ready when you are',
      description: 'Tell us what you have in mind and we will come back with a plan.',
      ...button('Contact us'),
    },
  }),
  ...cardBlocks,
  defineBlock('RichText', 'Running text with headings, lists and links.', {
    props: { title: { kind: 'text', need: 'present' }, body: filled(richText) },
    starter: { title: 'About this page', body },
  }),
  defineBlock('Stats', 'A few large numbers with a label each.', {
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
  }),
  twoColumn,
  ...chromeBlocks,
  defineBlock('Embed', 'A map, a post or another page inside a frame.', {
    category: 'media',
    headingLevel: false,
    props: {
      embedType: choice('map', 'map', 'social', 'custom'),
      url: labelled('Address', filled(url)),
      title: text,
      aspectRatio: choice('16:9', '16:9', '4:3', '1:1'),
    },
    starter: {
      embedType: 'map',
      url: 'https://www.openstreetmap.org/export/embed.html?bbox=-0.15,51.49,-0.09,51.52',
      title: '',
      aspectRatio: '16:9',
    },
  }),
  defineBlock(
    'Banner',
    'A coloured strip with a short announcement. Its own colours override those of the variant.',
    {
      headingLevel: false,
      props: {
        text: filled(text),
        variant: choice('info', 'info', 'success', 'warning'),
        ...link,
        backgroundColor: { kind: 'color' },
        textColor: { kind: 'color' },
      },
      starter: { text: 'Something new is here.', variant: 'info', ...button('Take a look') },
    },
  ),
  defineBlock('Carousel', 'Large images that slide one after the other, each with a text if wanted.', {
    headingLevel: false,
    props: {
      items: list(
        {
          imageUrl: image(1200, 600, { need: 'filled' }),
          imageAlt: alt,
          heading: text,
          description: longText,
          ...link,
        },
        { label: 'Slides' },
      ),
      autoplay: onOff,
      interval: { kind: 'number', label: 'Milliseconds per slide' },
    },
    starter: {
      items: [
        {
          ...slide,
          heading: 'Start strong',
          description: 'The first slide is the one that everybody sees.',
          ...button('Find out more'),
        },
        { ...slide, heading: 'Then add detail', description: 'Show what the first image could not.' },
        {
          ...slide,
          heading: 'End with an invitation',
          description: 'Say what to do next.',
          ...button('Get in touch'),
        },
      ],
      autoplay: 'false',
      interval: 5000,
    },
  }),
  defineBlock('Gallery', 'A grid of images with captions.', {
    category: 'media',
    props: {
      title: text,
      columns,
      images: list({ imageUrl: image(800, 600, { need: 'filled' }), alt, caption: text }),
    },
    starter: {
      title: '',
      columns: '3',
      images: ['First', 'Second', 'Third'].map((nth) => ({
        imageUrl: imagePlaceholder,
        alt: `${nth} image of the gallery`,
        caption: '',
      })),
    },
  }),
  defineBlock('Tabs', 'Several texts in one place; visitors choose which to read.', {
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
  }),
  defineBlock('Table', 'Rows and columns of short texts under headers.', {
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
  }),
  defineBlock('Quote', 'One sentence worth a whole row, with who said it.', {
    headingLevel: false,
    props: {
      quote: filled(richText),
      author: text,
      role: text,
      imageUrl: image(128, 128, { label: 'Portrait' }),
      imageAlt: labelled('Portrait description', alt),
    },
    starter: {
      quote: 'Good work is the best advertisement.',
      author: 'Ines Carvalho',
      role: 'Founder',
      imageUrl: imagePlaceholder,
    },
  }),
  defineBlock('Video', 'A video with a poster image.', {
    category: 'media',
    headingLevel: false,
    props: {
      src: labelled('Video address', filled(url)),
      title: text,
      posterUrl: image(1200, 675),
      autoplay: onOff,
      loop: onOff,
    },
    starter: { src: '/video.mp4', title: '', posterUrl: '', autoplay: 'false', loop: 'false' },
  }),
]
