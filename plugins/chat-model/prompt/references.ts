import type { PlanningInput } from '../../chat/port.ts'
import { declaredType } from '../../content/authority.ts'
import { navLabelOf } from '../../content/navigation.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import { ownValue } from '../../content/plain-object.ts'
import { home } from '../../content/slugs.ts'
import { wordsIn } from '../../content/words.ts'
import type { Words } from '../words.ts'

/** Common names of block types, in addition to their own. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  Hero: ['masthead', 'jumbotron'],
  FeatureGrid: ['feature', 'benefit', 'advantage'],
  Testimonials: ['testimonial', 'review', 'customer quote'],
  FAQAccordion: ['faq', 'question'],
  CTA: ['call to action'],
  CardGrid: ['card', 'pricing section'],
  RichText: ['text block', 'text section', 'paragraph'],
  Stats: ['statistic', 'metric', 'key figure'],
  TwoColumn: ['two column'],
  Banner: ['announcement', 'notice bar'],
  Carousel: ['slider', 'slideshow'],
  Embed: ['map', 'iframe'],
}

/** Common names of the home page. */
const homeNames = ['home page', 'homepage', 'start page', 'front page', 'home', 'landing page']

/** A message about all pages of the site. */
const everyPage =
  / (?:everywhere|sitewide|(?:all|each|every)(?: of)?(?: (?:the|our|my|your|other|single))* pages?|(?:whole|entire|complete) (?:web)?site) /

/**
 * Finds the blocks and pages that a message names: by id or slug, by a common name, or as all pages. They are
 * shown to the model; no edit depends on them.
 */
export function referencesIn(input: PlanningInput, words: Words) {
  const {
    draft: { pages, config },
    selection,
    message,
  } = input
  const none = { id: '', slug: selection.slug, title: '', updatedAt: '', blocks: [] }
  const page: Page = pages.find(({ slug }) => slug === selection.slug) ?? pages[0] ?? none
  const quotes = words.quotes.map((text) => wordsIn(text).join(' '))
  const said = new Set([...phrasesOf(words.list), ...phrasesOf(words.list.map(singular)), ...quotes])
  const isSaid = (name: string): boolean => {
    const plain = wordsIn(name).join(' ')
    return plain !== '' && said.has(plain)
  }
  const tokens = new Set(message.split(/[\s,;()"'“”„«»]+/).map(withoutPunctuation))
  const types = new Set(pages.flatMap(({ blocks }) => blocks.map(({ type }) => type)))
  const named = new Set([...types].filter((type) => typeNames(type, input).some(isSaid)))
  const here = new Set(page.blocks.map(({ type }) => type))
  return {
    /** The page being edited; the first one if the selected page is not in the draft. */
    page,
    /** Blocks of that page, the selected one first. */
    blocks: [
      ...page.blocks.filter(({ id }) => id === selection.blockId),
      ...page.blocks.filter(({ id, type }) => tokens.has(id) || named.has(type)),
    ],
    /** Named blocks of other pages, if that page has none of their type. */
    elsewhere: pages
      .filter((other) => other !== page)
      .flatMap((other) =>
        other.blocks
          .filter(({ id, type }) => tokens.has(id) || (named.has(type) && !here.has(type)))
          .map((block) => ({ page: other, block })),
      ),
    pages: everyPage.test(words.text)
      ? pages
      : pages.filter((each) => tokens.has(each.slug) || pageNames(each, config).some(isSaid)),
  }
}

/** The names of a page: its title, its menu labels, and the words of its slug. */
const pageNames = ({ slug, title }: Page, { navLabels }: SiteConfig): readonly string[] => [
  title,
  ownValue(navLabels, slug) ?? '',
  navLabelOf(slug),
  ...(slug === home ? homeNames : [slug]),
]

/** The common names of a block type. */
function typeNames(type: string, input: PlanningInput): readonly string[] {
  const spaced = type.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return [...(ownValue(aliases, type) ?? []), declaredType(type, input)?.displayName ?? type, type, spaced]
}

const singular = (word: string): string => word.replace(/s$/, '')

/** Strips the punctuation at the end of a word, in linear time. */
function withoutPunctuation(word: string): string {
  let end = word.length
  while (end > 0 && '.:!?'.includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

const longestName = 5

/** Returns every sequence of up to five words. */
const phrasesOf = (list: readonly string[]): readonly string[] =>
  list.flatMap((_, at) =>
    Array.from({ length: longestName }, (__, more) => list.slice(at, at + more + 1).join(' ')),
  )
