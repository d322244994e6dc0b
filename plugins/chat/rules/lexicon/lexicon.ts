/** Everything that the rules know of one language. A second language is one more object of this type. */
export interface Lexicon {
  readonly language: string
  /** Common typing mistakes of whole words; and words that are two, with a blank between. */
  readonly typos: Readonly<Record<string, string>>
  /** Phrases by word class, for `@class` in forms. */
  readonly words: Readonly<Record<string, readonly string[]>>
  readonly ordinals: Readonly<Record<string, number>>
  /** The sign behind digits that makes an ordinal of them, where a language has one. */
  readonly ordinalSign?: string
  readonly numbers: Readonly<Record<string, number>>
  /** First words of what sounds like a text, but describes one. */
  readonly vague: VagueWords
  /** Nouns have a capital: whoever writes them so gives one to a text as well, and a remark none. */
  readonly nounsAreCapital?: true
  readonly languageNames: readonly string[]
  /** Names of colours that may be values. */
  readonly colors: readonly string[]
  /** Names of colours in this language, and what style sheets call them. */
  readonly colorWords?: Readonly<Record<string, string>>
  /** What `on` and `off` are called, for fields that are true or false. */
  readonly switches: Readonly<Record<string, string>>
  /** What choices are called in this language. */
  readonly optionWords?: Readonly<Record<string, string>>
  readonly blockNouns: Readonly<Record<string, readonly string[]>>
  /** Singular and plural of a row, and the lists that have such rows. */
  readonly rowNouns: readonly RowNoun[]
  /** Props that a word may mean, the first one that a block or row has. */
  readonly fieldNouns: Readonly<Record<string, readonly string[]>>
  /** What a name ends in where something belongs to it, if no apostrophe tells that. */
  readonly ownerEnding?: string
  /** How a word for a page ends that begins with its name, and what that name ends in instead. */
  readonly pageEndings?: readonly (readonly [ending: string, instead: string])[]
  /** Forms of the slots that are made of words and other slots. */
  readonly slots: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** What changes something; earlier rows win. */
  readonly rules: readonly Rule[]
  /** What only asks; tried on the whole message, before the rules. */
  readonly questions: readonly Rule[]
  readonly planFirst: readonly string[]
  /** The same wish behind a request, with what joins the two. */
  readonly planLast: readonly string[]
  /** What is said before a request without being one; forms of words, without slots. */
  readonly openings?: readonly string[]
  readonly confirmations: readonly string[]
  readonly refusals: readonly string[]
  readonly courtesies: Courtesies
  /** The words between a request that lacks something and the answer that has it. */
  readonly joints: Readonly<Record<'value' | 'name' | 'scope' | 'place', string>>
  /** All the way, and by one place: places that the form `rise` or `sink` leaves open. */
  readonly ways: Readonly<Record<'rise' | 'sink', { readonly edge: string; readonly step: string }>>
  readonly phrases: Phrases
}

/** What is said to be friendly. A message that is made of nothing else asks for nothing. */
export interface Courtesies {
  readonly thanks: readonly string[]
  readonly praise: readonly string[]
  readonly greetings: readonly string[]
  readonly farewells: readonly string[]
  /** Friendly only beside one of the others. */
  readonly around: readonly string[]
}

export interface VagueWords {
  readonly words: readonly string[]
  /** Vague only after an article. */
  readonly afterArticle: readonly string[]
  /** Vague only after a number: `two lines`. */
  readonly afterNumber?: readonly string[]
  /** Vague where they are all there is. */
  readonly whole?: readonly string[]
  readonly articles: readonly string[]
  /** Small letters at the beginning that make a remark of what follows: it may be a choice, but no text. */
  readonly beginnings?: readonly string[]
  /** The same for words that are all there is, whatever their case. */
  readonly alone?: readonly string[]
}

export interface RowNoun {
  readonly singular: readonly string[]
  readonly plural: readonly string[]
  /** Block type and name of the list; none for words that fit any list. */
  readonly lists: readonly (readonly [type: string, listKey: string])[]
  /** The type of block that is added where no list takes the row. */
  readonly block?: string
}

/** A row of the table of rules. */
export interface Rule {
  readonly action: string
  readonly forms: readonly string[]
  /** A detail for the action, such as which prop. */
  readonly detail?: string
  /** Only after a clause that set something; or that moved or added something, or was about a page as a whole. */
  readonly continues?: true | 'move' | 'add' | 'page'
  /** Names a context, and the clause it belongs to follows at once. */
  readonly leads?: true
}

/** Commands in this language, for suggestions. Each has to be understood by the rules above. */
export interface Phrases {
  ordinal(n: number): string
  block(noun: string, ordinal?: number): string
  row(noun: string, ordinal: number): string
  fieldOf(field: string, owner: string): string
  on(reference: string, slug: string): string
  page(slug: string): string
  /** Words for something in the form in which other words for it stood, behind the word before them. */
  inPlaceOf?(replaced: string, before: string, words: string): string
  /** Asks for another text of a field; which one is asked back. */
  rewrite(field: string, owner: string): string
  addBlock(noun: string): string
  moveTo(reference: string, place: string): string
  /** What is asked back is the name, the title and the description. */
  readonly createPage: string
  readonly renamePage: string
  readonly setMeta: string
  readonly places: readonly string[]
}
