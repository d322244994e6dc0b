import { imagePlaceholder } from '../fields.ts'
import {
  alt,
  choice,
  type Declarations,
  defineBlock,
  filled,
  filledLink,
  image,
  labelled,
  link,
  list,
  longText,
  type PropDeclaration,
  richText as markdown,
  secondLink,
  text,
  url,
} from './define.ts'

export const hero = defineBlock(
  'Hero',
  'The opening of a page: a large heading with an image and a call to action.',
  {
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
      ctaText: 'Get started',
      ctaHref: '/',
      imageUrl: imagePlaceholder,
      imageAlt: 'Image at the top of the page',
      imagePosition: 'right',
    },
  },
)

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

export const richText = defineBlock('RichText', 'Running text with headings, lists and links.', {
  props: { title: { kind: 'text', need: 'present' }, body: filled(markdown) },
  starter: { title: 'About this page', body },
})

export const quote = defineBlock('Quote', 'One sentence worth a whole row, with who said it.', {
  headingLevel: false,
  props: {
    quote: filled(markdown),
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
})

const words: Declarations = { text: longText }
const picture: Declarations = { src: image(768, 1024, { label: 'Image' }), alt }
const poster: Declarations = { poster: image(768, 512) }
const target: Declarations = { label: text, href: labelled('Link', url) }
const variant: Declarations = { variant: text }

const branches = {
  heading: words,
  subheading: words,
  paragraph: words,
  list: { items: { kind: 'stringList' } },
  cta: { ...target, ...variant },
  ctas: {
    buttons: {
      kind: 'list',
      itemFields: { label: filled(text), href: labelled('Link', filled(url)), ...variant },
    },
  },
  image: picture,
  video: { ...picture, ...poster },
} as const satisfies Readonly<Record<string, Declarations>>

/** The branch of a row is its `type`. Editors without branches find the older fields in every row. */
const column: PropDeclaration = list(
  {
    type: { kind: 'enum', need: 'filled', options: Object.keys(branches) },
    ...words,
    ...target,
    ...picture,
    ...poster,
  },
  { discriminator: 'type', itemFieldsByType: branches },
)

const stacked = 'Two columns, each stacked from headings, paragraphs, lists, buttons, images and videos.'

export const twoColumn = defineBlock('TwoColumn', stacked, {
  category: 'layout',
  props: { variant: choice('default', 'default', 'accent'), left: column, right: column },
  starter: {
    variant: 'default',
    left: [
      { type: 'heading', text: 'Two sides of the story' },
      { type: 'paragraph', text: 'Explain on this side what the image shows on the other.' },
      { type: 'cta', label: 'Read more', href: '/' },
    ],
    right: [{ type: 'image', src: imagePlaceholder, alt: 'Image beside the text' }],
  },
})

const strip = 'A coloured strip with a short announcement. Its own colours override those of the variant.'

export const banner = defineBlock('Banner', strip, {
  headingLevel: false,
  props: {
    text: filled(text),
    variant: choice('info', 'info', 'success', 'warning'),
    ...link,
    backgroundColor: { kind: 'color' },
    textColor: { kind: 'color' },
  },
  starter: { text: 'Something new is here.', variant: 'info', ctaText: 'Take a look', ctaHref: '/' },
})

export const cta = defineBlock('CTA', 'Asks visitors to take the next step, with one or two buttons.', {
  displayName: 'Call to Action',
  category: 'conversion',
  props: { title: filled(text), description: filled(longText), ...filledLink, ...secondLink },
  starter: {
    title: 'Ready when you are',
    description: 'Tell us what you have in mind and we will come back with a plan.',
    ctaText: 'Contact us',
    ctaHref: '/',
  },
})
