import { pagesIn } from '../../content/draft-view.ts'
import type { Block } from '../../content/model.ts'
import { labelledRows, titlesOf } from '../frame/names.ts'
import type { Noun } from '../frame/nouns.ts'
import { sameWords } from '../message/phrases.ts'
import { ask, type Ask, unfit } from '../work/ask.ts'
import { type BlockAt, blockWithId, movableBlocks, onPage, pageInMind, pageOf, refuseShifted, typeOf, type Work } from '../work/work.ts'
import { askAmong, blockChoice, choose, keyOf } from './choose.ts'
import { findPage } from './pages.ts'

/** The block that words mean; asks when there is none, or more than one. */
export function findBlock(work: Work, noun: Noun): BlockAt {
  const { owner } = noun
  if (noun.isNew || noun.isAll || noun.isBoth || noun.count !== undefined) return unfit('not one block is meant')
  if (owner?.kind === 'page') return findBlock(onPage(work, findPage(work, owner).slug), { ...noun, owner: undefined })
  if (owner) return inOwner(work, noun, owner)
  const slug = noun.kind === 'this' || noun.kind === 'it' ? work.slug : pageInMind(work)
  const answer = work.scene.answers[keyOf(noun)]
  if (answer !== undefined && blockWithId(pageOf(work, slug), answer)) return { slug, id: answer }
  switch (noun.kind) {
    case 'this': return selectedBlock(work) ?? touchedBlock(work) ?? nothing(work, noun)
    case 'it': return blockInMind(work) ?? nothing(work, noun)
    case 'block': return noun.types ? typedBlock(work, noun, slug) : blockById(work, noun)
    case 'section': return noun.name ? namedBlock(work, noun, slug) : placedBlock(work, noun, slug)
    case 'name': return titledBlock(work, noun, slug)
    default: return unfit('no block is meant')
  }
}

/** `the title of "Our story" section` has its name as an owner. */
function inOwner(work: Work, noun: Noun, owner: Noun): BlockAt {
  const at = findBlock(work, owner)
  return noun.kind === 'section' && noun.ord === undefined && !noun.name ? at : unfit('a block has no blocks')
}

/** Several blocks, each once. */
export const findBlocks = (work: Work, nouns: readonly Noun[]): readonly BlockAt[] =>
  [...new Map(nouns.flatMap((noun) => blocksFor(work, noun)).map((at) => [at.id, at])).values()]

/** One block, or the blocks that a count or `all` means. */
export function blocksFor(work: Work, noun: Noun): readonly BlockAt[] {
  const { isAll, isBoth, count, kind, types = [], ord, owner } = noun
  if (!isAll && !isBoth && count === undefined && kind !== 'everything') return [findBlock(work, noun)]
  const slug = owner ? findPage(work, owner).slug : pageInMind(work)
  const isAny = kind === 'section' || kind === 'everything'
  if (!isAny && kind !== 'block') return unfit('no blocks are meant')
  const found = movableBlocks(work, slug).filter(({ type }) => isAny || types.includes(type)).map(({ id }): BlockAt => ({ slug, id }))
  if (found.length === 0) ask(work.scene.texts.noneOfType(noun.text, pageOf(work, slug).title))
  if (isBoth && found.length !== 2) ask(work.scene.texts.beyondEnd(noun.text, found.length))
  if (count === undefined) return found
  if (Math.abs(ord ?? 0) !== 1 || count < 2) return unfit('which of them is open')
  refuseShifted(work, { slug })
  if (count > found.length) ask(work.scene.texts.beyondEnd(noun.text, found.length))
  return ord === 1 ? found.slice(0, count) : found.slice(-count).toReversed()
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

function blockInMind(work: Work): BlockAt | undefined {
  if (work.touched && 'listKey' in work.touched) return unfit('the row is meant')
  return touchedBlock(work) ?? (work.isUnclear ? undefined : (work.lead ?? selectedBlock(work)))
}

function blockById(work: Work, noun: Noun): BlockAt {
  const id = noun.name?.text ?? ''
  const page = pagesIn(work.draft).find(({ blocks }) => blocks.some((block) => block.id === id))
  if (!page) throw noBlock(work, noun, work.scene.texts.noSuchSection(id, pageOf(work, work.slug).title))
  return { slug: page.slug, id }
}

function nothing(work: Work, noun: Noun): never {
  throw noBlock(work, noun, work.scene.texts.nothingSelected)
}

function typedBlock(work: Work, noun: Noun, slug: string): BlockAt {
  const { types = [], ord, n, isThis, isIts, text } = noun
  if (noun.name) return namedBlock(work, noun, slug)
  if (work.isElsewhere) return unfit('the page of the clause before may be meant')
  if ((ord !== undefined || n !== undefined) && noun.isMany && !noun.hasUnit) return unfit('several rows may be meant')
  const { blocks } = pageOf(work, slug)
  const near = selectedBlock(work)
  const mayBeRow = types.includes('Quote') && !noun.hasUnit && blocks.some((block) => block.type === 'Testimonials' && (/s$/i.test(text) || ord !== undefined || block.id === near?.id))
  if (mayBeRow) return unfit('the quote of a testimonial may be meant')
  const found = blocks.filter((block) => types.includes(block.type)).map(({ id }): BlockAt => ({ slug, id }))
  const { texts } = work.scene
  if (found.length === 0) throw noBlock(work, noun, texts.noneOfType(text, pageOf(work, slug).title))
  const place = ord ?? n
  if (place !== undefined) refuseShifted(work, { slug })
  const several = isParagraph(noun) && found.some((at) => /\n\s*\n/.test(String(blockWithId(pageOf(work, slug), at.id)?.props['body'] ?? '')))
  if (several) return unfit('a paragraph of the text may be meant')
  if (place !== undefined) return found.at(place < 0 ? place : place - 1) ?? beyond(work, noun, found)
  const nearest = [work.lead, near, touchedBlock(work)].find((at) => at && found.some(({ id }) => id === at.id))
  if (nearest && found.length > 1) return nearest
  if ((isThis || isIts) && !nearest && found.length > 1) return nothing(work, noun)
  return choose(work, noun, found, { toChoice: (at) => blockChoice(work, at), question: (labels) => texts.whichOne(text, labels) })
}

/** A text of its own, or a part of one. */
export const isParagraph = ({ text }: Noun): boolean => /^(?:paragraph|absatz|absätze)/i.test(text)

function beyond(work: Work, noun: Noun, found: readonly BlockAt[]): never {
  throw noBlock(work, noun, work.scene.texts.beyondEnd(noun.text, found.length), found)
}

const shortestPart = 3

function namedBlock(work: Work, noun: Noun, slug: string): BlockAt {
  const { types, name = { text: '', isQuoted: false } } = noun
  const wanted = name.text.trim().toLowerCase()
  const candidates = pageOf(work, slug).blocks.filter((block) => !types || types.includes(block.type))
  const equal = candidates.filter((block) => titlesOf(block).some((title) => sameWords(title, name.text)))
  const isLoose = name.isQuoted && noun.kind !== 'name' && wanted.length >= shortestPart
  const like = isLoose ? candidates.filter((block) => titlesOf(block).some((title) => title.toLowerCase().includes(wanted))) : []
  const found = equal.length > 0 ? equal : like
  const { texts } = work.scene
  if (found.length === 0) throw noBlock(work, noun, texts.noSuchSection(name.text, pageOf(work, slug).title))
  return choose(work, noun, found.map(({ id }) => ({ slug, id })), {
    toChoice: (at) => blockChoice(work, at), question: (labels) => texts.whichCalled(name.text, labels),
  })
}

/** A text alone; a row or a page may be called so as well. */
function titledBlock(work: Work, noun: Noun, slug: string): BlockAt {
  const text = noun.name?.text ?? ''
  const isTitle = (block: Block) => titlesOf(block).some((title) => sameWords(title, text))
  const { blocks } = pageOf(work, slug)
  if (!blocks.some(isTitle)) return unfit('no block is called so')
  const rows = blocks.flatMap(labelledRows).filter(({ labels }) => labels.some((label) => sameWords(label, text)))
  if (rows.length > 0) ask(work.scene.texts.whichCalled(text, [text, ...rows.map(({ labels }) => labels[0] ?? '')]))
  return namedBlock(work, noun, slug)
}

/** A block by its place on the page, pinned ones not counted. */
function placedBlock(work: Work, noun: Noun, slug: string): BlockAt {
  const place = noun.ord ?? noun.n
  if (place === undefined) {
    const [lead] = [work.lead, selectedBlock(work), touchedBlock(work)].filter((at) => at !== undefined)
    return noun.isThis || noun.isThe ? (lead ?? nothing(work, noun)) : unfit('which section is open')
  }
  refuseShifted(work, { slug })
  const blocks = movableBlocks(work, slug)
  const block = blocks.at(place < 0 ? place : place - 1)
  if (!block || place === 0) throw noBlock(work, noun, work.scene.texts.beyondEnd(work.scene.language.words.unit[0] ?? '', blocks.length))
  return { slug, id: block.id }
}

function noBlock(work: Work, noun: Noun, question: string, candidates: readonly BlockAt[] = []): Ask {
  const all = candidates.length > 0 ? candidates : movableBlocks(work, work.slug).map(({ id }): BlockAt => ({ slug: work.slug, id }))
  return askAmong(work, noun, all, { toChoice: (at) => blockChoice(work, at), question: () => question })
}

/** With a text or a row in mind, `it` alone does not say that the whole section is meant. */
export function refuseVague(work: Work, noun: Noun): void {
  const isBare = noun.kind === 'it' || (noun.kind === 'this' && noun.end - noun.start === 1)
  const isText = work.scene.input.selection.path !== undefined && !touchedBlock(work)
  if (isBare && (isText || work.touchedField !== undefined)) nothing(work, noun)
}

/** Refuses what would add, move, copy or remove a pinned block. */
export function refusePinned(work: Work, at: BlockAt): void {
  const block = blockWithId(pageOf(work, at.slug), at.id)
  const type = block && typeOf(work, block)
  if (type?.chrome) ask(work.scene.texts.pinned(type.displayName))
}

