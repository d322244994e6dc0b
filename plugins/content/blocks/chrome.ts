import type { BlockTypeInput } from '../model.ts'
import { defineBlock, filled, labelled, list, richText, text, url } from './define.ts'

const required = { type: 'string', minLength: 1 }
const entry = { type: 'object', properties: { label: required, href: required }, required: ['label', 'href'] }
/** Entries of the menu may have a second level, which is not a field. */
const menu = {
  type: 'array',
  items: {
    type: 'object',
    properties: { label: required, href: { type: 'string' }, children: { type: 'array', items: entry } },
    required: ['label'],
  },
  minItems: 1,
}

/** The blocks that are pinned to the end and the top of every page. */
export const chromeBlocks: readonly BlockTypeInput[] = [
  defineBlock('Footer', 'The end of every page: columns of links and the copyright line.', {
    category: 'navigation',
    chrome: true,
    props: {
      copyright: filled(text),
      columns: list({
        title: filled(text),
        links: labelled('Links (one Label|URL per line)', filled(richText)),
      }),
    },
    starter: {
      copyright: '© All rights reserved.',
      columns: [
        { title: 'Company', links: 'About us|/about\nContact|/contact' },
        { title: 'Service', links: 'Prices|/pricing\nQuestions|/faq' },
      ],
    },
  }),
  defineBlock(
    'SiteHeader',
    'The top of every page: logo, name and menu. A menu entry may open a second level.',
    {
      category: 'navigation',
      chrome: true,
      headingLevel: false,
      props: {
        siteName: filled(text),
        logoUrl: { kind: 'image', need: 'filled' },
        links: list({ label: filled(text), href: labelled('Link', url) }, { schema: menu }),
      },
      starter: {
        siteName: 'Your site',
        logoUrl: '/logo.svg',
        links: [
          { label: 'Home', href: '/' },
          { label: 'About', href: '/about' },
          { label: 'Contact', href: '/contact' },
        ],
      },
    },
  ),
]
