import { pagesIn } from '../../content/draft-view.ts'
import type { Block } from '../../content/model.ts'
import { labelledRows, titlesOf } from '../frame/names.ts'
import type { Noun } from '../frame/noun.ts'
import { sameWords } from '../message/phrases.ts'
import { ask, reject } from '../work/ask.ts'
import { type BlockAt, blockWithId, currentPage, movableBlocks, onPage, pageOf, refuseShifted, typeOf, type Work } from '../work/work.ts'
import { askAmong, blockChoice, choose, keyOf, withName } from './choose.ts'
import { findPage, refusePageName } from './pages.ts'

/** Resolves a noun to a block; asks when there is none, or more than one. */
export function findBlock(work: Work, noun: Noun): BlockAt {
  const { owner } = noun
  if (noun.isNew || noun.isAll || noun.isBoth || noun.count !== undefined) return reject('not a single block')
  if (owner?.kind === 'page') return findBlock(onPage(work, findPage(work, owner).slug), { ...noun, owner: undefined })
  if (owner) return inOwner(work, noun, owner)
  const slug = noun.kind === 'this' || noun.kind === 'it' ? work.slug : currentPage(work)
  const answer = work.context.answers[keyOf(noun)]
  if (answer !== undefined && blockWithId(pageOf(work, slug), answer)) return { slug, id: answer }
  switch (noun.kind) {
    case 'this': return clearSelection(work) ?? touchedBlock(work) ?? askNothingSelected(work, noun)
    case 'it': return currentBlock(work) ?? askNothingSelected(work, noun)
    case 'block': return noun.types ? typedBlock(work, noun, slug) : blockById(work, noun)
    case 'section': return noun.name ? namedBlock(work, noun, slug) : placedBlock(work, noun, slug)
    case 'name': return titledBlock(work, noun, slug)
    default: return reject('not a block')
  }
}

/** In `the title of "Our story" section`, the name is parsed as the owner. */
function inOwner(work: Work, noun: Noun, owner: Noun): BlockAt {
  const at = findBlock(work, owner)
  return noun.kind === 'section' && noun.ord === undefined && !noun.name ? at : reject('blocks are not nested')
}

/** Resolves several nouns, without duplicates. */
export const findBlocks = (work: Work, nouns: readonly Noun[]): readonly BlockAt[] =>
  [...new Map(nouns.flatMap((noun) => blocksFor(work, noun)).map((at) => [at.id, at])).values()]

/** Whether a noun asks for several blocks, as with `all` or a count. */
export const isSeveral = ({ isAll = false, isBoth = false, count }: Noun): boolean =>
  isAll || isBoth || count !== undefined

/** Resolves a noun to one block, or to several with a count or `all`. */
export function blocksFor(work: Work, noun: Noun): readonly BlockAt[] {
  const { isBoth, count, kind, types = [], ord, owner } = noun
  if (!isSeveral(noun) && kind !== 'everything') return [findBlock(work, noun)]
  if (noun.name || ((noun.isAll || isBoth) && ord !== undefined)) return reject('only some of them')
  const slug = owner ? findPage(work, owner).slug : currentPage(work)
  const isAny = kind === 'section' || kind === 'everything'
  if (!isAny && kind !== 'block') return reject('not blocks')
  const found = movableBlocks(work, slug).filter(({ type }) => isAny || types.includes(type)).map(({ id }): BlockAt => ({ slug, id }))
  if (found.length === 0) ask(work.context.texts.noneOfType(noun.text, pageOf(work, slug).title))
  if (isBoth && found.length !== 2) ask(work.context.texts.beyondEnd(noun.text, found.length))
  if (count === undefined) return found
  if (Math.abs(ord ?? 0) !== 1 || count < 2) return reject('a count needs `first` or `last`')
  refuseShifted(work, { slug })
  if (count > found.length) ask(work.context.texts.beyondEnd(noun.text, found.length))
  return ord === 1 ? found.slice(0, count) : found.slice(-count).toReversed()
}

/** The selected block, if it is on the current page. */
export function selectedBlock({ context: { input: { selection } }, slug, draft }: Work): BlockAt | undefined {
  const id = selection.blockId
  const page = draft.page(slug)
  return id !== undefined && page && blockWithId(page, id) ? { slug, id } : undefined
}

/** The selected block, unless a copy of it may be meant. */
export const clearSelection = (work: Work): BlockAt | undefined =>
  (work.isUnclear ? undefined : selectedBlock(work))

/** The block of the previous clause, if it still exists. */
export function touchedBlock({ touched, draft }: Work): BlockAt | undefined {
  const page = touched && draft.page(touched.slug)
  return page && blockWithId(page, touched.id) ? { slug: touched.slug, id: touched.id } : undefined
}

function currentBlock(work: Work): BlockAt | undefined {
  if (work.touched && 'listKey' in work.touched) return reject('`it` is a row')
  return touchedBlock(work) ?? (work.isUnclear ? undefined : (work.lead ?? selectedBlock(work)))
}

function blockById(work: Work, noun: Noun): BlockAt {
  const id = noun.name?.text ?? ''
  const page = pagesIn(work.draft).find(({ blocks }) => blocks.some((block) => block.id === id))
  if (!page) return askBlock(work, noun, work.context.texts.noSuchSection(id, pageOf(work, work.slug).title))
  return { slug: page.slug, id }
}

const askNothingSelected = (work: Work, noun: Noun): never =>
  askBlock(work, noun, work.context.texts.nothingSelected)

function typedBlock(work: Work, noun: Noun, slug: string): BlockAt {
  const { types = [], ord, n, isThis, isIts, text } = noun
  if (noun.name) return namedBlock(work, noun, slug)
  if (work.isOnOtherPage) return reject('may mean the page of the previous clause')
  if ((ord !== undefined || n !== undefined) && noun.isMany && !noun.hasUnit) return reject('may mean several rows')
  refusePageName(work, noun, slug)
  const { blocks } = pageOf(work, slug)
  const near = selectedBlock(work)
  const mayBeRow = types.includes('Quote') && !noun.hasUnit && blocks.some((block) => block.type === 'Testimonials' && (/s$/i.test(text) || ord !== undefined || block.id === near?.id))
  if (mayBeRow) return reject('may mean the quote of a testimonial')
  const found = blocks.filter((block) => types.includes(block.type)).map(({ id }): BlockAt => ({ slug, id }))
  const { texts } = work.context
  if (found.length === 0) return askBlock(work, noun, texts.noneOfType(text, pageOf(work, slug).title))
  const place = ord ?? n
  if (place !== undefined) refuseShifted(work, { slug })
  const hasParagraphs = isParagraph(noun) && found.some((at) => /\n\s*\n/.test(String(blockWithId(pageOf(work, slug), at.id)?.props['body'] ?? '')))
  if (hasParagraphs) return reject('may mean a paragraph of the text')
  if (place !== undefined) return found.at(place < 0 ? place : place - 1)
    ?? askBlock(work, noun, texts.beyondEnd(text, found.length), found)
  const nearest = [work.lead, near, touchedBlock(work)].find((at) => at && found.some(({ id }) => id === at.id))
  if (nearest && found.length > 1) return nearest
  if ((isThis || isIts) && !nearest && found.length > 1) return askNothingSelected(work, noun)
  return choose(work, noun, found, { toChoice: (at) => blockChoice(work, at), question: (labels) => texts.whichOne(text, labels) })
}

/** Whether a noun is a paragraph: a text block, or a part of one. */
export const isParagraph = ({ text }: Noun): boolean => /^(?:paragraph|absatz|absätze)/i.test(text)

function namedBlock(work: Work, noun: Noun, slug: string): BlockAt {
  const { types, name = { text: '', isQuoted: false } } = noun
  if ((noun.ord ?? noun.n) !== undefined) return reject('a name with a number')
  const candidates = pageOf(work, slug).blocks.filter((block) => !types || types.includes(block.type))
  const found = withName(candidates, { ...name, isQuoted: name.isQuoted && noun.kind !== 'name' }, titlesOf)
  const { texts } = work.context
  if (found.length === 0) return askBlock(work, noun, texts.noSuchSection(name.text, pageOf(work, slug).title))
  return choose(work, noun, found.map(({ id }) => ({ slug, id })), {
    toChoice: (at) => blockChoice(work, at), question: (labels) => texts.whichCalled(name.text, labels),
  })
}

/** Resolves a bare name; rows may have the same name. */
function titledBlock(work: Work, noun: Noun, slug: string): BlockAt {
  const text = noun.name?.text ?? ''
  const isTitle = (block: Block) => titlesOf(block).some((title) => sameWords(title, text))
  const { blocks } = pageOf(work, slug)
  if (!blocks.some(isTitle)) return reject('no block with this name')
  const rows = blocks.flatMap(labelledRows).filter(({ labels }) => labels.some((label) => sameWords(label, text)))
  if (rows.length > 0) ask(work.context.texts.whichCalled(text, [text, ...rows.map(({ labels }) => labels[0] ?? '')]))
  return namedBlock(work, noun, slug)
}

/** A block by its position on the page, not counting pinned blocks. */
function placedBlock(work: Work, noun: Noun, slug: string): BlockAt {
  const place = noun.ord ?? noun.n
  if (place === undefined) {
    const [lead] = [work.lead, selectedBlock(work), touchedBlock(work)].filter((at) => at !== undefined)
    return noun.isThis || noun.isThe ? (lead ?? askNothingSelected(work, noun)) : reject('no section is specified')
  }
  refuseShifted(work, { slug })
  const blocks = movableBlocks(work, slug)
  const block = blocks.at(place < 0 ? place : place - 1)
  if (!block || place === 0) return askBlock(work, noun, work.context.texts.beyondEnd(work.context.language.words.unit[0] ?? '', blocks.length))
  return { slug, id: block.id }
}

function askBlock(work: Work, noun: Noun, question: string, candidates: readonly BlockAt[] = []): never {
  const all = candidates.length > 0 ? candidates : movableBlocks(work, work.slug).map(({ id }): BlockAt => ({ slug: work.slug, id }))
  return askAmong(work, noun, all, { toChoice: (at) => blockChoice(work, at), question: () => question })
}

/** Asks when a bare `it` or `this` may mean a text or row instead of the section. */
export function refuseVague(work: Work, noun: Noun): void {
  const isBare = noun.kind === 'it' || (noun.kind === 'this' && noun.end - noun.start === 1)
  const { path } = work.context.input.selection
  const isText = path !== undefined && (noun.kind === 'this' || !touchedBlock(work))
  if (isBare && (isText || work.touchedField !== undefined)) askNothingSelected(work, noun)
}

/** Asks when a pinned block would be added, moved, copied or removed. */
export function refusePinned(work: Work, at: BlockAt): void {
  const block = blockWithId(pageOf(work, at.slug), at.id)
  const type = block && typeOf(work, block)
  if (type?.chrome) ask(work.context.texts.pinned(type.displayName))
}

