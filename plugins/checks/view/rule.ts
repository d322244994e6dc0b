import { lengthOf as charactersIn } from '../../content/check-props.ts'
import { isFileSlug } from '../../content/slugs.ts'
import type { Found, Severity } from './finding.ts'
import type { PageView } from './page-view.ts'
import type { SiteView } from './site-view.ts'

type Params = Readonly<Record<string, number | readonly string[]>>

interface RuleFacts {
  /** `<category>.<name>`, such as `seo.title-length`. */
  readonly id: string
  /** A short title of the problem. */
  readonly title: string
  readonly severity: Severity
  /** How its findings can be fixed; `null` if they cannot. */
  readonly fix: 'auto' | 'suggest' | null
  /** True for addresses, menus and what else a website of files makes itself: files are not checked. */
  readonly pagesOnly: boolean
}

/** A rule for the content of a draft. Pure: the same content gives the same findings in the same order. */
export interface Rule extends RuleFacts {
  readonly params: Params
  /** Checks one page; its findings are cached until the page changes. */
  page?(view: PageView, params: Params): Iterable<Found>
  /**
   * Checks all pages. A rule that iterates over links yields `undefined` after each page, to let other
   * requests run.
   */
  site?(view: SiteView, params: Params): Iterable<Found | undefined>
}

/** Declares a rule with typed parameters; without `fix`, its findings cannot be fixed. */
export function defineRule<const P extends Params = Record<never, never>>(
  rule: Omit<RuleFacts, 'fix' | 'pagesOnly'> &
    Partial<Pick<RuleFacts, 'fix' | 'pagesOnly'>> & {
      readonly params?: P
      page?(view: PageView, params: Widened<P>): Iterable<Found>
      site?(view: SiteView, params: Widened<P>): Iterable<Found | undefined>
    },
): Rule {
  return { params: {}, fix: null, pagesOnly: false, ...rule } as Rule
}

/** Returns the rules for a page, or for the site that begins with it. */
export const rulesFor = (slug: string | undefined, rules: readonly Rule[]): readonly Rule[] =>
  slug !== undefined && isFileSlug(slug) ? rules.filter(({ pagesOnly }) => !pagesOnly) : rules

type Widened<P extends Params> = { readonly [K in keyof P]: P[K] extends number ? number : readonly string[] }

/** True for a text that is not blank. */
export const filled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** Counts the characters of a trimmed text; 0 for other values. */
export const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? charactersIn(value.trim()) : 0

/** Cuts a text at a word boundary to at most `max` characters. */
export function cutAtWord(text: string, max: number): string {
  const characters = [...text.trim()]
  if (characters.length <= max) return characters.join('')
  const cut = characters.slice(0, max + 1).join('')
  const end = cut.lastIndexOf(' ')
  return (end > 0 ? cut.slice(0, end) : characters.slice(0, max).join('')).trimEnd().replace(/[,;:.–-]$/, '')
}

/** Removes HTML tags, and Markdown for emphasis, links and headings. */
export function plainText(text: string): string {
  return text
    .replace(/<[a-z/!][^<>]*>/gi, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__|\*|_)(?=\S)([^*_\n]+?)(?<=\S)\1/g, '$2')
    .replace(/^ {0,3}#{1,6}\s+/gm, '')
    .replace(/[ \t]+/g, ' ')
    .trim()
}
