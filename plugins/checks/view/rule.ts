import type { Found, Severity } from './finding.ts'
import type { PageView } from './page-view.ts'
import type { SiteView } from './site-view.ts'

export type Params = Readonly<Record<string, number | readonly string[]>>

/** What every rule says about itself. */
export interface RuleFacts {
  /** `<category>.<name>`, such as `seo.title-length`. */
  readonly id: string
  /** What is wrong where it finds something, in a few words. */
  readonly title: string
  readonly severity: Severity
  readonly fix: 'auto' | 'suggest' | null
}

/** One rule over the content of a draft. It is pure: the same content gives the same findings in the same order. */
export interface Rule extends RuleFacts {
  readonly params: Params
  /** Looks at one page by itself; its findings are kept until the page changes. */
  page?(view: PageView, params: Params): Iterable<Found>
  /** Looks at what is known of all pages. A rule that goes through links yields `undefined` after each page, where other requests may have their turn. */
  site?(view: SiteView, params: Params): Iterable<Found | undefined>
}

/** Declares a rule with the types of its own parameters. */
export function defineRule<const P extends Params = Record<never, never>>(
  rule: RuleFacts & {
    readonly params?: P
    page?(view: PageView, params: Widened<P>): Iterable<Found>
    site?(view: SiteView, params: Widened<P>): Iterable<Found | undefined>
  },
): Rule {
  return { params: {}, ...rule } as Rule
}

type Widened<P extends Params> = { readonly [K in keyof P]: P[K] extends number ? number : readonly string[] }

/** True for a text with something else than white space in it. */
export const filled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** Characters as people count them: Unicode code points. */
export function lengthOf(value: unknown): number {
  let length = 0
  if (typeof value === 'string') for (const _ of value.trim()) length += 1
  return length
}

/** A text cut at a word, with at most so many characters. */
export function cutAtWord(text: string, max: number): string {
  const characters = [...text.trim()]
  if (characters.length <= max) return characters.join('')
  const cut = characters.slice(0, max + 1).join('')
  const end = cut.lastIndexOf(' ')
  return (end > 0 ? cut.slice(0, end) : characters.slice(0, max).join('')).trimEnd().replace(/[,;:.–-]$/, '')
}

/** Text without its markup: tags, and the marks of Markdown for emphasis, links and headings. */
export function plainText(text: string): string {
  return text
    .replace(/<[a-z/!][^<>]*>/gi, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__|\*|_)(?=\S)([^*_\n]+?)(?<=\S)\1/g, '$2')
    .replace(/^ {0,3}#{1,6}\s+/gm, '')
    .replace(/[ \t]+/g, ' ')
    .trim()
}
