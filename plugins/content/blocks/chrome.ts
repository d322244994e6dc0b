import { defineBlock } from './define.ts'

const children = {
  type: 'array',
  items: {
    type: 'object',
    properties: { label: { type: 'string', minLength: 1 }, href: { type: 'string', minLength: 1 } },
    required: ['label', 'href'],
  },
}

export const siteHeader = defineBlock({
  type: 'SiteHeader',
  displayName: 'Site Header',
  description: 'The top of every page: logo, name and menu. A menu entry may open a second level.',
  category: 'navigation',
  chrome: true,
  headingLevel: false,
  props: {
    siteName: { kind: 'text', need: 'filled' },
    logoUrl: { kind: 'image', need: 'filled' },
    links: {
      kind: 'list',
      need: 'filled',
      itemFields: { label: { kind: 'text', need: 'filled' }, href: { kind: 'url', label: 'Link' } },
      otherRowProps: { children },
    },
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
})

export const footer = defineBlock({
  type: 'Footer',
  displayName: 'Footer',
  description: 'The end of every page: columns of links and the copyright line.',
  category: 'navigation',
  chrome: true,
  headingLevel: true,
  props: {
    copyright: { kind: 'text', need: 'filled' },
    columns: {
      kind: 'list',
      need: 'filled',
      itemFields: {
        title: { kind: 'text', need: 'filled' },
        links: { kind: 'richtext', need: 'filled', label: 'Links (one Label|URL per line)' },
      },
    },
  },
  starter: {
    copyright: '© All rights reserved.',
    columns: [
      { title: 'Company', links: 'About us|/about\nContact|/contact' },
      { title: 'Service', links: 'Prices|/pricing\nQuestions|/faq' },
    ],
  },
})
