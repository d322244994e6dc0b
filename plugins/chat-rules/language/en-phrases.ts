import type { Phrases } from './language.ts'

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

const ordinal = (n: number) => ordinals[n - 1] ?? `${n}th`

/** Ready commands in English. */
export const phrases: Phrases = {
  block: (noun, n) => (n === undefined ? `the ${noun}` : `the ${ordinal(n)} ${noun}`),
  row: (noun, n) => `the ${ordinal(n)} ${noun}`,
  fieldOf: (field, owner) => `the ${field} of ${owner}`,
  on: (reference, slug) => `${reference} on ${slug}`,
  page: (slug) => (slug === '/' ? 'the home page' : slug),
  rewrite(field, owner) {
    const [thing = '', ...page] = owner.split(/ (?=on )/)
    return ['Rewrite', thing.replace(/ section$/, ''), field, ...page].join(' ')
  },
  addBlock: (noun) => `Add ${/^(?:[aeiou]|FAQ)/i.test(noun) ? 'an' : 'a'} ${noun} section`,
  moveTo: (reference, place) => `Move ${reference} ${place}`,
  createPage: 'Create a new page',
  renamePage: 'Change the page title',
  setMeta: 'Change the meta description',
  places: ['to the top', 'to the bottom'],
}
