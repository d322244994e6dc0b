import { Ask, unfit } from '../ask.ts'
import { listOf, type Node, type Parts } from '../grammar/node.ts'
import { findBlock, findBlocks, meansRow, refusePinned, refuseVague } from '../resolve/blocks.ts'
import { findPage, findPageOr } from '../resolve/pages.ts'
import { placeIn } from '../resolve/places.ts'
import { findRow } from '../resolve/rows.ts'
import { backFrom, movableBlocks, onPage, pageOf, perform, type BlockAt, type Work } from '../work.ts'
import { given, need, type Action } from './action.ts'
import { countOf, newBlock, newBlocks, type NewBlock } from './new-block.ts'
import { placesOf } from './places.ts'

/** New blocks, in order; the first goes to the place, the others behind it. */
export const addBlock: Action = (work, parts, detail) => {
  const { page, blocks } = parts
  const place = edges[detail] ?? parts['place']
  const at = { ...work, slug: placePage(work, place) ?? findPageOr(work, page), isPageUnclear: false }
  const wanted = blocks ? manyBlocks(at, blocks, parts['details']) : oneType(at, parts)
  return backFrom(work, added(at, wanted, place))
}

/** Where a page begins and ends. */
const edges: Readonly<Record<string, Node>> = Object.fromEntries(['front', 'end'].map((form) =>
  [form, { slot: 'Place', form, start: 0, end: 0, parts: {} }]))

function manyBlocks(work: Work, list: Node, details: Node | undefined): readonly NewBlock[] {
  if (listOf(list).some(({ parts: { type } }) => type && meansRow(work, type, work.slug))) return unfit('a row of a list is meant')
  if (!details) return newBlocks(work, list)
  const [only, ...others] = listOf(list)
  const type = only?.parts['type']?.names?.[0]
  if (type === undefined || others.length > 0 || only?.parts['n']) return unfit('whose content is this?')
  return [newBlock(work, type, [...listOf(only?.parts['details']), ...listOf(details)])]
}

function oneType(work: Work, parts: Readonly<Record<string, Node>>): readonly NewBlock[] {
  const noun = need(parts, 'type')
  if (meansRow(work, noun, work.slug)) return unfit('a row of a list is meant')
  const type = noun.names?.[0] ?? ''
  const count = countOf(work, parts['n'])
  const made: NewBlock[] = []
  while (made.length < count) made.push(newBlock(work, type, listOf(parts['details']), made.map(({ block }) => block.id)))
  return made
}

/** A place may name the page it is on. */
const placePage = (work: Work, place: Node | undefined) =>
  (place?.parts['page'] ? findPage(work, place.parts['page']).slug : undefined)

/** Appends blocks, or puts them where they are wanted. */
export function added(work: Work, blocks: readonly NewBlock[], place: Node | undefined): Work {
  const { slug } = work
  const others = movableBlocks(work, slug)
  const indexOf = (anchor: Node) => indexOfAnchor(work, anchor, others)
  const index = place ? placeIn(work, place, { others, indexOf }) : others.length
  let after = work
  let anchor = others[index - 1]?.id
  const isLast = index === others.length
  for (const { block } of blocks) {
    const touched = { slug, id: block.id }
    const page = pageOf(after, slug)
    const afterBlockId = isLast && page.blocks.at(-1)?.id === anchor ? undefined : anchor
    after = perform(after, { op: 'add_block', pageSlug: slug, block, afterBlockId }, touched)
    if (anchor === undefined && !isLast) after = perform(after, moveOp(after, touched, undefined), touched)
    anchor = block.id
  }
  return after
}

/** The place of the block that a place is told by. A row cannot be an anchor of a block. */
function indexOfAnchor(work: Work, anchor: Node, others: readonly { readonly id: string }[]): number {
  const block = anchor.slot === 'Anchor' ? (anchor.parts['block'] ?? rowAnchor(work, anchor)) : anchor
  const { id } = findBlock(work, block)
  const index = others.findIndex((other) => other.id === id)
  if (index < 0) throw new Ask({ question: work.scene.texts.noSuchPlace })
  return index
}

function rowAnchor(work: Work, anchor: Node): never {
  findRow(work, need(anchor.parts, 'row'))
  return unfit('a block does not go beside a row')
}

/** Pinned blocks at the head of a page stay there. */
function moveOp(work: Work, { slug, id }: BlockAt, afterId: string | undefined) {
  const movable = new Set(movableBlocks(work, slug).map((block) => block.id))
  const head = pageOf(work, slug).blocks.findIndex((block) => movable.has(block.id))
  const pinned = head > 0 ? pageOf(work, slug).blocks[head - 1]?.id : undefined
  return { op: 'move_block', pageSlug: slug, blockId: id, afterBlockId: afterId ?? pinned } as const
}

export const removeBlock: Action = (work, parts) => {
  const { blocks, block, page, places, some, n } = parts
  for (const node of block ? [block] : listOf(blocks)) refuseVague(work, node, work.touchedField !== undefined)
  const at = page ? { ...work, slug: findPage(work, page).slug, isPageUnclear: false } : work
  if (places || some) return removed(work, blocksByPlace(work, placesOf(listOf(places), some, n)))
  return backFrom(work, removed(at, blocks ? findBlocks(at, blocks) : [findBlock(at, given(block))]))
}

/** Blocks by their places on the page, pinned ones not counted. */
function blocksByPlace(work: Work, places: readonly Node[]): readonly BlockAt[] {
  const found = places.map((ord) => findBlock(work, { slot: 'BlockHere', form: 'place', start: ord.start, end: ord.end, parts: { ord } }))
  return [...new Map(found.map((at) => [at.id, at])).values()]
}

function removed(work: Work, blocks: readonly BlockAt[]): Work {
  const { lead } = work
  if (lead && blocks.some(({ id }) => id !== lead.id)) return unfit('something in the block that is talked about is meant')
  for (const at of blocks) refusePinned(work, at)
  return blocks.reduce((after, { slug, id }) =>
    perform({ ...after, touched: undefined }, { op: 'remove_block', pageSlug: slug, blockId: id }), work)
}

/** All blocks of a page, all but some, or all of a type; pinned ones stay. */
export const removeEvery: Action = (work, parts, detail) => {
  const slug = findPageOr(work, parts['page'])
  const at = { ...work, slug, isPageUnclear: false }
  const kept = detail === 'except' ? findBlocks(at, parts['blocks']) : []
  if (kept.some((block) => block.slug !== slug)) throw new Ask({ question: work.scene.texts.onOtherPages })
  const types = parts['type']?.names
  const gone = movableBlocks(at, slug)
    .filter(({ id, type }) => (types ? types.includes(type) : !kept.some((block) => block.id === id)))
  if (detail === 'both' && gone.length > 0 && gone.length !== 2) {
    throw new Ask({ question: work.scene.texts.beyondEnd(parts['type']?.text ?? '', gone.length) })
  }
  if (gone.length === 0 && types) {
    throw new Ask({ question: work.scene.texts.noneOfType(parts['type']?.text ?? '', pageOf(work, slug).title) })
  }
  return backFrom(work, removed(at, gone.map(({ id }) => ({ slug, id }))))
}

export const moveBlock: Action = (work, parts, detail) => {
  const block = need(parts, 'block')
  const place = edges[detail] ?? need(parts, 'place')
  refuseVague(work, block)
  if (isMiscounted(work, block, place)) return unfit('the number tells how far')
  const on = placePage(work, place) ?? (parts['page'] && findPage(work, parts['page']).slug)
  const at = on === undefined ? findBlock(work, block) : blockOn(work, block, on)
  refusePinned(work, at)
  return movedTo(work, at, place)
}

/** The block on the page that the end of the sentence names; asks where the page that is looked at has one as well. */
function blockOn(work: Work, block: Node, slug: string): BlockAt {
  try {
    const at = findBlock(work, block)
    if (at.slug === slug) return at
  } catch (error) {
    if (!(error instanceof Ask)) throw error
    return findBlock(onPage(work, slug), block)
  }
  throw new Ask({ question: work.scene.texts.onOtherPages })
}

/** In `the hero two up` the number belongs to the way, and not to the hero. */
function isMiscounted({ scene: { lexicon, parser: { tokens } } }: Work, block: Node, place: Node): boolean {
  const { n } = (block.parts['at'] ?? block).parts
  const isDetermined = (lexicon.words['det'] ?? []).includes(tokens[block.start]?.word ?? '')
  return n !== undefined && isDetermined && !place.parts['n'] && (place.form === 'up' || place.form === 'down')
}

function movedTo(work: Work, at: BlockAt, place: Node): Work {
  const all = movableBlocks(work, at.slug)
  const others = all.filter(({ id }) => id !== at.id)
  const current = all.findIndex(({ id }) => id === at.id)
  const here = { ...work, slug: at.slug, isPageUnclear: false }
  const indexOf = (anchor: Node) => {
    const index = indexOfAnchor(here, anchor, all)
    if (all[index]?.id === at.id) throw new Ask({ question: work.scene.texts.besideItself })
    return others.findIndex(({ id }) => id === all[index]?.id)
  }
  const index = placeIn(here, place, { others, current, indexOf })
  if (index === current) return { ...work, touched: at }
  return perform(work, moveOp(work, at, others[index - 1]?.id), at)
}

export const swapBlocks: Action = (work, parts) => {
  const [a, b] = swapped(work, parts)
  const { texts } = work.scene
  for (const at of [a, b]) refusePinned(work, at)
  if (a.slug !== b.slug) throw new Ask({ question: texts.onOtherPages })
  if (a.id === b.id) throw new Ask({ question: texts.besideItself })
  const blocks = movableBlocks(work, a.slug)
  const indexes = [a, b].map(({ id }) => blocks.findIndex((block) => block.id === id))
  const low = Math.min(...indexes)
  const high = Math.max(...indexes)
  const [upper, lower] = [blocks[low], blocks[high]]
  if (!upper || !lower) return unfit('the blocks are not on the page')
  const down = perform(work, moveOp(work, { slug: a.slug, id: upper.id }, lower.id), a)
  return high === low + 1 ? down : perform(down, moveOp(down, { slug: a.slug, id: lower.id }, blocks[low - 1]?.id), a)
}

function swapped(work: Work, parts: Parts): readonly [BlockAt, BlockAt] {
  const { some, n, a, b } = parts
  if (some && n?.number !== 2) return unfit('two blocks are swapped')
  const places = some ? placesOf([], some, n) : [given(a), given(b)]
  const byPlace = places.every(({ number }) => number !== undefined)
  const [first, second] = byPlace ? blocksByPlace(work, places) : places.map((node) => findBlock(work, node))
  return first && second ? [first, second] : unfit('two blocks are swapped')
}

/** After a copy, `it` could be either of the two. */
export const copyBlock: Action = (work, parts) => ({ ...copied(work, parts), touched: undefined, isUnclear: true })

function copied(work: Work, parts: Parts): Work {
  const { page, place } = parts
  refuseVague(work, need(parts, 'block'))
  const at = findBlock(work, need(parts, 'block'))
  refusePinned(work, at)
  const { slug: pageSlug, id: blockId } = at
  const slug = placePage(work, place) ?? (page ? findPage(work, page).slug : pageSlug)
  const toPageSlug = slug === pageSlug ? undefined : slug
  const op = { op: 'duplicate_block', pageSlug, blockId, newBlockId: undefined, toPageSlug } as const
  const others = movableBlocks(work, slug)
  const on = { ...work, slug, isPageUnclear: false }
  const last = others.at(-1)?.id
  const index = place ? placeIn(on, place, { others, indexOf: (anchor) => indexOfAnchor(on, anchor, others) }) : undefined
  if (index === undefined || (toPageSlug !== undefined && index === others.length)) {
    const isPinnedBelow = toPageSlug !== undefined && pageOf(work, slug).blocks.at(-1)?.id !== last
    return perform(work, { ...op, afterBlockId: isPinnedBelow ? last : undefined }, at)
  }
  const anchor = others[index - 1]?.id
  const after = perform(work, { ...op, afterBlockId: anchor }, at)
  if (anchor !== undefined) return after
  const copy = movableBlocks(after, slug).find(({ id }) => !others.some((other) => other.id === id))
  return copy ? perform(after, moveOp(after, { slug, id: copy.id }, undefined), at) : after
}
