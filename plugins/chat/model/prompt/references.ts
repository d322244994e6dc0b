import type { PlanningInput } from '../../port.ts'
import { declaredType } from '../../../content/registry.ts'
import { isDeclaredList, labelOf } from '../../../content/fields.ts'
import type { Page, SiteConfig } from '../../../content/page.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { home } from '../../../content/slugs.ts'
import { wordsIn } from '../../../content/words.ts'
import { hasNameOf } from '../type-names.ts'
import type { Words } from '../words.ts'

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
  } = input
  const none = { id: '', slug: selection.slug, title: '', updatedAt: '', blocks: [] }
  const page: Page = pages.find(({ slug }) => slug === selection.slug) ?? pages[0] ?? none
  const quotes = words.quotes.map((text) => wordsIn(text).join(' ')).filter(Boolean)
  const phrases = new Set([...phrasesOf(words.list), ...phrasesOf(words.list.map(singular)), ...quotes])
  const isMentioned = (name: string): boolean => phrases.has(wordsIn(name).join(' '))
  const types = new Set(pages.flatMap(({ blocks }) => blocks.map(({ type }) => type)))
  const isNamed = (type: string): boolean => {
    const { displayName = type, fields = {} } = declaredType(type, input) ?? {}
    const lists = Object.entries(fields).filter(([, meta]) => isDeclaredList(meta))
    const rows = lists.map(([name, meta]) => singular(labelOf(name, meta)))
    return [type, displayName, ...rows].some(isMentioned) || hasNameOf(type, words.text)
  }
  const named = new Set([...types].filter(isNamed))
  const here = new Set(page.blocks.map(({ type }) => type))
  return {
    /** The page being edited; the first one if the selected page is not in the draft. */
    page,
    /** Blocks of that page, the selected one first. */
    blocks: [
      ...page.blocks.filter(({ id }) => id === selection.blockId),
      ...page.blocks.filter(({ id, type }) => named.has(type) || isMentioned(id)),
    ],
    /** Named blocks of other pages, if that page has none of their type. */
    elsewhere: pages
      .filter((other) => other !== page)
      .flatMap((other) =>
        other.blocks
          .filter(({ id, type }) => isMentioned(id) || (named.has(type) && !here.has(type)))
          .map((block) => ({ page: other, block })),
      ),
    pages: everyPage.test(words.text)
      ? pages
      : pages.filter((each) => pageNames(each, config).some(isMentioned)),
  }
}

/** The names of a page: its title, its menu labels, and the words of its slug. */
const pageNames = ({ slug, title }: Page, { navLabels }: SiteConfig): readonly string[] => [
  title,
  ownValue(navLabels, slug) ?? '',
  ...(slug === home ? homeNames : [slug]),
]

const singular = (word: string): string => word.replace(/s$/, '')

const longestName = 6

/** Returns every sequence of up to six words. */
const phrasesOf = (list: readonly string[]): readonly string[] =>
  list.flatMap((_, at) =>
    Array.from({ length: longestName }, (__, more) => list.slice(at, at + more + 1).join(' ')),
  )
