import { imagePlaceholder } from '../field-kinds.ts'
import { type Declarations, defineBlock, type PropDeclaration } from './define.ts'

export const hero = defineBlock({
  type: 'Hero',
  displayName: 'Hero',
  description: 'The opening of a page: a large heading with an image and a call to action.',
  category: 'content',
  headingLevel: true,
  props: {
    heading: { kind: 'text', need: 'filled' },
    subheading: { kind: 'text', need: 'filled', multiline: true },
    ctaText: { kind: 'text', need: 'filled', label: 'Button text' },
    ctaHref: { kind: 'url', need: 'filled', label: 'Button link' },
    imageUrl: {
      kind: 'image',
      need: 'filled',
      imageSpec: { aspectRatio: 'landscape', width: 1536, height: 1024 },
    },
    imageAlt: { kind: 'imageAlt', need: 'filled', label: 'Image description' },
    imagePosition: { kind: 'enum', options: ['left', 'right', 'full'], default: 'right' },
    textAlign: { kind: 'enum', options: ['left', 'center'], default: 'left', label: 'Text alignment' },
    eyebrow: { kind: 'text', label: 'Line above the heading' },
    secondaryCtaText: { kind: 'text', label: 'Second button text' },
    secondaryCtaHref: { kind: 'url', label: 'Second button link' },
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
})

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

export const richText = defineBlock({
  type: 'RichText',
  displayName: 'Rich Text',
  description: 'Running text with headings, lists and links.',
  category: 'content',
  headingLevel: true,
  props: { title: { kind: 'text', need: 'present' }, body: { kind: 'richtext', need: 'filled' } },
  starter: { title: 'About this page', body },
})

export const quote = defineBlock({
  type: 'Quote',
  displayName: 'Quote',
  description: 'One sentence worth a whole row, with who said it.',
  category: 'content',
  headingLevel: false,
  props: {
    quote: { kind: 'richtext', need: 'filled' },
    author: { kind: 'text' },
    role: { kind: 'text' },
    imageUrl: {
      kind: 'image',
      label: 'Portrait',
      imageSpec: { aspectRatio: 'square', width: 128, height: 128 },
    },
    imageAlt: { kind: 'imageAlt', label: 'Portrait description' },
  },
  starter: {
    quote: 'Good work is the best advertisement.',
    author: 'Ines Carvalho',
    role: 'Founder',
    imageUrl: imagePlaceholder,
  },
})

const text: Declarations = { text: { kind: 'text', multiline: true } }
const image: Declarations = {
  src: { kind: 'image', label: 'Image', imageSpec: { aspectRatio: 'portrait', width: 768, height: 1024 } },
  alt: { kind: 'imageAlt', label: 'Image description' },
}
const poster: Declarations = {
  poster: { kind: 'image', imageSpec: { aspectRatio: 'landscape', width: 768, height: 512 } },
}
const link: Declarations = { label: { kind: 'text' }, href: { kind: 'url', label: 'Link' } }
const variant: Declarations = { variant: { kind: 'text' } }

const button: Declarations = {
  label: { kind: 'text', need: 'filled' },
  href: { kind: 'url', need: 'filled', label: 'Link' },
  ...variant,
}

const branches = {
  heading: text,
  subheading: text,
  paragraph: text,
  list: { items: { kind: 'stringList' } },
  cta: { ...link, ...variant },
  ctas: { buttons: { kind: 'list', itemFields: button } },
  image,
  video: { ...image, ...poster },
} as const satisfies Readonly<Record<string, Declarations>>

/** Rows tell by `type` what they are. Editors that know no branches find the older fields in every row. */
const column: PropDeclaration = {
  kind: 'list',
  need: 'filled',
  discriminator: 'type',
  itemFields: {
    type: { kind: 'enum', need: 'filled', options: Object.keys(branches) },
    ...text,
    ...link,
    ...image,
    ...poster,
  },
  itemFieldsByType: branches,
}

export const twoColumn = defineBlock({
  type: 'TwoColumn',
  displayName: 'Two Column',
  description: 'Two columns, each stacked from headings, paragraphs, lists, buttons, images and videos.',
  category: 'layout',
  headingLevel: true,
  props: {
    variant: { kind: 'enum', options: ['default', 'accent'], default: 'default' },
    left: column,
    right: column,
  },
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
