import { addBlock } from './actions/blocks.ts'
import { setMeta } from './actions/meta.ts'
import { createPage, retitlePage } from './actions/pages.ts'
import { setText } from './actions/set-field.ts'
import { Ask, Unfit } from './ask.ts'
import { noParts, type Node } from './grammar/node.ts'
import type { Lexicon } from './lexicon/lexicon.ts'
import { tokensOf } from './message/tokens.ts'
import { scalarFields } from './resolve/fields.ts'
import { nounFor, wordsForBlock } from './resolve/references.ts'
import { standardTypes } from './standard-types.ts'
import { movableBlocks, pageOf, type Work } from './work.ts'

/** A message that may be sent. */
export interface Example {
  readonly words: string
  /** What the words mean, where nothing that a site may bring gives them another meaning. */
  readonly does?: (work: Work) => Work
}

export const wordsOf = (all: readonly Example[]): readonly string[] => all.map(({ words }) => words)

/** Tells whether an example changes something, by doing it. */
export function isPossible(work: Work, { does }: Example): boolean {
  try {
    return does !== undefined && does(work).ops !== work.ops
  } catch (error) {
    if (error instanceof Ask || error instanceof Unfit) return false
    throw error
  }
}

/** Messages that fit a page, those that people need most often first; not all of them may be possible. */
export const examples = (work: Work): readonly Example[] => [...textExamples(work).slice(0, 2), ...otherExamples(work)]

export function otherExamples(work: Work): readonly Example[] {
  const { phrases } = work.scene.lexicon
  const { sampleTitle } = phrases
  const page = pageOf(work, work.slug)
  const missing = standardTypes.find((type) => !page.blocks.some((block) => block.type === type))
  const last = movableBlocks(work, work.slug).at(-1)
  const moves = last ? phrases.places.map((place) => ({ words: phrases.moveTo(wordsForBlock(work, work.slug, last), place) })) : []
  return [
    ...(missing === undefined ? [] : [addExample(work, missing)]),
    ...moves.slice(0, 1),
    { words: phrases.setMeta(sampleTitle), does: (at) => setMeta(at, { v: quoted(sampleTitle) }, 'description') },
    { words: phrases.renamePage(sampleTitle), does: (at) => retitlePage(at, { v: quoted(sampleTitle) }, '') },
    { words: phrases.createPage(sampleTitle), does: (at) => createPage(at, { name: quoted(sampleTitle) }, '') },
    ...moves.slice(1),
    { words: phrases.createPage(`${sampleTitle} ${page.title}`) },
  ]
}

const quoted = (text: string): Node => ({ slot: 'Value', form: 'quoted', start: 0, end: 0, parts: noParts, text })

/** A new text for one field of each block, the selected block first. */
export function textExamples(work: Work): readonly Example[] {
  const { phrases, fieldNouns } = work.scene.lexicon
  const { selection } = work.scene.input
  const rank = ({ id }: { readonly id: string }) => (id === selection.blockId ? 0 : 1)
  const blocks = pageOf(work, work.slug).blocks.toSorted((a, b) => rank(a) - rank(b))
  return blocks.slice(0, 8).flatMap((block): readonly Example[] => {
    const at = { slug: work.slug, id: block.id }
    const [name, meta] = Object.entries(scalarFields(work, at)).find(([, { kind }]) => kind === 'text') ?? []
    const word = Object.entries(fieldNouns).find(([, [first]]) => first === name)?.[0]
    if (name === undefined || !meta || word === undefined) return []
    return [{
      words: phrases.setTo(phrases.fieldOf(word, wordsForBlock(work, work.slug, block)), `"${phrases.sampleTitle}"`),
      ...(isClear(work, block.type) && { does: (later: Work) => setText(later, { ...at, name, meta }, phrases.sampleTitle) }),
    }]
  })
}

function addExample(work: Work, type: string): Example {
  const { phrases, blockNouns } = work.scene.lexicon
  const words = phrases.addBlock(blockNouns[type]?.[0] ?? type)
  const node: Node = { slot: 'BlockType', form: 'BlockType', start: 0, end: 0, parts: noParts, names: [type] }
  return { words, ...(isClear(work, type) && { does: (at) => addBlock(at, { type: node }, '') }) }
}

/**
 * Whether the words for blocks of a type mean this type, and nothing else that the site or the grammar has.
 *
 * A site may call its own types as it likes: `First`, `Hero section`, `Text and image`.
 */
function isClear(work: Work, type: string): boolean {
  const { lexicon, vocabulary } = work.scene
  const tokens = tokensOf(nounFor(work, type), lexicon.typos)
  const [longest] = vocabulary.blockTypes.find(tokens, 0)
  if (longest?.end !== tokens.length - 1 || longest.value[0] !== type) return false
  return Object.hasOwn(lexicon.blockNouns, type) || tokens.slice(0, -1).every(({ word }) => !wordsOfGrammar(lexicon).has(word))
}

const grammars = new WeakMap<Lexicon, ReadonlySet<string>>()

/** Every word that means something to the rules, whatever the site. */
function wordsOfGrammar(lexicon: Lexicon): ReadonlySet<string> {
  const known = grammars.get(lexicon)
  if (known) return known
  const phrases = [...Object.values(lexicon.words).flat(), ...Object.keys(lexicon.ordinals), ...Object.keys(lexicon.numbers)]
  const words = new Set(phrases.flatMap((phrase) => phrase.split(' ')))
  grammars.set(lexicon, words)
  return words
}
