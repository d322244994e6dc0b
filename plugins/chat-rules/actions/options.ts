import { labelOf } from '../../content/fields.ts'
import { ownValue } from '../../content/plain-object.ts'
import type { Noun } from '../frame/nouns.ts'
import { findBlock, selectedBlock } from '../resolve/blocks.ts'
import { blockChoice, choose } from '../resolve/choose.ts'
import { fieldOf, findField, scalarFields, valueOf } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { findList } from '../resolve/rows.ts'
import { ask, unfit } from '../work/ask.ts'
import { type BlockAt, type FieldAt, onPage, pageInMind, pageOf, type Work } from '../work/work.ts'
import type { Action, Parts } from './action.ts'
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
  const { object, choice, verbs } = parts
  const [at, block] = ownerBlock(work, object)
  const isOfText = isText(object)
  const alignment = choice === 'aligned' ? 'left' : choice
  const isAligned = verbs.some((verb) => verb === 'align' || verb === 'be') && !verbs.includes('move')
  if (alignment === 'center' || choice === 'aligned' || (isOfText && isAligned)) {
    const canBe = isOfText && (alignment === 'left' || alignment === 'center')
    return canBe ? choiceOf(at, object, block, 'textAlign', alignment) : unfit('only a text is aligned')
  }
  if (!isOfText && !isImage(object)) return unfit('only image and text have sides')
  if (choice === 'other') return mirrored(at, object, block)
  const opposite = { left: 'right', right: 'left' }[choice]
  return choiceOf(at, object, block, 'imagePosition', isOfText ? (opposite ?? unfit('a text has no full width')) : choice)
}

const choiceOf = (work: Work, noun: Noun, block: BlockAt | undefined, name: string, option: string) => setText(work, sideField(work, noun, block, name), option)

/** Image and text change sides. */
function mirror(work: Work, parts: Parts): Work {
  const { objects: [first, last, ...others], verbs } = parts
  if (first?.kind === 'block' && !last && !verbs.includes('swap')) return mirrored(work, first, findBlock(work, first))
  if (!first || !last || others.length > 0 || !(isImage(first) ? isText(last) : isText(first) && isImage(last))) return unfit('image and text are swapped')
  const [there, block] = ownerBlock(work, last.owner ? last : first)
  return mirrored(there, first, block)
}

function mirrored(work: Work, noun: Noun, block: BlockAt | undefined): Work {
  const field = sideField(work, noun, block, 'imagePosition')
  const now = valueOf(work, field) ?? 'right'
  if (now === 'full') ask(work.scene.texts.fullImage)
  return write(work, field, { [field.name]: now === 'left' ? 'right' : 'left' })
}

/** The verb may say the side itself: `center the hero text`. */
function align(work: Work, parts: Parts): Work {
  const words = work.scene.ground.tokens.slice(parts.frame.start, parts.frame.end).map(({ word }) => word)
  const { left, center } = work.scene.language.words
  const isSaid = (phrases: readonly string[]) => words.some((word) => phrases.includes(word))
  const option = isSaid(center) ? 'center' : isSaid(left) ? 'left' : unfit('no side is said')
  const [at, block] = ownerBlock(work, parts.object)
  return isText(parts.object) ? choiceOf(at, parts.object, block, 'textAlign', option) : unfit('only a text is aligned')
}

function columns(work: Work, parts: Parts): Work {
  if (parts.verbs.length === 0 && work.scene.language.verbLast) return unfit('this may be a remark')
  const noun = parts.nouns('object', 'in')[0] ?? unfit('no block is named')
  const n = parts.first('columns')?.n ?? (noun.isMany ? noun.count : undefined) ?? unfit('how many is open')
  const block = noun.kind === 'row' && noun.row ? findList(work, noun, noun.row, undefined) : findBlock(work, noun)
  return setText(work, fieldOf(work, { slug: block.slug, id: block.id }, ['columns']), String(n))
}

/** The only choice of a block that has this option. */
function option(work: Work, parts: Parts): Work {
  if (parts.object.kind === 'field') return unfit('a field is set to it')
  const block = findBlock(work, parts.object)
  const wanted = parts.first('option')?.options ?? []
  const fields = Object.entries(scalarFields(work, block)).flatMap(([name, meta]) => {
    const option = meta.kind === 'enum' ? wanted.find((one) => meta.options?.includes(one)) : undefined
    return option === undefined ? [] : [{ name, meta, option }]
  })
  const [only, ...others] = fields
  return only && others.length === 0 ? setText(work, { ...block, ...only }, only.option) : unfit('not one choice of the block has this option')
}

/** What is on or off. */
function switched(work: Work, parts: Parts): Work {
  const field = findField(work, parts.object)
  const value = parts.first('switch')?.choice ?? (parts.verbs.includes('enable') ? 'true' : 'false')
  const isSwitch = field.meta.kind === 'enum' && optionFor(work, field.meta, 'true') !== undefined
  return isSwitch ? setText(work, field, value) : unfit('not a switch')
}

/** The choice of a named block, of the one that is talked about, or of the only block that has it. */
function sideField(work: Work, noun: Noun, block: BlockAt | undefined, name: string): FieldAt {
  const isOne = (noun.ord ?? noun.n ?? noun.count) === undefined && !noun.isAll && !noun.isBoth
  if (noun.kind === 'field' && !isOne) return unfit('one of several images is meant')
  if (block) return fieldOf(work, block, [name])
  const has = (at: BlockAt | undefined) => at !== undefined && ownValue(scalarFields(work, at), name) !== undefined
  const near = work.lead ?? selectedBlock(work)
  if (near && !has(near)) return unfit('the block that is talked about has no such option')
  if (near) return fieldOf(work, near, [name])
  const slug = pageInMind(work)
  const found = pageOf(work, slug).blocks.map(({ id }) => ({ slug, id })).filter(has)
  const [only] = found
  if (!only) return unfit('no block has sides')
  const at = choose(work, noun, found, {
    toChoice: (candidate) => blockChoice(work, candidate),
    question: (labels) => work.scene.texts.whichOne(labelOf(name, scalarFields(work, only)[name]), labels),
  })
  return fieldOf(work, at, [name])
}

export const optionActions: readonly Action[] = [
  { verbs: ['move', 'set', 'put', 'show', 'align', 'be', 'want', 'keep'], roles: 'object side @in?', does: side },
  { verbs: ['mirror'], roles: 'object+ @in?', does: mirror },
  { verbs: ['align'], roles: 'object @in?', does: align },
  { verbs: ['show', 'set', 'be', 'have', 'want', 'none'], roles: 'object columns @in?', does: columns },
  { verbs: ['show', 'set', 'want', 'put', 'none'], roles: 'columns in', does: columns },
  { verbs: ['set', 'replace', 'be'], roles: 'object option @in?', does: option },
  { verbs: ['enable', 'disable'], roles: 'object @in?', does: switched },
  { verbs: ['set'], roles: 'object switch @in?', does: switched },
]
