/** What rich text consists of, in whatever form it is stored. */
import { Mark, Schema, type Node } from 'prosemirror-model'
import { nodes as basic } from 'prosemirror-schema-basic'
import { bulletList, listItem, orderedList } from 'prosemirror-schema-list'
import { safeHref } from './href.ts'

export type { Mark, Node }

const { doc, paragraph, heading, hard_break, text } = basic

export const schema = new Schema({
  nodes: {
    doc,
    paragraph,
    heading,
    bullet_list: { ...bulletList, content: 'list_item+', group: 'block' },
    ordered_list: { ...orderedList, content: 'list_item+', group: 'block' },
    list_item: { ...listItem, content: 'paragraph (bullet_list | ordered_list)*' },
    hard_break,
    text,
  },
  marks: {
    link: {
      attrs: {
        href: { validate: 'string' },
        target: { default: null },
        rel: { default: null },
        title: { default: null },
      },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href], a[data-href]',
          getAttrs: (element) => {
            const href = element.getAttribute('data-href') ?? safeHref(element.getAttribute('href') ?? '')
            return href ? { href } : false
          },
        },
      ],
      // An address that no site would follow stays, but leads nowhere here either.
      toDOM: ({ attrs }) => {
        const href = String(attrs['href'])
        return ['a', safeHref(href) ? { href, title: href } : { 'data-href': href, title: href }, 0]
      },
    },
    strong: {
      parseDOM: [{ tag: 'strong' }, { tag: 'b' }, { tag: '[data-look~=bold]' }],
      toDOM: () => ['strong', 0],
    },
    em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }, { tag: '[data-look~=italic]' }], toDOM: () => ['em', 0] },
  },
})

const { nodes, marks } = schema
export const make = {
  doc: (blocks: readonly Node[]): Node =>
    nodes.doc.create(null, blocks.length > 0 ? blocks : nodes.paragraph.create()),
  paragraph: (inline: readonly Node[]): Node => nodes.paragraph.create(null, inline),
  heading: (level: number, inline: readonly Node[]): Node => nodes.heading.create({ level }, inline),
  list: (start: number | undefined, items: readonly Node[]): Node =>
    start === undefined
      ? nodes.bullet_list.create(null, items)
      : nodes.ordered_list.create({ order: start }, items),
  /** Throws a `RangeError` unless the blocks are a paragraph, if any, and lists. */
  item: (blocks: readonly Node[]): Node => {
    const item = nodes.list_item.createAndFill(null, blocks)
    if (!item) throw new RangeError('a row has more than a text and lists')
    return item
  },
  text: (value: string, of: readonly Mark[]): readonly Node[] =>
    value === '' ? [] : [schema.text(value, of)],
  break: (of: readonly Mark[]): Node => nodes.hard_break.create(null, null, of),
  strong: marks.strong.create(),
  em: marks.em.create(),
  link: (attrs: { readonly href: string } & Readonly<Record<string, string>>): Mark =>
    marks.link.create(attrs),
} as const

export const sameMarkSet = (one: readonly Mark[], other: readonly Mark[]): boolean => Mark.sameSet(one, other)

export const markOf = (node: Node, name: 'link' | 'strong' | 'em'): Mark | undefined =>
  node.marks.find(({ type }) => type === marks[name])
