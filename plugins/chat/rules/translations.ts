/**
 * The form of the tables of other languages: what things are called there, and English sentences that say the
 * same.
 */

/** The facts of an English answer that is given in another language. */
export interface Facts {
  readonly opens?: readonly string[]
  readonly findings: readonly string[]
}

/**
 * A language as rows of patterns. Capitals are slots: `THING` is there, `KIND` is new, `PATH` is a page,
 * `ORDINAL` shares the noun behind it, and `TEXT` is in quotes.
 */
export interface Translation {
  /** Words that change nothing, such as "please". */
  readonly courtesy: string
  /** Begins a request: what follows may end with a question mark. */
  readonly polite: string
  readonly articles: string
  /** Begin what is new. */
  readonly another: string
  /** Words between a part and the whole. */
  readonly owners: string
  /** Words before or behind the title of a page. */
  readonly page: string
  readonly ordinals: Readonly<Record<string, string>>
  readonly names: Readonly<Record<string, string>>
  /** Titles of pages that a site may have in English. */
  readonly titles: Readonly<Record<string, string>>
  readonly places: readonly (readonly [pattern: string, english: string])[]
  readonly requests: readonly (readonly [pattern: string, english: string])[]
  readonly questions: readonly (readonly [
    pattern: string,
    english: string,
    answer: (facts: Facts) => string,
  ])[]
  readonly offer: (sentence: string) => string
}
