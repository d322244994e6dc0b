import { labelOf } from '../../content/fields.ts'
import { ownValue } from '../../content/plain-object.ts'
import type { Noun } from '../frame/nouns.ts'
import { findBlock, selectedBlock } from '../resolve/blocks.ts'
import { blockChoice, choose, labelsOf } from '../resolve/choose.ts'
import { fieldOf, findField, scalarFields, valueOf } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { findList } from '../resolve/rows.ts'
import { ask, unfit } from '../work/ask.ts'
import { backFrom, type BlockAt, type FieldAt, onPage, pageInMind, pageOf, type Work } from '../work/work.ts'
import { type Action, type Parts, within } from './action.ts'
import { optionFor, setText, write } from './values.ts'

const isImage = ({ kind, props = [] }: Noun) => kind === 'field' && props.includes('imageUrl')
const isText = ({ kind, props = [] }: Noun) => kind === 'field' && props.includes('body')

/** The block that a noun, or what it is a part of, names; none where nothing does. */
function ownerBlock(work: Work, { owner }: Noun): readonly [at: Work, block: BlockAt | undefined] {
  if (!owner) return [work, undefined]
  return owner.kind === 'page' ? [onPage(work, findPage(work, owner).slug), undefined] : [work, findBlock(work, owner)]
}

/** Image or text to one side, over the full width, or in the middle. */
function side(work: Work, parts: Parts): Work {
  const { object, choice, frame: { verbs } } = parts
  const [at, block] = ownerBlock(within(work, parts), object)
  if (choice === 'aligned') return isText(object) ? backFrom(work, choiceOf(at, object, block, 'textAlign', 'left')) : unfit('only a text is aligned')
  if (choice === 'center' || (isText(object) && (verbs.includes('align') || verbs.includes('be')) && !verbs.includes('move'))) {
    return isText(object) && (choice === 'left' || choice === 'center') ? backFrom(work, choiceOf(at, object, block, 'textAlign', choice)) : unfit('only a text is aligned')
  }
  const isOfText = isText(object)
  if (!isOfText && !isImage(object)) return unfit('only image and text have sides')
  if (choice === 'other') return mirrored(work, at, object, block)
  const opposite = { left: 'right', right: 'left' }[choice]
  return backFrom(work, choiceOf(at, object, block, 'imagePosition', isOfText ? (opposite ?? unfit('a text has no full width')) : choice))
}

const choiceOf = (work: Work, noun: Noun, block: BlockAt | undefined, name: string, option: string) => setText(work, sideField(work, noun, block, name), option)

/** Image and text change sides. */
function mirror(work: Work, parts: Parts): Work {
  const { objects, object } = parts
  const at = within(work, parts)
  const [first, second] = objects
  if (objects.length === 1 && object.kind === 'block' && !parts.frame.verbs.includes('swap')) return mirrored(work, at, object, findBlock(at, object))
  const last = second ?? unfit('two things are swapped')
  if (!first || objects.length > 2 || ![[first, last], [last, first]].some(([a, b]) => a && b && isImage(a) && isText(b))) return unfit('image and text are swapped')
  const [there, block] = ownerBlock(at, last.owner ? last : first)
  return mirrored(work, there, first, block)
}

function mirrored(work: Work, at: Work, noun: Noun, block: BlockAt | undefined): Work {
  const field = sideField(at, noun, block, 'imagePosition')
  const now = valueOf(at, field) ?? 'right'
  if (now === 'full') ask(at.scene.texts.fullImage)
  return backFrom(work, write(at, field, { [field.name]: now === 'left' ? 'right' : 'left' }))
}

/** The verb may say the side itself: `center the hero text`. */
function align(work: Work, parts: Parts): Work {
  const words = work.scene.ground.tokens.slice(parts.frame.start, parts.frame.end).map(({ word }) => word)
  const { left, center } = work.scene.language.words
  const option = words.some((word) => center.includes(word)) ? 'center' : words.some((word) => left.includes(word)) ? 'left' : unfit('no side is said')
  const [at, block] = ownerBlock(within(work, parts), parts.object)
  return isText(parts.object) ? backFrom(work, choiceOf(at, parts.object, block, 'textAlign', option)) : unfit('only a text is aligned')
}

function columns(work: Work, parts: Parts): Work {
  if (parts.frame.verbs.length === 0 && work.scene.language.verbLast) return unfit('this may be a remark')
  const noun = parts.objects[0] ?? [...parts.all('in'), ...parts.all('to')].flatMap((chunk) => chunk.noun ?? [])[0] ?? unfit('no block is named')
  const at = parts.objects[0] ? within(work, parts) : work
  const n = parts.first('columns')?.n ?? (noun.isMany ? noun.count : undefined) ?? unfit('how many is open')
  const block = noun.kind === 'row' && noun.row ? findList(at, noun, noun.row, undefined) : findBlock(at, noun)
  return backFrom(work, setText(at, fieldOf(at, { slug: block.slug, id: block.id }, ['columns']), String(n)))
}

/** The only choice of a block that has this option. */
function option(work: Work, parts: Parts): Work {
  const at = within(work, parts)
  if (parts.object.kind === 'field') return unfit('a field is set to it')
  const block = findBlock(at, parts.object)
  const wanted = parts.first('option')?.options ?? []
  const fields = Object.entries(scalarFields(at, block)).filter(([, meta]) => meta.kind === 'enum' && wanted.some((one) => meta.options?.includes(one)))
  const [only] = fields
  if (!only || fields.length !== 1) return unfit('not one choice of the block has this option')
  return backFrom(work, setText(at, { ...block, name: only[0], meta: only[1] }, wanted.find((one) => only[1].options?.includes(one)) ?? ''))
}

/** What is on or off. */
function switched(work: Work, parts: Parts): Work {
  const { verbs } = parts.frame
  const at = within(work, parts)
  const field = findField(at, parts.object)
  const value = parts.first('switch')?.choice ?? (verbs.includes('enable') ? 'true' : 'false')
  const isSwitch = field.meta.kind === 'enum' && optionFor(at, field.meta, 'true') !== undefined
  return isSwitch ? backFrom(work, setText(at, field, value)) : unfit('not a switch')
}

/** The choice of a named block, of the one that is talked about, or of the only block that has it. */
function sideField(work: Work, noun: Noun, block: BlockAt | undefined, name: string): FieldAt {
  if (block) return fieldOf(work, block, [name])
  const has = (at: BlockAt | undefined) => at !== undefined && ownValue(scalarFields(work, at), name) !== undefined
  const near = [work.lead, selectedBlock(work)].find(has)
  if (near) return fieldOf(work, near, [name])
  const slug = pageInMind(work)
  const found = pageOf(work, slug).blocks.map(({ id }) => ({ slug, id })).filter(has)
  const [only] = found
  if (!only) return unfit('no block has sides')
  const at = choose(work, noun, found, {
    toChoice: (candidate) => blockChoice(work, candidate),
    inquiry: (choices) => ({ question: work.scene.texts.whichOne(labelOf(name, scalarFields(work, only)[name]), labelsOf(choices)) }),
  })
  return fieldOf(work, at, [name])
}

export const optionActions: readonly Action[] = [
  { verbs: ['move', 'set', 'put', 'show', 'align', 'be', 'want', 'keep'], roles: 'object side in?', does: side },
  { verbs: ['mirror'], roles: 'object+ in?', does: mirror },
  { verbs: ['align'], roles: 'object in?', does: align },
  { verbs: ['show', 'set', 'be', 'have', 'want', 'none'], roles: 'object columns in?', does: columns },
  { verbs: ['show', 'set', 'want', 'put', 'none'], roles: 'columns in', does: columns },
  { verbs: ['set', 'replace', 'be'], roles: 'object option in?', does: option },
  { verbs: ['enable', 'disable'], roles: 'object in?', does: switched },
  { verbs: ['set'], roles: 'object switch in?', does: switched },
]
