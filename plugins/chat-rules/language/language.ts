/** What a verb does, as the actions know it. */
export type VerbClass =
  | 'set' | 'rename' | 'replace' | 'use' | 'append' | 'prepend' | 'remove' | 'clear' | 'add' | 'create' | 'put' | 'move' | 'swap' | 'copy'
  | 'link' | 'show' | 'enable' | 'disable' | 'keep' | 'group' | 'edit' | 'case' | 'align' | 'mirror' | 'want' | 'say' | 'be' | 'have' | 'give' | 'announce' | 'take' | 'start' | 'finish' | 'state' | 'answer'

/** Words by the part they play in a sentence. */
export type WordClass =
  // around a request
  | 'leadIn' | 'polite' | 'tail' | 'filler' | 'connector' | 'question' | 'condition' | 'titleWord' | 'askedOf'
  // before and after names
  | 'the' | 'a' | 'this' | 'its' | 'all' | 'both' | 'everything' | 'except' | 'unit' | 'it' | 'thisBlock' | 'thisText' | 'number' | 'page' | 'pages'
  | 'home' | 'thisPage' | 'here' | 'everywhere' | 'site' | 'siteName' | 'logo' | 'menu' | 'menuEntry' | 'dropdown' | 'slug' | 'pageTitle'
  | 'metaTitle' | 'metaDescription' | 'metaImage' | 'metadata' | 'order' | 'notName'
  // prepositions, by the role of what follows
  | 'of' | 'in' | 'to' | 'from' | 'as' | 'value' | 'valueQuoted' | 'with' | 'by' | 'called' | 'saying' | 'labelled' | 'about' | 'at' | 'instead' | 'linking'
  // places
  | 'front' | 'end' | 'before' | 'after' | 'between' | 'near' | 'up' | 'down' | 'upMost' | 'steps' | 'position' | 'places' | 'and'
  // choices
  | 'left' | 'leftAligned' | 'right' | 'full' | 'center' | 'otherSide' | 'columns' | 'upper' | 'lower' | 'title' | 'on' | 'off' | 'looks' | 'unchanged'
  | 'bits' | 'having' | 'styled' | 'breaking'
  // sentences that say how it should be
  | 'modal' | 'newly' | 'states' | 'gone'
  // texts without quotes that are not taken for texts
  | 'vague' | 'vagueAfterArticle' | 'articles' | 'aside'
  // what other people may ask for
  | 'otherVerb' | 'opening' | 'reply' | 'duty' | 'definite' | 'yes' | 'no' | 'planFirst' | 'closingVerb'

/** The lists of blocks whose rows a noun means, as `[type, prop]`; none for the first list of a block. */
export interface RowNoun {
  readonly one: readonly string[]
  readonly many: readonly string[]
  readonly lists: readonly (readonly [type: string, listKey: string])[]
  /** The type of a block that a new one is where the page has no such list. */
  readonly block?: string
}

/** Ready commands, for what is suggested. */
export interface Phrases {
  block(noun: string, n?: number): string
  row(noun: string, n: number): string
  fieldOf(field: string, owner: string): string
  on(reference: string, slug: string): string
  page(slug: string): string
  rewrite(field: string, owner: string): string
  addBlock(noun: string): string
  moveTo(reference: string, place: string): string
  readonly createPage: string
  readonly renamePage: string
  readonly setMeta: string
  readonly places: readonly string[]
}

/** A language as data: words for the same frames, nouns for the same things. */
export interface Language {
  readonly code: string
  readonly typos: Readonly<Record<string, string>>
  readonly verbs: readonly (readonly [classes: readonly VerbClass[], phrases: readonly string[]])[]
  /** Verbs that a text hardly begins with: a message that does is a request. */
  readonly requestVerbs: readonly string[]
  /** What may stand behind a modal verb: `should say`, `should come`. */
  readonly duties: readonly (readonly [classes: readonly VerbClass[], phrases: readonly string[]])[]
  /** Verbs stand at the end of a sentence as well. */
  readonly verbLast: boolean
  readonly words: Readonly<Record<WordClass, readonly string[]>>
  readonly courtesies: Readonly<Record<'thanks' | 'praise' | 'greetings' | 'farewells' | 'around', readonly string[]>>
  readonly ordinals: Readonly<Record<string, number>>
  readonly numbers: Readonly<Record<string, number>>
  readonly options: Readonly<Record<string, string>>
  readonly colors: Readonly<Record<string, string>>
  readonly languageNames: readonly string[]
  readonly blockNouns: Readonly<Record<string, readonly string[]>>
  readonly rowNouns: readonly RowNoun[]
  /** Words for fields, each with the props it may mean, best first. */
  readonly fieldNouns: readonly (readonly [props: readonly string[], words: readonly string[]])[]
  /** What joins a message and the answer that completes it. */
  readonly joints: Readonly<Record<'value' | 'place' | 'name' | 'scope', string>>
  readonly ways: Readonly<Record<'rise' | 'sink', { readonly edge: string; readonly step: string }>>
  readonly phrases: Phrases
  /** Questions that are answered without a change, by kind: patterns over the words of the message. */
  readonly questions: readonly (readonly [kind: QuestionKind, pattern: RegExp])[]
}

export type QuestionKind =
  | 'blockCatalogue' | 'editableFields' | 'pageList' | 'inventory' | 'advice' | 'help' | 'negated' | 'history' | 'publishing' | 'image'
  | 'checkSite' | 'checkPage' | 'fixSite' | 'fixPage'

/** Phrases written with commas between them. */
export const list = (phrases: string): readonly string[] => phrases.split(',').map((phrase) => phrase.trim()).filter(Boolean)

/** Every first word with every second one. */
export const pairs = (firsts: string, seconds: string): readonly string[] =>
  list(firsts).flatMap((first) => list(seconds).map((second) => `${first} ${second}`))
