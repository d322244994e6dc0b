import type { Noun } from '../frame/noun.ts'
import { isWord, wordsBetween } from '../frame/parser.ts'
import type { Place } from '../frame/places.ts'
import { wordsIn } from '../message/phrases.ts'
import { blocksFor, findBlock, findBlocks, isSeveral, refusePinned, refuseVague, selectedBlock } from '../resolve/blocks.ts'
import { findPage } from '../resolve/pages.ts'
import { fitsPlace, placeIn } from '../resolve/places.ts'
import { focusedRow } from '../resolve/rows.ts'
import { Ask, ask, reject, tryTo } from '../work/ask.ts'
import { applyOperation } from '../work/perform.ts'
import { type BlockAt, movableBlocks, onPage, pageOf, refuseShifted, type Work } from '../work/work.ts'
import { type Action, isOriginWord, type Parts } from './action.ts'

type Blocks = readonly { readonly id: string }[]

/** The index of a new block among the others. */
export function insertionIndex(work: Work, place: Place, others: Blocks): number {
  if (!fitsPlace(work, place)) return reject('not a place of a section')
  const indexOf = (anchor: Noun) => indexOfAnchor(work, anchor, others)
  return placeIn(work, place, { count: others.length, indexOf })
}

/** The index of the block that a place refers to. */
function indexOfAnchor(work: Work, anchor: Noun, others: Blocks): number {
  const isPronoun = anchor.kind === 'it' || anchor.kind === 'this'
  if (anchor.kind === 'it' && work.ops.length > 0 && selectedBlock(work)) return reject('may mean the selection')
  if (isPronoun && work.previousClause?.chunks.some((chunk) => chunk.place?.anchor)) return reject('may mean the anchor of the previous clause')
  if (isPronoun && work.ops.length === 0 && focusedRow(work)) return reject('may mean the selected row')
  const { id } = findBlock(work, anchor)
  const index = others.findIndex((other) => other.id === id)
  return index < 0 ? ask(work.context.texts.noSuchPlace) : index
}

/** Moves a block after another one, or to the top below the pinned blocks. */
export function moveOp(work: Work, { slug, id }: BlockAt, afterId: string | undefined) {
  const movable = new Set(movableBlocks(work, slug).map((block) => block.id))
  const { blocks } = pageOf(work, slug)
  const head = blocks.findIndex((block) => movable.has(block.id))
  return { op: 'move_block', pageSlug: slug, blockId: id, afterBlockId: afterId ?? blocks[head - 1]?.id } as const
}

/** `these cards`, `the old cards`: without `section`, a plural with a hint may mean some of the rows. */
function isSome({ context: { parser } }: Work, noun: Noun): boolean {
  const { isMany, hasUnit, isThis = false, start, end, text } = noun
  const hints = wordsBetween(parser, start, end - wordsIn(text).length, 'the')
  const isHinted = isThis || hints.some((at) => !isWord(parser, at, 'definite'))
  return isMany === true && !hasUnit && !isSeveral(noun) && isHinted
}

function removeBlocks(work: Work, parts: Parts): Work {
  const [object, ...others] = parts.objects
  const isExcept = parts.has('except')
  if (!object || (isExcept && object.kind !== 'everything')) return reject('an exception needs `everything`')
  const ofPages = parts.objects.filter((noun) => noun.owner?.kind === 'page').length
  if (ofPages > 0 && ofPages < parts.objects.length) return reject('the page may apply to all of them')
  const isInBlock = parts.nouns('in', 'from').some(({ kind }) => kind !== 'page')
  for (const noun of parts.objects) {
    refuseVague(work, noun)
    if (noun.types?.[0] === 'TwoColumn' && !noun.isThe && !noun.isThis && !noun.hasUnit) return reject('may mean columns of a list')
    if (isInBlock && (noun.kind === 'block' || noun.kind === 'section')) return reject('blocks are not nested')
    if ((noun.kind === 'this' || noun.kind === 'it') && parts.has('in')) return reject('ambiguous pronoun')
    const isSelected = () => findBlock(work, noun).id === selectedBlock(work)?.id
    if (isSome(work, noun) && !isSelected()) return reject('may mean some of the rows')
    if (noun.kind === 'name' && noun.name?.isQuoted === false) return reject('ambiguous name')
    if (noun.kind === 'name' && work.context.language.verbLast) return ask(work.context.texts.missingScope)
  }
  const excepted = isExcept ? [...parts.nouns('except'), ...others].flatMap((noun) => blocksFor(work, noun)) : []
  const all = findBlocks(work, isExcept ? [object] : parts.objects)
  const isElsewhere = excepted.some(({ id }) => !all.some((block) => block.id === id))
  if (isElsewhere) return reject('the exception is on another page')
  const found = all.filter(({ id }) => !excepted.some((block) => block.id === id))
  const { lead } = work
  if (lead && found.some(({ id }) => id !== lead.id)) return reject('may mean a part of the current block')
  for (const block of found) refusePinned(work, block)
  return found.reduce((after, { slug: pageSlug, id: blockId }) =>
    applyOperation({ ...after, touched: undefined }, { op: 'remove_block', pageSlug, blockId }), work)
}

function moveBlocks(work: Work, parts: Parts): Work {
  const { object, objects } = parts
  const place = inferAnchor(object, parts.place ?? reject('no place'))
  for (const noun of objects) refuseVague(work, noun)
  refuseNonMove(parts)
  if (objects.length > 1 || isSeveral(object)) return moveSeveral(work, parts, place)
  const isDistance = (place.form === 'up' || place.form === 'down') && place.n === undefined && object.n !== undefined && object.kind === 'block'
  if (object.isNew || isDistance || parts.verbs.length === 0) return reject('a new block, or a distance')
  const page = parts.first('in')?.noun
  if (page && page.kind !== 'page') return reject('a block is not inside another block')
  const at = page ? blockOn(work, object, findPage(work, page).slug) : findBlock(work, object)
  if (work.lead && work.lead.id !== at.id) return reject('may mean a part of the current block')
  if (['up', 'down'].includes(place.form)) refuseShifted(work, { slug: at.slug })
  refusePinned(work, at)
  return moveTo(work, at, place)
}

/** Moves several blocks to one place, in the order in which they are named. */
function moveSeveral(work: Work, { verbs, objects, all, has }: Parts, place: Place): Work {
  const isList = all('object').slice(1).every(({ isJoined }) => isJoined)
  if (!isList || verbs.includes('swap') || has('in') || work.lead || !['front', 'end', 'before', 'after'].includes(place.form)) return reject('not a list and a place')
  const named = findBlocks(work, objects)
  // `The last two sections` counts from the end.
  const blocks = objects[0]?.ord === -1 ? named.toReversed() : named
  for (const at of blocks) refusePinned(work, at)
  const isReversed = place.form === 'front' || place.form === 'after'
  const done = (isReversed ? blocks.toReversed() : blocks).reduce((after, at) => moveTo(after, at, place), work)
  return { ...done, touched: undefined, isUnclear: true }
}

/** Rejects verbs that do not move: `set` and the like need an absolute place, so `turn it up` moves nothing. */
export function refuseNonMove({ verbs, place, object, frame }: Parts): void {
  if (frame.isNewly) reject('may be a remark')
  if (place?.form === 'nth' && place.start < object.start) reject('the ordinal belongs to the object')
  const isMove = verbs.some((verb) => ['move', 'put', 'be', 'want'].includes(verb))
  if (!isMove && !['nth', 'front', 'end'].includes(place?.form ?? '')) reject('not a move')
}

/** `Move the first question below the second`: the anchor takes the noun of the object. */
export function inferAnchor(noun: Noun, place: Place): Place {
  if (place.anchor?.kind !== 'nth') return place
  const { start, end, ord, n } = place.anchor
  return { ...place, anchor: { ...noun, name: undefined, start, end, ord, n } }
}

/** A block on the named page; asks if the noun means a block on another page. */
function blockOn(work: Work, noun: Noun, slug: string): BlockAt {
  const at = tryTo(() => findBlock(work, noun)) ?? reject('not a block')
  if (at instanceof Ask) return findBlock(onPage(work, slug), noun)
  return at.slug === slug ? at : ask(work.context.texts.onOtherPages)
}

/** Rejects a copy from another page without a target. */
function refuseFrom(work: Work, { all, has, object }: Parts): void {
  const starts = [...all('from', 'in').map(({ start }) => start), ...(object.owner ? [object.owner.start - 1] : [])]
  if (!has('to') && starts.some((start) => isOriginWord(work.context.parser, start))) reject('no target for the copy')
}

export function moveTo(work: Work, at: BlockAt, place: Place): Work {
  if (!fitsPlace(work, place)) return reject('not a place of a section')
  if (place.form === 'nth') refuseShifted(work, { slug: at.slug })
  const all = movableBlocks(work, at.slug)
  const others = all.filter(({ id }) => id !== at.id)
  const current = all.findIndex(({ id }) => id === at.id)
  const here = { ...work, slug: at.slug, isPageUnclear: false }
  const indexOf = (anchor: Noun) => {
    const index = indexOfAnchor(here, anchor, all)
    return index === current ? ask(work.context.texts.besideItself) : index - (index > current ? 1 : 0)
  }
  const index = placeIn(here, place, { count: others.length, current, indexOf })
  return index === current ? { ...work, touched: at } : applyOperation(work, moveOp(work, at, others[index - 1]?.id), at)
}

/** After a swap, `it` is ambiguous. */
function swapBlocks(work: Work, parts: Parts): Work {
  if (parts.nouns('in').some(({ kind }) => kind !== 'page')) return reject('blocks are not nested')
  const [a, b, ...others] = parts.nouns('object', 'as', 'with').flatMap((noun) => blocksFor(work, noun))
  const { texts } = work.context
  if (!a || !b || others.length > 0) return reject('a swap needs two blocks')
  if (parts.has('as')) return reject('may be a replacement')
  for (const block of [a, b]) refusePinned(work, block)
  if (a.slug !== b.slug) ask(texts.onOtherPages)
  if (a.id === b.id) ask(texts.besideItself)
  const blocks = movableBlocks(work, a.slug)
  const [low = 0, high = 0] = [a, b].map(({ id }) => blocks.findIndex((block) => block.id === id)).toSorted((one, other) => one - other)
  const [upper, lower] = [blocks[low], blocks[high]]
  if (!upper || !lower) return reject('the blocks are not on the page')
  const down = applyOperation(work, moveOp(work, { slug: a.slug, id: upper.id }, lower.id), a)
  const up = () => moveOp(down, { slug: a.slug, id: lower.id }, blocks[low - 1]?.id)
  return { ...(high === low + 1 ? down : applyOperation(down, up(), a)), touched: undefined, isUnclear: true }
}

/** After a copy, `it` is ambiguous. */
function copyBlock(work: Work, parts: Parts): Work {
  const { object, place } = parts
  const { language: { verbLast }, parser } = work.context
  refuseVague(work, object)
  if (place?.form === 'nth' && place.start < object.start) return reject('the ordinal belongs to the object')
  const isFrom = ({ start }: { readonly start: number }) => isOriginWord(parser, start)
  const [from] = [...parts.all('from'), ...parts.all('in').filter(isFrom)].flatMap(({ noun }) => noun ?? [])
  const [target, other] = [...parts.all('to'), ...parts.all('in').filter((chunk) => !isFrom(chunk))].flatMap(({ noun }) => noun ?? [])
  if (other) return reject('two targets')
  const isOwner = target !== undefined && parser.tokens[target.start]?.word === 'der'
  if (verbLast && (object.owner || isOwner)) return reject('may name the source')
  const at = findBlock(from ? onPage(work, findPage(work, from).slug) : work, object)
  if (at.slug !== work.context.input.selection.slug) refuseFrom(work, parts)
  refusePinned(work, at)
  if (target && target.kind !== 'page') return reject('a copy goes to a page')
  const slug = target ? findPage(work, target).slug : at.slug
  const others = movableBlocks(work, slug)
  const index = place && insertionIndex({ ...work, slug, isPageUnclear: false }, place, others)
  const isElsewhere = slug !== at.slug
  const isEnd = index === undefined || (isElsewhere && index === others.length)
  const isPinnedBelow = isElsewhere && pageOf(work, slug).blocks.at(-1)?.id !== others.at(-1)?.id
  const anchor = isEnd ? (isPinnedBelow ? others.at(-1)?.id : undefined) : others[index - 1]?.id
  const op = { op: 'duplicate_block', pageSlug: at.slug, blockId: at.id, newBlockId: undefined, toPageSlug: isElsewhere ? slug : undefined } as const
  const after = applyOperation(work, { ...op, afterBlockId: anchor }, at)
  const copy = isEnd || anchor !== undefined ? undefined : movableBlocks(after, slug).find(({ id }) => !others.some((block) => block.id === id))
  const done = copy ? applyOperation(after, moveOp(after, { slug, id: copy.id }, undefined), at) : after
  return { ...done, touched: undefined, isUnclear: true }
}

export const blockActions: readonly Action[] = [
  { verbs: ['remove'], roles: 'object+ @in? @from? except?', run: removeBlocks },
  { verbs: ['move', 'put', 'set', 'be', 'want'], roles: 'object+ place in?', run: moveBlocks },
  { verbs: ['swap'], roles: 'object+ as? with? @in?', run: swapBlocks },
  { verbs: ['copy'], roles: 'object to? in? from? place?', run: copyBlock },
]
