import { imagePlaceholder } from '../field-kinds.ts'
import { defineBlock, type Declarations, type PropDeclaration } from './define.ts'

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
