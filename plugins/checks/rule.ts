import type { Operation } from '../content/operations/index.ts'
import type { PageView } from './page-view.ts'
import type { SiteView } from './site-view.ts'

export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** Where in a draft something was found; a finding about the whole site has no page. */
export interface Place {
  readonly slug?: string | undefined
  readonly pageId?: string | undefined
  readonly blockId?: string | undefined
  readonly blockType?: string | undefined
  /** As editable paths are written: `cards[2].imageAlt`, `meta.title`. */
  readonly path?: string | undefined
  /** The same with the ids of rows in place of their positions. */
  readonly stablePath?: string | undefined
  readonly itemId?: string | undefined
  /** The position of the block on its page; what has none comes first. */
  readonly blockIndex?: number | undefined
}

/** How a finding can be put right. */
export type Fix = { readonly label: string; readonly candidates?: readonly string[] } & (
  | { readonly kind: 'auto' | 'suggest'; readonly ops: readonly Operation[] }
  /** It takes a text of the caller. */
  | { readonly kind: 'suggest'; readonly write: (text: string) => Operation }
)

/** Makes the operation that gives one field another value; `null` takes an optional one away. */
export type Write = (value: unknown) => Operation

/** The fix that writes a value; `undefined` where the field cannot be written. */
export const writes = (kind: Fix['kind'], label: string, write: Write | undefined, value: unknown): Fix | undefined =>
  write && { kind, label, ops: [write(value)] }

/** The fix that writes a text of the caller; `undefined` where the field cannot be written. */
export const takesText = (label: string, write: Write | undefined, candidates?: readonly string[]): Fix | undefined =>
  write && { kind: 'suggest', label, write, ...(candidates && { candidates }) }

/** What a rule found. */
export interface Found {
  readonly at: Place
  /** One sentence for people, without markup. */
  readonly message: string
  /** The value that is wrong; a dismissal lapses when it changes. */
  readonly value?: unknown
  /** Tells findings of one rule at one place apart. */
  readonly of?: string
  readonly fix?: Fix | undefined
}

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
