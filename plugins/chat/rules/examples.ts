import { isInternal } from '../../content/field-meta.ts'
import type { Block } from '../../content/model.ts'
import { addBlock } from './actions/blocks.ts'
import { setMeta } from './actions/meta.ts'
import { createPage, retitlePage } from './actions/pages.ts'
import { setText } from './actions/set-field.ts'
import { Ask, Unfit } from './ask.ts'
import { noParts, type Node } from './grammar/node.ts'
import type { Vocabulary } from './grammar/vocabulary.ts'
import type { Lexicon, Phrases } from './lexicon/lexicon.ts'
import { tokensOf } from './message/tokens.ts'
import { nounFor, wordsForBlock } from './resolve/references.ts'
import { standardTypes } from './standard-types.ts'
import { fieldsOf, movableBlocks, pageOf, standingOf, type Work } from './work.ts'

/** A message that may be sent. */
export interface Example {
  readonly words: string
  /** What the words mean, where nothing that a site may bring gives them another meaning. */
  readonly does?: (work: Work) => Work
}

/** Something to do, in the words for a draft as it is; `undefined` where it cannot be told in words. */
export type Idea = (work: Work) => Example | undefined

/** Tells whether an example changes something, by doing it. */
export function isPossible(work: Work, { does }: Example): boolean {
  try {
    return does !== undefined && does(work).ops !== work.ops
  } catch (error) {
    if (error instanceof Ask || error instanceof Unfit) return false
    throw error
  }
}

/** So many blocks are thought of. */
const mostBlocks = 8
/** And so many of the other pages. */
const mostPages = 3

/** What is tried where a text will be asked for. Nobody sees it. */
export const anyText = 'Lorem ipsum 7'

/** New texts: for other fields of the block whose text was just set, then for one field of each block, the selected block first. */
export function textIdeas(work: Work): readonly Idea[] {
  const { touchedField: set, slug } = work
  const { blockId } = work.scene.input.selection
  const blocks = openBlocks(work, slug)
  const touched = set && set.slug === slug && !set.row ? blocks.find(({ id }) => id === set.id) : undefined
  const beside = touched ? textFieldsOf(work, touched).filter(([name]) => name !== set?.name).map(([name]) => textOfBlock(touched.id, { field: name })) : []
  const others = blocks.filter((block) => block !== touched)
  const selected = others.filter(({ id }) => id === blockId)
  return [...beside, ...[...selected, ...others.filter(({ id }) => id !== blockId)].slice(0, mostBlocks).map(({ id }) => textOfBlock(id))]
}

/** New texts for what is left where little is let through: other fields of the blocks here, then blocks of other pages. */
export function* furtherTextIdeas(work: Work): Generator<Idea> {
  const { slug, draft } = work
  for (const block of openBlocks(work, slug).slice(0, mostBlocks)) {
    for (const [name] of textFieldsOf(work, block).slice(1)) yield textOfBlock(block.id, { field: name })
  }
  let pages = 0
  for (const page of draft.order) {
    const [block] = page === slug ? [] : openBlocks(work, page)
    if (block) yield textOfBlock(block.id, { page })
    if (block && ++pages === mostPages) return
  }
}

/** The blocks of a page, without those that a public demo keeps locked. */
const openBlocks = (work: Work, slug: string): readonly Block[] => pageOf(work, slug).blocks.filter(({ type }) => isOpen(work, type))

const isOpen = ({ scene: { input: { playground } } }: Work, type: string): boolean => playground?.blockTypes.has(type) ?? true

const textFieldsOf = (work: Work, block: Block) => Object.entries(fieldsOf(work, block)).filter(([name, field]) => field.kind === 'text' && !isInternal(name, field))

/** Another text for a field of a block, the first one where none is named; on the page that is talked about, where none is. */
const textOfBlock = (id: string, { field: wanted, page: slug }: { readonly field?: string; readonly page?: string } = {}): Idea => (work) => {
  const { lexicon } = work.scene
  const at = { slug: slug ?? work.slug, id }
  const block = work.draft.page(at.slug)?.blocks.find((other) => other.id === id)
  if (!block) return undefined
  const [name, meta] = textFieldsOf(work, block).find(([own]) => own === (wanted ?? own)) ?? []
  const word = name !== undefined && wordsOf(lexicon).ofFields.get(name)
  if (!word || !meta || isRowNoun(work, at.slug, block)) return undefined
  const words = lexicon.phrases.rewrite(word, wordsForBlock(work, at.slug, block))
  return { words, ...(isClear(work, block.type) && isOnlyName(work, block.type, words) && { does: (later: Work) => setText(later, { ...at, name, meta }, anyText) }) }
}

/** `The card title` and `the first stats title` are those of a row. */
const isRowNoun = (work: Work, slug: string, { id, type }: Block): boolean => {
  const { blockNouns, rowNouns } = work.scene.lexicon
  const [noun = ''] = blockNouns[type] ?? []
  const isOnly = standingOf(pageOf(work, slug), id)?.isOnly ?? true
  return rowNouns.some(({ singular, plural }) => [...singular, ...(isOnly ? [] : plural)].includes(noun.toLowerCase()))
}

/** What else may be done on a page, what people need most often first. */
export const otherIdeas: readonly Idea[] = [
  addMissing,
  moveLast(0),
  needsText(({ setMeta: words }) => words, (work, v) => setMeta(work, { v }, 'description')),
  needsText(({ renamePage }) => renamePage, (work, v) => retitlePage(work, { v }, '')),
  needsText(({ createPage: words }) => words, (work, name) => createPage(work, { name }, '')),
  moveLast(1),
]

/** Something that needs no more than a text, which is asked back. */
function needsText(phrase: (phrases: Phrases) => string, does: (work: Work, text: Node) => Work): Idea {
  const text: Node = { slot: 'Value', form: 'quoted', start: 0, end: 0, parts: noParts, text: anyText }
  return (work) => {
    const words = phrase(work.scene.lexicon.phrases)
    return isOnlyName(work, '', words) ? { words, does: (later) => does(later, text) } : undefined
  }
}

/** The first of the usual sections that the page does not have. */
function addMissing(work: Work): Example | undefined {
  const { phrases, blockNouns } = work.scene.lexicon
  const { blocks } = pageOf(work, work.slug)
  const type = standardTypes.find((standard) => isOpen(work, standard) && !blocks.some((block) => block.type === standard))
  if (type === undefined) return undefined
  const node: Node = { slot: 'BlockType', form: 'BlockType', start: 0, end: 0, parts: noParts, names: [type] }
  return {
    words: phrases.addBlock(blockNouns[type]?.[0] ?? type),
    ...(isClear(work, type) && { does: (at: Work) => addBlock(at, { type: node }, '') }),
  }
}

/** A page may be called like a section, so that a move may mean the page. */
function moveLast(place: number): Idea {
  return (work) => {
    const { phrases: { moveTo, places } } = work.scene.lexicon
    const last = movableBlocks(work, work.slug).findLast(({ type }) => isOpen(work, type))
    return last && places.map((words) => ({ words: moveTo(wordsForBlock(work, work.slug, last), words) }))[place]
  }
}

/**
 * Whether the words for blocks of a type mean this type, and nothing else that the site or the grammar has.
 *
 * A site may call its own types as it likes: `First`, `Hero section`, `Text and image`.
 */
function isClear(work: Work, type: string): boolean {
  const types = clearTypes.get(work.scene.vocabulary) ?? new Map<string, boolean>()
  const known = types.get(type) ?? meansOnly(work, type)
  clearTypes.set(work.scene.vocabulary, types.set(type, known))
  return known
}

const clearTypes = new WeakMap<Vocabulary, Map<string, boolean>>()

function meansOnly(work: Work, type: string): boolean {
  const { lexicon, vocabulary } = work.scene
  const tokens = tokensOf(nounFor(work, type), lexicon.typos)
  const [longest] = vocabulary.blockTypes.find(tokens, 0)
  // German has one word for the noun and the unit, `Hero-Abschnitt`.
  const isOneWord = longest?.end === tokens.length && longest.value.every((meant) => meant === type)
  if (!isOneWord && (longest?.end !== tokens.length - 1 || longest.value[0] !== type)) return false
  return Object.hasOwn(lexicon.blockNouns, type) || tokens.slice(0, -1).every(({ word }) => !wordsOf(lexicon).ofGrammar.has(word))
}

/** Whether words have no name in them that only this site knows, but that of one type. */
function isOnlyName({ scene: { input, lexicon, vocabulary } }: Work, type: string, words: string): boolean {
  if (!input.manifest) return true
  const tokens = tokensOf(words, lexicon.typos)
  const { ofTypes } = wordsOf(lexicon)
  return tokens.every((_, at) =>
    vocabulary.fieldNames.find(tokens, at).every(({ phrase }) => Object.hasOwn(lexicon.fieldNouns, phrase))
    && vocabulary.blockTypes.find(tokens, at).every(({ phrase, value: [meant] }) => meant === type || ofTypes.has(phrase)))
}

interface LexiconWords {
  /** Every word that means something to the rules, whatever the site. */
  readonly ofGrammar: ReadonlySet<string>
  /** What blocks of the usual types are called. */
  readonly ofTypes: ReadonlySet<string>
  /** By prop: the first word that means this one before any other. */
  readonly ofFields: ReadonlyMap<string, string>
}

const lexiconWords = new WeakMap<Lexicon, LexiconWords>()

function wordsOf(lexicon: Lexicon): LexiconWords {
  const known = lexiconWords.get(lexicon)
  if (known) return known
  const phrases = [...Object.values(lexicon.words).flat(), ...Object.keys(lexicon.ordinals), ...Object.keys(lexicon.numbers)]
  const made = {
    ofGrammar: new Set(phrases.flatMap((phrase) => phrase.split(' '))),
    ofTypes: new Set(Object.values(lexicon.blockNouns).flat()),
    ofFields: new Map(Object.entries(lexicon.fieldNouns).toReversed().map(([word, [prop = '']]) => [prop, word])),
  }
  lexiconWords.set(lexicon, made)
  return made
}
