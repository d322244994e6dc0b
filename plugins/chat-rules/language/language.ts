/** Verb classes, as matched by actions. */
export type VerbClass =
  | 'set' | 'rename' | 'replace' | 'use' | 'append' | 'prepend' | 'remove' | 'clear' | 'add' | 'create' | 'put' | 'move' | 'swap' | 'copy'
  | 'link' | 'show' | 'enable' | 'disable' | 'keep' | 'group' | 'edit' | 'case' | 'align' | 'mirror' | 'want' | 'say' | 'be' | 'have' | 'give' | 'announce' | 'take' | 'start' | 'finish' | 'state' | 'answer' | 'unwanted'

/** Word classes by syntactic role. */
export type WordClass =
  // around a request
  | 'leadIn' | 'polite' | 'permission' | 'tail' | 'restUnchanged' | 'filler' | 'connector' | 'correction' | 'question' | 'condition' | 'titleWord' | 'askedOf'
  // before and after names
  | 'the' | 'a' | 'this' | 'its' | 'all' | 'both' | 'further' | 'everything' | 'except' | 'unit' | 'it' | 'thisBlock' | 'thisText' | 'number' | 'page' | 'pages'
  | 'home' | 'thisPage' | 'here' | 'everywhere' | 'site' | 'siteName' | 'logo' | 'menu' | 'menuEntry' | 'menuLabel' | 'dropdown' | 'slug' | 'pageTitle'
  | 'metaTitle' | 'metaDescription' | 'metaImage' | 'metadata' | 'order' | 'notName'
  // prepositions, by the role of what follows
  | 'of' | 'in' | 'to' | 'from' | 'as' | 'value' | 'valueQuoted' | 'with' | 'by' | 'called' | 'saying' | 'labelled' | 'about' | 'at' | 'instead' | 'linking' | 'origin'
  // places
  | 'front' | 'end' | 'before' | 'after' | 'between' | 'near' | 'up' | 'down' | 'steps' | 'position' | 'places' | 'aboveBelow' | 'next' | 'comes' | 'and'
  // choices
  | 'left' | 'leftAligned' | 'right' | 'full' | 'center' | 'otherSide' | 'columns' | 'upper' | 'lower' | 'title' | 'on' | 'off' | 'looks' | 'unchanged'
  | 'bits' | 'having' | 'styled' | 'breaking' | 'empty' | 'also' | 'echo' | 'says' | 'topic' | 'pronoun'
  // statements such as `should be`
  | 'modal' | 'newly' | 'newLink' | 'still' | 'states' | 'gone'
  // unquoted words that are not a text
  | 'vague' | 'vagueAfterArticle' | 'articles' | 'aside'
  // words that classify a reply
  | 'otherVerb' | 'opening' | 'reply' | 'duty' | 'definite' | 'yes' | 'no' | 'planFirst' | 'closingVerb'

/** A noun for rows, with its lists as `[type, prop]`; an empty list means the first list of a block. */
export interface RowNoun {
  readonly one: readonly string[]
  readonly many: readonly string[]
  readonly lists: readonly (readonly [type: string, listKey: string])[]
  /** The block type to add if the page has no such list. */
  readonly block?: string
}

/** Templates for suggested commands. */
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

/** A language as data, for the shared grammar. */
export interface Language {
  readonly code: string
  readonly typos: Readonly<Record<string, string>>
  readonly verbs: readonly (readonly [classes: readonly VerbClass[], phrases: readonly string[]])[]
  /** Verbs that rarely begin a text: a message that begins with one is a request. */
  readonly requestVerbs: readonly string[]
  /** Verbs after a modal: `should say`, `should come`. */
  readonly duties: readonly (readonly [classes: readonly VerbClass[], phrases: readonly string[]])[]
  /** Verbs may also be at the end of a sentence. */
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
  /** Words for fields, with the possible props, best first. */
  readonly fieldNouns: readonly (readonly [props: readonly string[], words: readonly string[]])[]
  /** The connectors between a message and the answer that completes it. */
  readonly joints: Readonly<Record<'value' | 'place' | 'name' | 'scope', string>>
  readonly phrases: Phrases
  /** Patterns of questions, matched against the words of a message. */
  readonly questions: readonly (readonly [kind: QuestionKind, pattern: RegExp])[]
}

export type QuestionKind =
  | 'blockCatalogue' | 'editableFields' | 'pageList' | 'inventory' | 'advice' | 'help' | 'negated' | 'history' | 'publishing' | 'image'
  | 'checkSite' | 'checkPage' | 'fixSite' | 'fixPage'

/** Splits a comma-separated list of phrases. */
export const list = (phrases: string): readonly string[] => phrases.split(',').map((phrase) => phrase.trim()).filter(Boolean)

/** Combines every first phrase with every second one. */
export const pairs = (firsts: string, seconds: string): readonly string[] =>
  list(firsts).flatMap((first) => list(seconds).map((second) => `${first} ${second}`))
