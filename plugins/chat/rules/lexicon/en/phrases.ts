import type { Phrases } from '../lexicon.ts'

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** Ready commands in English. */
export const phrases: Phrases = {
  ordinal: (n) => ordinals[n - 1] ?? `${n}th`,
  block: (noun, n) => (n === undefined ? `the ${noun}` : `the ${phrases.ordinal(n)} ${noun}`),
  section: (n) => `section ${n}`,
  row: (noun, n) => `the ${phrases.ordinal(n)} ${noun}`,
  fieldOf: (field, owner) => `the ${field} of ${owner}`,
  on: (reference, slug) => `${reference} on ${slug}`,
  page: (slug) => (slug === '/' ? 'the home page' : slug),
  setTo: (reference, value) => `Change ${reference} to ${value}`,
  addBlock: (noun) => `Add a ${noun} section`,
  addRow: (noun, block) => `Add a ${noun} to ${block}`,
  remove: (reference) => `Remove ${reference}`,
  moveUp: (reference) => `Move ${reference} up`,
  moveTo: (reference, place) => `Move ${reference} ${place}`,
  duplicate: (reference) => `Duplicate ${reference}`,
  createPage: (name) => `Create a page called "${name}"`,
  renamePage: (name) => `Change the page title to "${name}"`,
  duplicatePage: (slug, to) => `Duplicate ${slug} to ${to}`,
  setMeta: (description) => `Set the meta description to "${description}"`,
  columns: (noun, n) => `Show ${n} columns in the ${noun}`,
  questions: ['What can I edit here?', 'What sections can I add?', 'List all pages'],
  places: ['to the top', 'to the bottom'],
  sampleTitle: 'A new beginning',
}
