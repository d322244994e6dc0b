/** The block types of files, as a site declares its own. */
import {
  type Declarations,
  defineBlock,
  labelled,
  longText,
  richText,
  text,
} from '../content/blocks/define.ts'
import type { BlockMeta, BlockTypeInput } from '../content/model.ts'

const present = <T extends object>(declaration: T) => ({ ...declaration, need: 'present' }) as const
const words = { text: present(richText) }
const lines = { text: present(longText) }
const level = { type: 'integer', minimum: 1, maximum: 6 }
const cells = { type: 'array', items: { type: 'array', items: { type: 'string' } } }

const block = (type: string, description: string, props: Declarations, starter = {}): BlockTypeInput =>
  defineBlock(type, description, { props, starter, headingLevel: false })

/** Its props are those that the file has, so that none are declared. */
const open = (type: string, description: string, meta: Partial<BlockMeta>): BlockTypeInput => ({
  type,
  propsSchema: { type: 'object', ...(type !== 'Component' && { additionalProperties: true }) },
  meta: { displayName: type, description, category: 'content', ...meta },
})

const copiedOnly = (input: BlockTypeInput): BlockTypeInput => ({
  ...input,
  meta: { ...input.meta, copiedOnly: true },
})

const types: readonly BlockTypeInput[] = [
  open('Details', 'The front matter of a document, without its title and description.', { chrome: true }),
  open('Data', 'The values of a data file; those of a list are in `items`.', { chrome: true }),
  {
    ...defineBlock('Texts', 'The literal texts of a template, in their order. None is added or removed.', {
      chrome: true,
      headingLevel: false,
      props: {
        texts: {
          kind: 'list',
          fixedRows: true,
          itemFields: { kind: { ...present(text), internal: true }, text: present(longText) },
        },
      },
      starter: {},
    }),
    propsSchema: { type: 'object', properties: { texts: { type: 'array', items: { type: 'object' } } } },
  },
  block(
    'Heading',
    'A heading of a document, in Markdown.',
    { level: present({ kind: 'number', schema: level } as const), ...words },
    { level: 2, text: 'Heading' },
  ),
  block('Paragraph', 'A paragraph in Markdown.', words, { text: 'Text' }),
  block('List', 'A list in Markdown, with its marks.', lines, { text: '- Text' }),
  block('Quote', 'A quotation in Markdown, without its marks.', lines, { text: 'Text' }),
  block('Code', 'Code with its language.', { language: text, ...lines }, { language: '', text: '' }),
  block(
    'Table',
    'A table: the first of its rows is the head.',
    { rows: present({ ...text, schema: cells }) },
    {
      rows: [
        ['Head', 'Head'],
        ['Cell', 'Cell'],
      ],
    },
  ),
  block(
    'Image',
    'An image that stands alone.',
    {
      src: present(labelled('Image', { kind: 'image' })),
      alt: present({ kind: 'imageAlt', label: 'Image description' } as const),
      title: text,
    },
    { src: '/image.png', alt: '', title: '' },
  ),
  block(
    'Links',
    'Addresses that the texts of the document name by their labels.',
    {
      links: {
        kind: 'list',
        itemFields: { label: present(text), href: present(labelled('Address', text)), title: text },
      },
    },
    { links: [{ label: 'name', href: 'https://example.com', title: '' }] },
  ),
  block('Divider', 'A line between two parts.', {}),
  open('Component', 'A component with its literal attributes; `source` is its content. It can be copied.', {
    copiedOnly: true,
  }),
  copiedOnly(block('Source', 'Markup that is edited as text. It can be copied.', lines, { text: '' })),
]

/** The block types of `contentFiles`, for the option `blocks` of a service or a website. */
export const fileBlocks: Readonly<Record<string, Omit<BlockTypeInput, 'type'>>> = Object.fromEntries(
  types.map(({ type, ...rest }) => [type, rest]),
)
