import type { Block } from '../../../content/model.ts'
import { Ask, unfit } from '../ask.ts'
import { pagesIn } from '../../../content/draft-view.ts'
import { listOf, type Node } from '../grammar/node.ts'
import { wordsIn } from '../grammar/phrase-table.ts'
import { movableBlocks, blockWithId, pageInMind, pageOf, touchedRow, typeOf, type BlockAt, type Work } from '../work.ts'
import { findPage } from './pages.ts'
import { askAmong, blockChoice, choose, keyOf } from './references.ts'
import { labelledRows, titlesOf } from './titles.ts'

/** The block that words mean; asks when there is none, or more than one. */
export function findBlock(work: Work, node: Node): BlockAt {
  const { at, page } = node.parts
  if (node.slot === 'Block' && at) return page ? findBlockOn(work, at, findPage(work, page).slug) : findBlock(work, at)
  return findBlockOn(work, node, placed.has(node.form) ? pageInMind(work) : work.slug)
}

/** Forms that mean a block by where it is or what it is called. */
const placed: ReadonlySet<string> = new Set(['typed', 'named', 'titled', 'place'])

/** Several blocks, each once. */
export function findBlocks(work: Work, list: Node | undefined): readonly BlockAt[] {
  return [...new Map(listOf(list).map((node) => findBlock(work, node)).map((at) => [at.id, at])).values()]
}

/** The block that is selected, where it is on the page that is talked about. */
export function selectedBlock({ scene: { input: { selection } }, slug, draft }: Work): BlockAt | undefined {
  const id = selection.blockId
  const page = draft.page(slug)
  return id !== undefined && page && blockWithId(page, id) ? { slug, id } : undefined
}

/** The block of the clause before, where it still exists. */
export function touchedBlock({ touched, draft }: Work): BlockAt | undefined {
  const page = touched && draft.page(touched.slug)
  return page && blockWithId(page, touched.id) ? { slug: touched.slug, id: touched.id } : undefined
}

function findBlockOn(work: Work, node: Node, slug: string): BlockAt {
  const answer = work.scene.answers[keyOf(node)]
  if (answer !== undefined && blockWithId(pageOf(work, slug), answer)) return { slug, id: answer }
  switch (node.form) {
    case 'id': return blockById(work, node)
    case 'this': return selectedBlock(work) ?? touchedBlock(work) ?? pointed(work, node)
    case 'it': return itself(work) ?? pointed(work, node)
    case 'typed': return typedBlock(work, node, slug)
    case 'named':
    case 'titled': return namedBlock(work, node, slug)
    default: return blockByPlace(work, node, slug)
  }
}

/** What `it` means: what the clause before was about, else what is selected. */
function itself(work: Work): BlockAt | undefined {
  if (touchedRow(work)) return unfit('the row is meant')
  return touchedBlock(work) ?? (work.isUnclear ? undefined : selectedBlock(work))
}

function blockById(work: Work, node: Node): BlockAt {
  const id = node.parts['id']?.text ?? ''
  const page = pagesIn(work.draft).find(({ blocks }) => blocks.some((block) => block.id === id))
  if (!page) throw noBlock(work, node, work.scene.texts.noSuchSection(id, pageOf(work, work.slug).title))
  return { slug: page.slug, id }
}

function pointed(work: Work, node: Node): BlockAt {
  throw noBlock(work, node, work.scene.texts.nothingSelected)
}

function typedBlock(work: Work, node: Node, slug: string): BlockAt {
  const { type, ord, n } = node.parts
  const types = type?.names ?? []
  const noun = type?.text ?? ''
  const found = pageOf(work, slug).blocks.filter((block) => types.includes(block.type)).map(({ id }): BlockAt => ({ slug, id }))
  const { texts } = work.scene
  const isBare = type !== undefined && node.end === type.end
  if (isBare && meansRow(work, type, slug)) unfit('a row of a list is meant')
  if (isBare && ord && work.scene.lexicon.rowNouns.some(({ plural }) => plural.includes(noun))) unfit('several rows may be meant')
  const place = ord?.number ?? n?.number
  if (found.length === 0) throw noBlock(work, node, texts.noneOfType(noun, pageOf(work, slug).title), typedElsewhere(work, types))
  if (place !== undefined) {
    return found.at(place < 0 ? place : place - 1) ?? askBeyond(work, node, noun, found)
  }
  const near = [work.lead, selectedBlock(work), touchedBlock(work)].find((at) => at && found.some(({ id }) => id === at.id))
  if (near && found.length > 1) return near
  return choose(work, node, found, {
    toChoice: (at) => blockChoice(work, at),
    inquiry: (choices) => ({ question: texts.whichOne(noun, choices.map(({ label }) => label)) }),
  })
}

function askBeyond(work: Work, node: Node, noun: string, found: readonly BlockAt[]): never {
  throw askBlock(work, node, work.scene.texts.beyondEnd(noun, found.length), found)
}

const askBlock = (work: Work, node: Node, question: string, candidates: readonly BlockAt[]): Ask =>
  askAmong(work, node, candidates, { toChoice: (at) => blockChoice(work, at), inquiry: () => ({ question }) })

/** Tells whether a word for a block is one for a row as well, and a list on the page has such rows: `card`. */
export function meansRow(work: Work, { text = '', end }: Node, slug: string): boolean {
  const { lexicon, parser: { tokens } } = work.scene
  const hasUnit = (lexicon.words['unit'] ?? []).includes(tokens[end]?.word ?? '')
  return !hasUnit && isRowNoun(work, text) && hasListFor(work, text, slug)
}

const isRowNoun = ({ scene }: Work, noun: string) => scene.lexicon.rowNouns.some(({ singular }) => singular.includes(noun))

function hasListFor(work: Work, noun: string, slug: string): boolean {
  const row = work.scene.lexicon.rowNouns.find(({ singular }) => singular.includes(noun))
  return pageOf(work, slug).blocks.some(({ type }) => row?.lists.some(([owner]) => owner === type))
}

function typedElsewhere(work: Work, types: readonly string[]): readonly BlockAt[] {
  return pagesIn(work.draft).flatMap(({ slug, blocks }) =>
    blocks.filter((block) => types.includes(block.type)).map(({ id }) => ({ slug, id })))
}

function namedBlock(work: Work, node: Node, slug: string): BlockAt {
  const { name, type } = node.parts
  const wanted = (name?.text ?? '').trim().toLowerCase()
  const isNamed = named(wanted)
  const candidates = pageOf(work, slug).blocks.filter((block) => !type || type.names?.includes(block.type))
  const isEqual = (block: Block) => titlesOf(block).some(isNamed)
  const isLike = (block: Block) => titlesOf(block).some((title) => title.toLowerCase().includes(wanted))
  const equal = candidates.filter(isEqual)
  const loose = name?.slot === 'Quoted' && node.form === 'named' && wanted.length >= 3 ? candidates.filter(isLike) : []
  const found = equal.length > 0 ? equal : loose
  const { texts } = work.scene
  if (found.length === 0) throw noBlock(work, node, texts.noSuchSection(name?.text ?? '', pageOf(work, slug).title))
  if (node.form === 'titled') refuseRowsCalled(work, slug, wanted)
  return choose(work, node, found.map(({ id }) => ({ slug, id })), {
    toChoice: (at) => blockChoice(work, at),
    inquiry: (choices) => ({ question: texts.whichCalled(name?.text ?? '', choices.map(({ label }) => label)) }),
  })
}

/** A text alone may as well be the name of a row. */
function refuseRowsCalled(work: Work, slug: string, wanted: string): void {
  const rows = pageOf(work, slug).blocks.flatMap(labelledRows).filter(({ labels }) => labels.some(named(wanted)))
  if (rows.length > 0) throw new Ask({ question: work.scene.texts.whichCalled(wanted, [wanted, ...rows.map(({ labels }) => labels[0] ?? '')]) })
}

/** Signs at the end of a title do not count, nor do hyphens inside of it: names are found by their words. */
export const isSameName = (title: string, wanted: string): boolean => named(wanted)(title)

/** The same for many titles; their words are only read where they may be the same. */
export function named(wanted: string): (title: string) => boolean {
  const bare = (text: string) => wordsIn(text).join(' ')
  const own = bare(wanted)
  const plain = wanted.trim().toLowerCase()
  return (title) => title.trim().toLowerCase() === plain || (own !== '' && title.length <= longestTitle && bare(title) === own)
}

/** Characters; a longer title is compared as it is, not by its words. */
const longestTitle = 1_000

function blockByPlace(work: Work, node: Node, slug: string): BlockAt {
  const place = node.parts['ord']?.number ?? node.parts['n']?.number ?? 0
  const blocks = movableBlocks(work, slug)
  const block = blocks.at(place < 0 ? place : place - 1)
  const [unit = ''] = work.scene.lexicon.words['unit'] ?? []
  if (!block || place === 0) throw noBlock(work, node, work.scene.texts.beyondEnd(unit, blocks.length))
  return { slug, id: block.id }
}

function noBlock(work: Work, node: Node, question: string, candidates: readonly BlockAt[] = []): Ask {
  const { slug } = work
  return askBlock(work, node, question, candidates.length > 0 ? candidates : movableBlocks(work, slug).map(({ id }) => ({ slug, id })))
}

/** With a text in mind, or a text or a row selected, `this` alone does not say that the whole section is meant. */
export function refuseVague(work: Work, node: Node, isTextInMind = false): void {
  const at = node.parts['at'] ?? node
  const isBare = (at.form === 'this' || at.form === 'it') && at.end - at.start === 1
  const { selection } = work.scene.input
  const isSelected = selection.path !== undefined && !touchedBlock(work)
  if (isBare && (isSelected || isTextInMind)) throw noBlock(work, node, work.scene.texts.nothingSelected)
}

/** Refuses what would add, move, copy or remove a pinned block. */
export function refusePinned(work: Work, at: BlockAt): void {
  const block = blockWithId(pageOf(work, at.slug), at.id)
  const type = block && typeOf(work, block)
  if (type?.chrome) throw new Ask({ question: work.scene.texts.pinned(type.displayName) })
}
