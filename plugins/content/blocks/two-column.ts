import { imagePlaceholder } from '../fields.ts'
import {
  alt,
  choice,
  type Declarations,
  defineBlock,
  filled,
  image,
  labelled,
  list,
  longText,
  type PropDeclaration,
  text,
  url,
} from './define.ts'

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

/** The block whose rows have branches. */
export const twoColumn = defineBlock(
  'TwoColumn',
  'Two columns, each stacked from headings, paragraphs, lists, buttons, images and videos.',
  {
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
  },
)
