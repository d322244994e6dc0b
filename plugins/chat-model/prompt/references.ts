import type { PlanningInput } from '../../chat/port.ts'
import { navLabelOf } from '../../content/navigation.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import { ownValue } from '../../content/plain-object.ts'
import { home } from '../../content/slugs.ts'
import { outsideOfQuotes, type Words, wordsIn } from '../../content/words.ts'
import { isAboutEveryPage } from '../language.ts'
import { blockTypeAt } from '../lookup.ts'

/** Common names of the built-in block types, in addition to their own. */
const blockNouns: Readonly<Record<string, string>> = {
  Hero: 'hero banner, jumbotron, masthead, heroes, aufmacher, herobanner',
  FeatureGrid: 'features, feature list, benefits, advantages, selling points, vorteile, vorteilen, funktionen, merkmale, merkmalen, leistungen',
  Testimonials: 'testimonial, reviews, customer quotes, social proof, kundenstimmen, kundenbewertungen, bewertungen, rezensionen, referenzen',
  FAQAccordion: 'faq, faqs, questions, frequently asked questions, accordion, fragen, häufige fragen, häufigen fragen',
  CTA: 'call to action, calls to action, ctas, handlungsaufforderung, handlungsaufruf',
  Card: 'karte, kachel',
  CardGrid: 'cards, pricing section, price cards, karten, kacheln, preiskarten, kartenraster',
  RichText: 'text block, text section, paragraph, paragraphs, prose, textabschnitt, textblöcke, absatz, absätze, fließtext',
  Stats: 'statistics, metrics, key figures, counters, kennzahlen, zahlen, statistik, statistiken',
  TwoColumn: 'two columns, 2 column, 2 columns, zweispalter, zwei spalten',
  Banner: 'banners, announcement, announcement bar, notice bar, ankündigung, hinweisleiste',
  Quote: 'quotes, pull quote, blockquote, citation, zitat, zitate',
  Tabs: 'tab, tabbed section, reiter, registerkarten',
  Table: 'tables, price table, tabelle, tabellen',
  Video: 'videos, clip, film',
  Embed: 'iframe, map, karteneinbettung, einbettung, landkarte',
  Carousel: 'slider, slideshow, karussell, diashow',
  Gallery: 'photo gallery, image gallery, image grid, galerie, bildergalerie, fotogalerie',
  Footer: 'fußzeile',
  SiteHeader: 'site header, kopfzeile',
}

/** Common names of the home page. */
const homeNames = ['home page', 'homepage', 'start page', 'front page', 'home', 'landing page', 'startseite', 'hauptseite']

/** The end of a step that concerns only some of many pages; their slugs follow. */
export const onlyOn = '\n\nThis step is about these pages only: '

/** Finds the blocks and pages that a message names: by id or slug, by a common name, or as all pages. */
export function referencesIn(input: PlanningInput, words: Words) {
  const { draft: { pages }, selection } = input
  const none = { id: '', slug: selection.slug, title: '', updatedAt: '', blocks: [] }
  const page: Page = pages.find(({ slug }) => slug === selection.slug) ?? pages[0] ?? none
  const said = phrasesOf([...words.list, ...words.list.map((word) => word.replace(/(?:abschnitt|bereich|block|sektion)s?$/, ''))])
  const ids = new Set(tokensOf(input.message))
  const types = new Set(pages.flatMap(({ blocks }) => blocks.map(({ type }) => type)))
  const named = new Set([...types].filter((type) => typeNames(type, input).some((name) => said.has(asSaid(name)))))
  const here = new Set(page.blocks.map(({ type }) => type))
  return {
    /** The page being edited; the first one if the selected page is not in the draft. */
    page,
    /** Blocks of that page, the selected one first. */
    blocks: [
      ...page.blocks.filter(({ id }) => id === selection.blockId),
      ...page.blocks.filter(({ id, type }) => ids.has(id) || named.has(type)),
    ],
    /** Named blocks of other pages, if that page has none of their type. */
    elsewhere: pages.filter((other) => other !== page).flatMap((other) =>
      other.blocks.filter(({ id, type }) => ids.has(id) || (named.has(type) && !here.has(type))).map((block) => ({ page: other, block }))),
    pages: pagesIn(input, words, said),
  }
}

function pagesIn({ message, draft: { pages, config } }: PlanningInput, words: Words, said: ReadonlySet<string>): readonly Page[] {
  const at = message.lastIndexOf(onlyOn)
  const slugs = new Set(tokensOf(at < 0 ? message : message.slice(at + onlyOn.length)))
  if (at >= 0) return pages.filter(({ slug }) => slugs.has(slug))
  if (isAboutEveryPage(words)) return pages
  const quotes = new Set(outsideOfQuotes(message, ' ').quotes.map(asSaid))
  return pages.filter((page) => slugs.has(page.slug) || pageNames(page, config).map(asSaid).some((name) => name !== '' && (said.has(name) || quotes.has(name))))
}

/** The names of a page: its title, its menu labels, and the words of its slug. */
const pageNames = ({ slug, title }: Page, { navLabels }: SiteConfig): readonly string[] =>
  [title, ownValue(navLabels, slug) ?? '', navLabelOf(slug), ...(slug === home ? homeNames : [slug])]

/** The common names of a block type. */
function typeNames(type: string, input: PlanningInput): readonly string[] {
  const spaced = type.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return [...(ownValue(blockNouns, type)?.split(', ') ?? []), blockTypeAt(input, type)?.displayName ?? type, spaced]
}

/** Splits a text into tokens, without surrounding punctuation. */
const tokensOf = (text: string): readonly string[] => text.split(/[\s,;()"'“”„«»]+/).map((word) => {
  let end = word.length
  while (end > 0 && '.:!?'.includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
})

const longestName = 5
const asSaid = (name: string): string => wordsIn(name).join(' ')

/** Returns every sequence of up to five words. */
const phrasesOf = (list: readonly string[]): ReadonlySet<string> =>
  new Set(list.flatMap((_, at) => Array.from({ length: longestName }, (__, more) => list.slice(at, at + more + 1).join(' '))))
