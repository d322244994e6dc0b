import type { Block } from '../../content/model.ts'
import type { Role } from '../frame/chunks.ts'
import { isHere, type Noun } from '../frame/noun.ts'
import type { Place } from '../frame/places.ts'
import { findBlock, refusePinned, selectedBlock } from '../resolve/blocks.ts'
import { ask, type Doubts, reject, rejectDoubtful } from '../work/ask.ts'
import { applyOperation } from '../work/perform.ts'
import { blockWithId, currentPage, movableBlocks, pageOf, type Work } from '../work/work.ts'
import { type Action, isOriginWord, type Parts, scopedTo, withText } from './action.ts'
import { insertionIndex, moveOp, moveTo } from './blocks.ts'
import { contentRoles, countOf, newBlock } from './content.ts'

export type BlockRequest = ReturnType<typeof blockRequest>

/** The type and number of new blocks that a noun requests. */
export function blockRequest(work: Work, noun: Noun) {
  const { types: [type] = [], text, count } = noun
  const isExisting = noun.name?.isQuoted === false || noun.isThis || noun.isThe || noun.isAll || noun.isBoth
    || noun.n !== undefined
  if (noun.kind !== 'block' || type === undefined || isExisting) return reject('not a new block')
  const isRows = work.context.language.rowNouns.some(({ many, lists }) => many.includes(text.toLowerCase()) && lists.some(([owner]) => owner === type))
  if (count !== undefined && noun.isMany && isRows) return ask(work.context.texts.noListFor(text, pageOf(work, work.slug).title))
  return { type, count: countOf(work, count) }
}

/** Adds blocks in order, starting at the given place. */
function addBlocks(work: Work, parts: Parts, start: Work): Work {
  const { objects, object, place } = parts
  const isSection = object.kind === 'section' && objects.length === 1
  const nouns = isSection ? parts.nouns('with') : objects
  const owner = nouns.find((noun) => noun.owner?.kind === 'page')?.owner
  rejectDoubtful(doubts, { work, parts, start, isSection, nouns, owner })
  const targetWork = owner ? scopedTo(work, owner) : work
  const named = withText(parts, nouns.length === 1 ? nouns[0]?.name : undefined)
  return addNewBlocks(targetWork, nouns.map((noun) => blockRequest(targetWork, noun)), named, place)
}

interface Addition {
  readonly work: Work
  readonly parts: Parts
  readonly start: Work
  /** `a section with a gallery and a quote`. */
  readonly isSection: boolean
  /** The new blocks. */
  readonly nouns: readonly Noun[]
  /** The page that a noun names. */
  readonly owner: Noun | undefined
}

const isMove = ({ parts: { verbs } }: Addition): boolean =>
  !verbs.includes('add') && (verbs.includes('put') || verbs.includes('move'))

const isOrdinal = ({ parts: { object, place } }: Addition): boolean => place?.form === 'nth' && place.start < object.start

const doubts: Doubts<Addition> = [
  ['may be an announcement', ({ parts: { verbs, place, has } }) =>
    verbs.includes('announce') && !place && !has('text', 'called', 'saying', 'value')],
  ['`make` without an article changes a block', ({ parts: { verbs }, nouns }) => verbs.includes('set')
    && nouns.some(({ isNew, count }) => !isNew && count === undefined)],
  ['the block already exists', (addition) => isOrdinal(addition)
    || (isMove(addition) && addition.parts.objects.some(({ isNew, count }) => !isNew && count === undefined))],
  ['the block comes from a page', ({ work, owner }) =>
    owner !== undefined && isOriginWord(work.context.parser, owner.start - 1)],
  ['a block is not inside a block', ({ work, start, parts: { place } }) => work.lead !== undefined
    && (work.lead !== start.lead || !place?.anchor)],
  ['may name a second page', ({ parts: { object, objects, all } }) => all('to', 'in')
    .some(({ start }) => start > object.start && start < (objects.at(-1)?.start ?? 0))],
  ['may mean the page of the previous clause', ({ work, parts: { objects } }) =>
    work.isOnOtherPage === true && !objects.some((noun) => noun.owner?.kind === 'page')],
  ['next to the selection, or at the end of the page', ({ work, parts: { nouns } }) =>
    nouns('in').some(isHere) && selectedBlock(work) !== undefined],
  ['not a new section', ({ parts: { object, has }, isSection }) =>
    (object.kind === 'section' && !object.isNew) || (has('with') && !isSection)],
  ['the place may apply to both', ({ work: { previousClause: before }, parts: { frame, place } }) =>
    !frame.hasVerb && before !== undefined && (place === undefined) !== before.chunks.every(({ role }) => role !== 'place')],
  ['may mean columns of a block', ({ nouns }) =>
    nouns.some(({ types, isNew, hasUnit }) => types?.[0] === 'TwoColumn' && !isNew && !hasUnit)],
  ['may mean a testimonial', ({ work, nouns }) => nouns.some(({ types }) => types?.includes('Quote'))
    && blockWithId(pageOf(work, work.slug), selectedBlock(work)?.id ?? '')?.type === 'Testimonials'],
]

/** `Give us a banner at the top`. */
const giveBlock: Action['run'] = (work, parts, start) =>
  (parts.object.isNew ? addBlocks(work, parts, start) : reject('not a new block'))

const contentParts: readonly Role[] = ['text', 'called', 'saying', 'labelled', 'by', 'value', 'detail', 'linking']

/** Adds blocks; content can be given only for a single block. */
export function addNewBlocks(work: Work, kinds: readonly BlockRequest[], parts: Parts, place: Place | undefined): Work {
  if (kinds.length === 0 || (parts.has(...contentParts) && (kinds.length > 1 || kinds.some(({ count }) => count > 1)))) return reject('content for several blocks')
  const isNumber = parts.frame.chunks.some(({ value }) => value && value.form !== 'quoted' && /^\d+$/.test(value.text))
  if (isNumber) return reject('a number is not a title')
  const newBlocks: Block[] = []
  for (const { type, count } of kinds) {
    for (let n = 0; n < count; n += 1) newBlocks.push(newBlock(work, type, parts, newBlocks.map(({ id }) => id)))
  }
  const slug = currentPage(work)
  const others = movableBlocks(work, slug)
  const index = place ? insertionIndex(work, place, others) : others.length
  const isLast = index === others.length
  let after = work
  let anchor = others[index - 1]?.id
  for (const block of newBlocks) {
    const touched = { slug, id: block.id }
    const afterBlockId = isLast && pageOf(after, slug).blocks.at(-1)?.id === anchor ? undefined : anchor
    after = applyOperation(after, { op: 'add_block', pageSlug: slug, block, afterBlockId }, touched)
    if (anchor === undefined && !isLast) after = applyOperation(after, moveOp(after, touched, undefined), touched)
    anchor = block.id
  }
  // After several blocks, `it` is ambiguous.
  return newBlocks.length > 1 || !parts.frame.hasVerb ? { ...after, touched: undefined, isUnclear: true } : after
}

/** `Start this page with a banner`: adds a new block there, or moves an existing one. */
function placeAtEdge(work: Work, parts: Parts): Work {
  const [noun, ...others] = parts.nouns('with')
  if (!noun || others.length > 0 || parts.object.kind !== 'page' || parts.objects.length > 1) return reject('a page begins with one block')
  const place: Place = { form: parts.verbs.includes('start') ? 'front' : 'end', start: noun.start, end: noun.start }
  const targetWork = scopedTo(work, parts.object)
  if (noun.isNew) return addNewBlocks(targetWork, [blockRequest(targetWork, noun)], parts, place)
  if (parts.frame.chunks.length > 2) return reject('the block already exists')
  const block = findBlock(targetWork, noun)
  refusePinned(targetWork, block)
  return moveTo(targetWork, block, place)
}

export const newBlockActions: readonly Action[] = [
  { verbs: ['start', 'finish'], roles: `object with ${contentRoles}`, run: placeAtEdge },
  { verbs: ['add', 'want', 'put'], roles: `object+ with? ${contentRoles} @to? @in? place?`, run: addBlocks },
  { verbs: ['give'], roles: `object place ${contentRoles} @in?`, run: giveBlock },
]
