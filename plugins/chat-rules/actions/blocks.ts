import type { Block } from '../../content/model.ts'
import type { Role } from '../frame/chunks.ts'
import type { Noun } from '../frame/nouns.ts'
import type { Place } from '../frame/places.ts'
import { blocksFor, findBlock, findBlocks, refusePinned, refuseVague, selectedBlock } from '../resolve/blocks.ts'
import { findPage } from '../resolve/pages.ts'
import { placeIn } from '../resolve/places.ts'
import { Ask, ask, tryTo, unfit } from '../work/ask.ts'
import { perform } from '../work/perform.ts'
import { type BlockAt, blockWithId, movableBlocks, onPage, pageInMind, pageOf, refuseShifted, type Work } from '../work/work.ts'
import { type Action, comesFrom, inside, type Parts, withText } from './action.ts'
import { contentRoles, countOf, newBlock } from './content.ts'

export interface Wanted {
  readonly type: string
  readonly count: number
}

/** What kind of blocks a noun asks for. */
export function wanted(work: Work, noun: Noun): Wanted {
  const { types: [type] = [], text, count } = noun
  const isThere = noun.name?.isQuoted === false || noun.isThis || noun.isThe || noun.isAll || noun.isBoth || noun.n !== undefined
  if (noun.kind !== 'block' || type === undefined || isThere) return unfit('no new block is meant')
  const isRows = work.scene.language.rowNouns.some(({ many, lists }) => many.includes(text.toLowerCase()) && lists.some(([owner]) => owner === type))
  if (count !== undefined && noun.isMany && isRows) return ask(work.scene.texts.noListFor(text, pageOf(work, work.slug).title))
  return { type, count: countOf(work, count) }
}

/** New blocks in order, the first at its place, the others behind it. */
function addBlocks(work: Work, parts: Parts, start: Work): Work {
  const { objects, object, place, verbs } = parts
  if (verbs.includes('announce') && !place && !parts.has('text', 'called', 'saying', 'value')) return unfit('this may be news')
  const isMove = !verbs.includes('add') && (verbs.includes('put') || verbs.includes('move'))
  const isThere = objects.some(({ isNew, count }) => isMove && !isNew && count === undefined)
  if (isThere || (place?.form === 'nth' && place.start < object.start)) return unfit('the block is there already')
  if (work.lead && work.lead !== start.lead) return unfit('a block goes on a page')
  const last = parts.all('object').at(-1)
  if (objects.length > 1 && parts.all('to', 'in').some(({ start }) => start < (last?.start ?? 0) && start > object.start)) return unfit('what follows may be another page')
  if (work.isElsewhere && !objects.some((noun) => noun.owner?.kind === 'page')) return unfit('the page of the clause before may be meant')
  const isHere = parts.nouns('in').some(({ page, text }) => page === 'this' && text === '')
  if (isHere && selectedBlock(work)) return unfit('beside what is selected, or at the end of the page')
  const isSection = object.kind === 'section' && objects.length === 1
  if ((object.kind === 'section' && !object.isNew) || (parts.has('with') && !isSection)) return unfit('no new section is meant')
  const nouns = isSection ? parts.nouns('with') : objects
  const owner = nouns.find((noun) => noun.owner?.kind === 'page')?.owner
  if (owner && comesFrom(work.scene.ground, owner.start - 1)) return unfit('the block is there already')
  const there = owner ? inside(work, owner) : work
  if (nouns.some(({ types, isNew, hasUnit }) => types?.[0] === 'TwoColumn' && !isNew && !hasUnit)) return unfit('columns of a block may be meant')
  const isQuote = nouns.some(({ types }) => types?.includes('Quote')) && blockWithId(pageOf(work, work.slug), selectedBlock(work)?.id ?? '')?.type === 'Testimonials'
  if (isQuote) return unfit('a testimonial may be meant')
  const named = withText(parts, nouns.length === 1 ? nouns[0]?.name : undefined)
  return addNewBlocks(there, nouns.map((noun) => wanted(there, noun)), named, place)
}

/** `Give us a banner at the top`. */
const giveBlock: Action['does'] = (work, parts, start) =>
  (parts.object.isNew ? addBlocks(work, parts, start) : unfit('no new block is meant'))

const saying: readonly Role[] = ['text', 'called', 'saying', 'labelled', 'by', 'value', 'detail', 'linking']

/** Adds blocks of some kinds; what the sentence says of their content is for the only one. */
export function addNewBlocks(work: Work, kinds: readonly Wanted[], parts: Parts, place: Place | undefined): Work {
  if (kinds.length === 0 || (parts.has(...saying) && (kinds.length > 1 || kinds.some(({ count }) => count > 1)))) return unfit('whose content is this?')
  const isNumber = parts.frame.chunks.some(({ value }) => value && value.form !== 'quoted' && /^\d+$/.test(value.text))
  if (isNumber) return unfit('a number is not a title')
  const made: Block[] = []
  for (const { type, count } of kinds) {
    for (let n = 0; n < count; n += 1) made.push(newBlock(work, type, parts, made.map(({ id }) => id)))
  }
  const slug = pageInMind(work)
  const others = movableBlocks(work, slug)
  const index = place ? indexIn(work, place, others) : others.length
  const isLast = index === others.length
  let after = work
  let anchor = others[index - 1]?.id
  for (const block of made) {
    const touched = { slug, id: block.id }
    const afterBlockId = isLast && pageOf(after, slug).blocks.at(-1)?.id === anchor ? undefined : anchor
    after = perform(after, { op: 'add_block', pageSlug: slug, block, afterBlockId }, touched)
    if (anchor === undefined && !isLast) after = perform(after, moveOp(after, touched, undefined), touched)
    anchor = block.id
  }
  return after
}

type Blocks = readonly { readonly id: string }[]

/** Where something new stands among other blocks. */
const indexIn = (work: Work, place: Place, others: Blocks) =>
  placeIn(work, place, { count: others.length, indexOf: (anchor) => indexOfAnchor(work, anchor, others) })

/** The index of the block that a place refers to. */
function indexOfAnchor(work: Work, anchor: Noun, others: Blocks): number {
  if (anchor.kind === 'it' && work.ops.length > 0 && selectedBlock(work)) return unfit('what is selected may be meant')
  const { id } = findBlock(work, anchor)
  const index = others.findIndex((other) => other.id === id)
  return index < 0 ? ask(work.scene.texts.noSuchPlace) : index
}

/** Pinned blocks at the head of a page stay there. */
function moveOp(work: Work, { slug, id }: BlockAt, afterId: string | undefined) {
  const movable = new Set(movableBlocks(work, slug).map((block) => block.id))
  const { blocks } = pageOf(work, slug)
  const head = blocks.findIndex((block) => movable.has(block.id))
  return { op: 'move_block', pageSlug: slug, blockId: id, afterBlockId: afterId ?? blocks[head - 1]?.id } as const
}

function removeBlocks(work: Work, parts: Parts): Work {
  const [object, ...others] = parts.objects
  const isExcept = parts.has('except')
  if (!object || (isExcept && object.kind !== 'everything')) return unfit('only of everything something is left out')
  const ofPages = parts.objects.filter((noun) => noun.owner?.kind === 'page').length
  if (ofPages > 0 && ofPages < parts.objects.length) return unfit('the page may be that of all of them')
  const isInBlock = parts.nouns('in', 'from').some(({ kind }) => kind !== 'page')
  for (const noun of parts.objects) {
    refuseVague(work, noun)
    if (noun.types?.[0] === 'TwoColumn' && !noun.isThe && !noun.isThis && !noun.hasUnit) return unfit('columns of a list may be meant')
    if (isInBlock && (noun.kind === 'block' || noun.kind === 'section')) return unfit('a block has no blocks')
    if ((noun.kind === 'this' || noun.kind === 'it') && parts.has('in')) return unfit('what is meant is open')
    if (noun.kind === 'name' && noun.name?.isQuoted === false) return unfit('what is called so is open')
    if (noun.kind === 'name' && work.scene.language.verbLast) return ask(work.scene.texts.missingScope)
  }
  const kept = isExcept ? [...parts.nouns('except'), ...others].flatMap((noun) => blocksFor(work, noun)) : []
  const found = findBlocks(work, isExcept ? [object] : parts.objects).filter(({ id }) => !kept.some((block) => block.id === id))
  const { lead } = work
  if (lead && found.some(({ id }) => id !== lead.id)) return unfit('something in the block that is talked about is meant')
  for (const block of found) refusePinned(work, block)
  return found.reduce((after, { slug: pageSlug, id: blockId }) =>
    perform({ ...after, touched: undefined }, { op: 'remove_block', pageSlug, blockId }), work)
}

function moveBlock(work: Work, parts: Parts): Work {
  const { object } = parts
  const place = besideSame(object, parts.place ?? unfit('no place is said'))
  refuseVague(work, object)
  refuseTurning(parts)
  const isFar = (place.form === 'up' || place.form === 'down') && place.n === undefined && object.n !== undefined && object.kind === 'block'
  if (object.isNew || isFar || parts.verbs.length === 0) return unfit('a new block is meant, or the number tells how far')
  const page = parts.first('in')?.noun
  if (page && page.kind !== 'page') return unfit('a block is not inside another block')
  const at = page ? blockOn(work, object, findPage(work, page).slug) : findBlock(work, object)
  refusePinned(work, at)
  return movedTo(work, at, place)
}

/** What is made or set somewhere goes to a certain place: `turn it up` does not move anything. */
export function refuseTurning({ verbs, place, object }: Parts): void {
  if (place?.form === 'nth' && place.start < object.start) unfit('the number belongs to what is moved')
  const isMove = verbs.some((verb) => ['move', 'put', 'be', 'want'].includes(verb))
  if (!isMove && !['nth', 'front', 'end'].includes(place?.form ?? '')) unfit('nothing is moved')
}

/** `Move the first question below the second`: the place is that of another one of its kind. */
export function besideSame(noun: Noun, place: Place): Place {
  if (place.anchor?.kind !== 'nth') return place
  const { start, end, ord, n } = place.anchor
  return { ...place, anchor: { ...noun, name: undefined, start, end, ord, n } }
}

/** The block on the page that the end of the sentence names; asks where the page that is looked at has one as well. */
function blockOn(work: Work, noun: Noun, slug: string): BlockAt {
  const at = tryTo(() => findBlock(work, noun)) ?? unfit('no block is meant')
  if (at instanceof Ask) return findBlock(onPage(work, slug), noun)
  return at.slug === slug ? at : ask(work.scene.texts.onOtherPages)
}

/** From another page, where it goes is open. */
function refuseFrom(work: Work, { all, has, object }: Parts): void {
  const starts = [...all('from', 'in').map(({ start }) => start), ...(object.owner ? [object.owner.start - 1] : [])]
  if (!has('to') && starts.some((start) => comesFrom(work.scene.ground, start))) unfit('where the copy goes is open')
}

function movedTo(work: Work, at: BlockAt, place: Place): Work {
  if (place.form === 'nth') refuseShifted(work, { slug: at.slug })
  const all = movableBlocks(work, at.slug)
  const others = all.filter(({ id }) => id !== at.id)
  const current = all.findIndex(({ id }) => id === at.id)
  const here = { ...work, slug: at.slug, isPageUnclear: false }
  const indexOf = (anchor: Noun) => {
    const index = indexOfAnchor(here, anchor, all)
    return index === current ? ask(work.scene.texts.besideItself) : index - (index > current ? 1 : 0)
  }
  const index = placeIn(here, place, { count: others.length, current, indexOf })
  return index === current ? { ...work, touched: at } : perform(work, moveOp(work, at, others[index - 1]?.id), at)
}

function swapBlocks(work: Work, parts: Parts): Work {
  const [a, b, ...others] = parts.nouns('object', 'as', 'with').flatMap((noun) => blocksFor(work, noun))
  const { texts } = work.scene
  if (!a || !b || others.length > 0) return unfit('two blocks are swapped')
  for (const block of [a, b]) refusePinned(work, block)
  if (a.slug !== b.slug) ask(texts.onOtherPages)
  if (a.id === b.id) ask(texts.besideItself)
  const blocks = movableBlocks(work, a.slug)
  const [low = 0, high = 0] = [a, b].map(({ id }) => blocks.findIndex((block) => block.id === id)).toSorted((one, other) => one - other)
  const [upper, lower] = [blocks[low], blocks[high]]
  if (!upper || !lower) return unfit('the blocks are not on the page')
  const down = perform(work, moveOp(work, { slug: a.slug, id: upper.id }, lower.id), a)
  return high === low + 1 ? down : perform(down, moveOp(down, { slug: a.slug, id: lower.id }, blocks[low - 1]?.id), a)
}

/** After a copy, `it` could be either of the two. */
function copyBlock(work: Work, parts: Parts): Work {
  const { object, place } = parts
  const { language: { verbLast }, ground } = work.scene
  refuseVague(work, object)
  const isFrom = ({ start }: { readonly start: number }) => comesFrom(ground, start)
  const [from] = [...parts.all('from'), ...parts.all('in').filter(isFrom)].flatMap(({ noun }) => noun ?? [])
  const [target, other] = [...parts.all('to'), ...parts.all('in').filter((chunk) => !isFrom(chunk))].flatMap(({ noun }) => noun ?? [])
  if (other) return unfit('two places are named')
  const isOwner = target !== undefined && ground.tokens[target.start]?.word === 'der'
  if (verbLast && (object.owner || isOwner)) return unfit('the copy may be of what is there')
  const at = findBlock(from ? onPage(work, findPage(work, from).slug) : work, object)
  if (at.slug !== work.scene.input.selection.slug) refuseFrom(work, parts)
  refusePinned(work, at)
  if (target && target.kind !== 'page') return unfit('a copy goes to a page')
  const slug = target ? findPage(work, target).slug : at.slug
  const others = movableBlocks(work, slug)
  const index = place && indexIn({ ...work, slug, isPageUnclear: false }, place, others)
  const isElsewhere = slug !== at.slug
  const isEnd = index === undefined || (isElsewhere && index === others.length)
  const isPinnedBelow = isElsewhere && pageOf(work, slug).blocks.at(-1)?.id !== others.at(-1)?.id
  const anchor = isEnd ? (isPinnedBelow ? others.at(-1)?.id : undefined) : others[index - 1]?.id
  const op = { op: 'duplicate_block', pageSlug: at.slug, blockId: at.id, newBlockId: undefined, toPageSlug: isElsewhere ? slug : undefined } as const
  const after = perform(work, { ...op, afterBlockId: anchor }, at)
  const copy = isEnd || anchor !== undefined ? undefined : movableBlocks(after, slug).find(({ id }) => !others.some((block) => block.id === id))
  const done = copy ? perform(after, moveOp(after, { slug, id: copy.id }, undefined), at) : after
  return { ...done, touched: undefined, isUnclear: true }
}

/** `Start this page with a banner`: what is new is added there, what is there is moved. */
function atEdge(work: Work, parts: Parts): Work {
  const [noun, ...others] = parts.nouns('with')
  if (!noun || others.length > 0 || parts.object.kind !== 'page' || parts.objects.length > 1) return unfit('a page begins with one block')
  const place: Place = { form: parts.verbs.includes('start') ? 'front' : 'end', start: noun.start, end: noun.start }
  const there = inside(work, parts.object)
  if (noun.isNew) return addNewBlocks(there, [wanted(there, noun)], parts, place)
  if (parts.frame.chunks.length > 2) return unfit('the block is there already')
  const block = findBlock(there, noun)
  refusePinned(there, block)
  return movedTo(there, block, place)
}

export const blockActions: readonly Action[] = [
  { verbs: ['start', 'finish'], roles: `object with ${contentRoles}`, does: atEdge },
  { verbs: ['add', 'want', 'put'], roles: `object+ with? ${contentRoles} @to? @in? place?`, does: addBlocks },
  { verbs: ['give'], roles: `object place ${contentRoles} @in?`, does: giveBlock },
  { verbs: ['remove'], roles: 'object+ @in? @from? except?', does: removeBlocks },
  { verbs: ['move', 'put', 'set', 'be', 'want'], roles: 'object place in?', does: moveBlock },
  { verbs: ['swap'], roles: 'object+ as? with? @in?', does: swapBlocks },
  { verbs: ['copy'], roles: 'object to? in? from? place?', does: copyBlock },
]
