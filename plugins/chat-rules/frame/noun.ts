import type { RowNoun } from '../language/language.ts'

export type NounKind =
  | 'block' | 'section' | 'row' | 'field' | 'page' | 'pages' | 'meta' | 'metadata' | 'siteName' | 'site' | 'logo' | 'slug' | 'pageTitle' | 'menu' | 'entry'
  | 'this' | 'it' | 'thisText' | 'name' | 'nth' | 'everything' | 'everywhere'

/** A parsed noun phrase, not yet resolved against the draft. */
export interface Noun extends Modifiers {
  readonly kind: NounKind
  readonly end: number
  /** The head noun. */
  readonly text: string
  readonly types?: readonly string[]
  readonly row?: RowNoun
  /** Of a field or of metadata: the possible props, best first. */
  readonly props?: readonly string[]
  readonly name?: Name | undefined
  /** Of new pages. */
  readonly names?: readonly string[]
  readonly page?: 'this' | 'home' | 'route' | 'named' | 'bare' | 'free'
  readonly isMany?: boolean
  /** The current text of a field, if the sentence quotes it. */
  readonly currentText?: string
  readonly hasUnit?: boolean
  /** An ordinal or number with the noun of another one. */
  readonly isShort?: boolean
  /** The noun that it belongs to. */
  readonly owner?: Noun | undefined
  /** Cost of the reading: lower is likelier. */
  readonly cost: number
}

export interface Name {
  readonly text: string
  readonly isQuoted: boolean
  readonly isAuthor?: boolean
}

/** What is said before the head noun. */
export interface Modifiers {
  readonly start: number
  readonly isNew?: boolean
  readonly isThis?: boolean
  readonly isIts?: boolean
  readonly isAll?: boolean
  readonly isBoth?: boolean
  readonly isThe?: boolean
  readonly ord?: number | undefined
  readonly count?: number | undefined
  readonly n?: number | undefined
}

/** Whether a noun is the word `here`. */
export const isHere = ({ page, text }: Noun): boolean => page === 'this' && text === ''
