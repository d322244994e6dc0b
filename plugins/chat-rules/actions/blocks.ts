import type { Noun } from '../frame/nouns.ts'
import type { Place } from '../frame/places.ts'
import { blocksFor, findBlock, findBlocks, refusePinned, refuseVague } from '../resolve/blocks.ts'
import { findPage } from '../resolve/pages.ts'
import { placeIn } from '../resolve/places.ts'
import { Ask, ask, unfit } from '../work/ask.ts'
import { perform } from '../work/perform.ts'
import { backFrom, type BlockAt, movableBlocks, onPage, pageInMind, pageOf, type Work } from '../work/work.ts'
import { type Action, type Parts, within } from './action.ts'
import { contentRoles, countOf, newBlock } from './content.ts'

export interface Wanted {
  readonly type: string
  readonly count: number
}

/** What kind of blocks a noun asks for. */
export function wanted(work: Work, noun: Noun): Wanted {
  const [type] = noun.types ?? []
  if (noun.kind !== 'block' || type === undefined || noun.name?.isQuoted === false || noun.isThis || noun.isThe || noun.isAll || noun.isBoth || noun.n !== undefined) return unfit('no new block is meant')
  if (noun.count !== undefined && noun.isMany && work.scene.language.rowNouns.some(({ many, lists }) => many.includes(noun.text.toLowerCase()) && lists.some(([owner]) => owner === type))) {
    return ask(work.scene.texts.noListFor(noun.text, pageOf(work, work.slug).title))
  }
  return { type, count: countOf(work, noun.count) }
}

/** New blocks in order, the first at its place, the others behind it. */
function addBlocks(work: Work, parts: Parts): Work {
  const { objects, place, frame: { verbs } } = parts
  if (verbs.includes('announce') && !place && !['text', 'called', 'saying', 'value'].some((role) => parts.frame.chunks.some((chunk) => chunk.role === role))) return unfit('this may be news')
  if (place?.form === 'nth' && place.start < (objects[0]?.start ?? 0)) return unfit('the block is there already')
  const isPut = verbs.includes('put') && !verbs.includes('add')
  if (objects.some((noun) => (isPut || verbs.includes('move')) && !noun.isNew && noun.count === undefined && !verbs.includes('add'))) return unfit('the block is there already')
  const nouns = objects.length === 1 && objects[0]?.kind === 'section' ? parts.all('with').flatMap(({ noun }) => noun ?? []) : objects
  const [section] = objects
  if (parts.first('with') && (section?.kind !== 'section' || objects.length > 1)) return unfit('a block has no blocks')
  if (section?.kind === 'section' && !section.isNew) return unfit('no new section is meant')
  const at = within(work, parts, ['in', 'to'])
  const owner = nouns.flatMap((noun) => (noun.owner?.kind === 'page' ? [noun.owner] : []))[0]
  const there = owner ? onPage(at, findPage(at, owner).slug) : at
  if (at.lead && at.lead !== work.lead) return unfit('a block goes on a page')
  const name = nouns.length === 1 ? nouns[0]?.name : undefined
  const named = name ? { ...parts, all: (role: Parameters<Parts['all']>[0]) => (role === 'text' ? [{ role, start: 0, end: 0, cost: 0, value: { text: name.text, form: 'quoted' as const, end: 0 } }, ...parts.all(role)] : parts.all(role)) } : parts
  return backFrom(work, addNewBlocks(there, nouns.map((noun) => wanted(there, noun)), named, place))
}

/** Adds blocks of some kinds; what the sentence says of their content is for the only one. */
export function addNewBlocks(work: Work, kinds: readonly Wanted[], parts: Parts, place: Place | undefined): Work {
  const made: ReturnType<typeof newBlock>[] = []
  const hasContent = parts.frame.chunks.some(({ role }) => ['text', 'called', 'saying', 'labelled', 'by', 'value', 'detail', 'linking'].includes(role))
  if (kinds.length === 0 || (hasContent && kinds.length > 1)) return unfit('whose content is this?')
  if (parts.frame.chunks.some(({ value }) => value && value.form !== 'quoted' && /^\d+$/.test(value.text))) return unfit('a number is not a title')
  for (const { type, count } of kinds) {
    for (let n = 0; n < count; n += 1) made.push(newBlock(work, type, parts, made.map(({ block }) => block.id)))
  }
  const slug = pageInMind(work)
  const others = movableBlocks(work, slug)
  const index = place ? placeIn(work, place, { count: others.length, indexOf: (anchor) => indexOfAnchor(work, anchor, others) }) : others.length
  let after = work
  let anchor = others[index - 1]?.id
  const isLast = index === others.length
  for (const { block } of made) {
    const touched = { slug, id: block.id }
    const afterBlockId = isLast && pageOf(after, slug).blocks.at(-1)?.id === anchor ? undefined : anchor
    after = perform(after, { op: 'add_block', pageSlug: slug, block, afterBlockId }, touched)
    if (anchor === undefined && !isLast) after = perform(after, moveOp(after, touched, undefined), touched)
    anchor = block.id
  }
  return after
}

/** The index of the block that a place refers to. */
function indexOfAnchor(work: Work, anchor: Noun, others: readonly { readonly id: string }[]): number {
  const { id } = findBlock(work, anchor)
  const index = others.findIndex((other) => other.id === id)
  return index < 0 ? ask(work.scene.texts.noSuchPlace) : index
}

/** Pinned blocks at the head of a page stay there. */
function moveOp(work: Work, { slug, id }: BlockAt, afterId: string | undefined) {
  const movable = new Set(movableBlocks(work, slug).map((block) => block.id))
  const { blocks } = pageOf(work, slug)
  const head = blocks.findIndex((block) => movable.has(block.id))
  return { op: 'move_block', pageSlug: slug, blockId: id, afterBlockId: afterId ?? (head > 0 ? blocks[head - 1]?.id : undefined) } as const
}

function removeBlocks(work: Work, parts: Parts): Work {
  const at = within(work, parts)
  for (const noun of parts.objects) {
    refuseVague(at, noun)
    if ((noun.kind === 'this' || noun.kind === 'it') && parts.first('in')) return unfit('what is meant is open')
    if (noun.kind === 'name' && noun.name?.isQuoted === false) return unfit('what is called so is open')
    if (noun.kind === 'name' && at.scene.language.verbLast) return ask(at.scene.texts.missingScope)
  }
  const kept = parts.all('except').flatMap(({ noun }) => (noun ? blocksFor(at, noun) : [])).concat(parts.objects.slice(1).flatMap((noun) => (parts.first('except') ? blocksFor(at, noun) : [])))
  const found = findBlocks(at, parts.first('except') ? parts.objects.slice(0, 1) : parts.objects).filter(({ id }) => !kept.some((block) => block.id === id))
  if (parts.first('except') && parts.object.kind !== 'everything') return unfit('only of everything something is left out')
  const lead = at.lead
  if (lead && found.some(({ id }) => id !== lead.id)) return unfit('something in the block that is talked about is meant')
  for (const block of found) refusePinned(at, block)
  return backFrom(work, found.reduce((after, { slug, id }) => perform({ ...after, touched: undefined }, { op: 'remove_block', pageSlug: slug, blockId: id }), at))
}

function moveBlock(work: Work, parts: Parts): Work {
  const { object, frame: { verbs } } = parts
  const place = besideSame(object, parts.place ?? unfit('no place is said'))
  refuseVague(work, object)
  refuseTurning(parts)
  if (object.isNew) return unfit('a new block is meant')
  if ((place.form === 'up' || place.form === 'down') && place.n === undefined && object.n !== undefined && object.kind === 'block') return unfit('the number tells how far')
  const page = parts.first('in')?.noun
  const at = page?.kind === 'page' ? blockOn(work, object, findPage(work, page).slug) : findBlock(within(work, parts), object)
  if (verbs.length === 0) return unfit('nothing is moved')
  refusePinned(work, at)
  return backFrom(work, movedTo(work, at, place))
}

/** What is made or set somewhere goes to a certain place: `turn it up` does not move anything. */
export function refuseTurning({ frame: { verbs }, place, object }: Parts): void {
  if (place?.form === 'nth' && place.start < object.start) unfit('the number belongs to what is moved')
  const isMove = ['move', 'put', 'be', 'want'].some((verb) => verbs.some((own) => own === verb))
  if (!isMove && place?.form !== 'nth' && place?.form !== 'front' && place?.form !== 'end') unfit('nothing is moved')
}

/** `Move the first question below the second`: the place is that of another one of its kind. */
export function besideSame(noun: Noun, place: Place): Place {
  if (place.anchor?.kind !== 'nth') return place
  const { ord: _ord, n: _n, name: _name, ...same } = noun
  const { ord, n, start, end } = place.anchor
  return { ...place, anchor: { ...same, start, end, ...(ord !== undefined && { ord }), ...(n !== undefined && { n }) } }
}

/** The block on the page that the end of the sentence names; asks where the page that is looked at has one as well. */
function blockOn(work: Work, noun: Noun, slug: string): BlockAt {
  try {
    const at = findBlock(work, noun)
    if (at.slug === slug) return at
  } catch (error) {
    if (!(error instanceof Ask)) throw error
    return findBlock(onPage(work, slug), noun)
  }
  return ask(work.scene.texts.onOtherPages)
}

function movedTo(work: Work, at: BlockAt, place: Place): Work {
  const all = movableBlocks(work, at.slug)
  const others = all.filter(({ id }) => id !== at.id)
  const current = all.findIndex(({ id }) => id === at.id)
  const here = { ...work, slug: at.slug, isPageUnclear: false }
  const indexOf = (anchor: Noun) => {
    const index = indexOfAnchor(here, anchor, all)
    return all[index]?.id === at.id ? ask(work.scene.texts.besideItself) : others.findIndex(({ id }) => id === all[index]?.id)
  }
  const index = placeIn(here, place, { count: others.length, current, indexOf })
  return index === current ? { ...work, touched: at } : perform(work, moveOp(work, at, others[index - 1]?.id), at)
}

function swapBlocks(work: Work, parts: Parts): Work {
  const at = within(work, parts, ['in'])
  const nouns = [...parts.objects, ...[...parts.all('as'), ...parts.all('with')].flatMap(({ noun }) => noun ?? [])]
  const [a, b, ...others] = nouns.flatMap((noun) => blocksFor(at, noun))
  const { texts } = work.scene
  if (!a || !b || others.length > 0) return unfit('two blocks are swapped')
  for (const block of [a, b]) refusePinned(at, block)
  if (a.slug !== b.slug) ask(texts.onOtherPages)
  if (a.id === b.id) ask(texts.besideItself)
  const blocks = movableBlocks(at, a.slug)
  const [low = 0, high = 0] = [a, b].map(({ id }) => blocks.findIndex((block) => block.id === id)).toSorted((one, other) => one - other)
  const [upper, lower] = [blocks[low], blocks[high]]
  if (!upper || !lower) return unfit('the blocks are not on the page')
  const down = perform(at, moveOp(at, { slug: a.slug, id: upper.id }, lower.id), a)
  return backFrom(work, high === low + 1 ? down : perform(down, moveOp(down, { slug: a.slug, id: lower.id }, blocks[low - 1]?.id), a))
}

/** After a copy, `it` could be either of the two. */
function copyBlock(work: Work, parts: Parts): Work {
  const { object, place } = parts
  refuseVague(work, object)
  if (object.owner && work.scene.language.verbLast) return unfit('where it goes is open')
  const from = parts.first('from')?.noun
  const source = from ? onPage(work, findPage(work, from).slug) : work
  const at = findBlock(source, object)
  refusePinned(work, at)
  if (parts.first('to') && parts.first('in')) return unfit('two places are named')
  const target = parts.first('to')?.noun ?? parts.first('in')?.noun
  const { slug: pageSlug, id: blockId } = at
  if (target && work.scene.language.verbLast && work.scene.ground.tokens[target.start]?.word === 'der') return unfit('the copy may be of what is there')
  const slug = target ? (target.kind === 'page' ? findPage(work, target).slug : unfit('a copy goes to a page')) : pageSlug
  const toPageSlug = slug === pageSlug ? undefined : slug
  const op = { op: 'duplicate_block', pageSlug, blockId, newBlockId: undefined, toPageSlug } as const
  const on = { ...work, slug, isPageUnclear: false }
  const others = movableBlocks(work, slug)
  const index = place ? placeIn(on, place, { count: others.length, indexOf: (anchor) => indexOfAnchor(on, anchor, others) }) : undefined
  const anchor = index === undefined ? undefined : others[index - 1]?.id
  const isEnd = index === undefined || (toPageSlug !== undefined && index === others.length)
  const isPinnedBelow = toPageSlug !== undefined && pageOf(work, slug).blocks.at(-1)?.id !== others.at(-1)?.id
  const after = perform(work, { ...op, afterBlockId: isEnd ? (isPinnedBelow ? others.at(-1)?.id : undefined) : anchor }, at)
  const copy = isEnd || anchor !== undefined ? undefined : movableBlocks(after, slug).find(({ id }) => !others.some((other) => other.id === id))
  const done = copy ? perform(after, moveOp(after, { slug, id: copy.id }, undefined), at) : after
  return { ...backFrom(work, done), touched: undefined, isUnclear: true }
}

/** `Start this page with a banner`: what is new is added there, what is there is moved. */
function atEdge(work: Work, parts: Parts): Work {
  const [noun, ...others] = parts.all('with').flatMap((chunk) => chunk.noun ?? [])
  if (!noun || others.length > 0 || parts.object.kind !== 'page' || parts.objects.length > 1) return unfit('a page begins with one block')
  const place: Place = { form: parts.frame.verbs.includes('start') ? 'front' : 'end', start: noun.start, end: noun.start }
  const at = onPage(work, findPage(work, parts.object).slug)
  if (noun.isNew) return backFrom(work, addNewBlocks(at, [wanted(at, noun)], parts, place))
  if (parts.frame.chunks.length > 2) return unfit('the block is there already')
  const block = findBlock(at, noun)
  refusePinned(at, block)
  return backFrom(work, movedTo(at, block, place))
}

export const blockActions: readonly Action[] = [
  { verbs: ['start', 'finish'], roles: `object with ${contentRoles}`, does: atEdge },
  { verbs: ['add', 'want', 'put'], roles: `object+ with? ${contentRoles} to? in? place?`, does: addBlocks },
  { verbs: ['give'], roles: `object place ${contentRoles} in?`, does: (work, parts) => (parts.object.isNew ? addBlocks(work, parts) : unfit('no new block is meant')) },
  { verbs: ['remove'], roles: 'object+ in? from? except?', does: removeBlocks },
  { verbs: ['move', 'put', 'set', 'be', 'want'], roles: 'object place in?', does: moveBlock },
  { verbs: ['swap'], roles: 'object+ as? with? in?', does: swapBlocks },
  { verbs: ['copy'], roles: 'object to? in? from? place?', does: copyBlock },
]
