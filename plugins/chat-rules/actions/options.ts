import { labelOf } from '../../content/fields.ts'
import { ownValue } from '../../content/plain-object.ts'
import type { Noun } from '../frame/noun.ts'
import { findBlock, selectedBlock, touchedBlock } from '../resolve/blocks.ts'
import { blockChoice, choose } from '../resolve/choose.ts'
import { fieldOf, scalarFields, valueOf } from '../resolve/block-fields.ts'
import { findField, focusedField } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { findList, focusedRow } from '../resolve/rows.ts'
import { ask, reject } from '../work/ask.ts'
import { type BlockAt, currentPage, type FieldAt, onPage, pageOf, type Work } from '../work/work.ts'
import type { Action, Parts } from './action.ts'
import { optionFor, setText, write } from './values.ts'

const isImage = ({ kind, props = [] }: Noun) => kind === 'field' && props.includes('imageUrl')
const isText = ({ kind, props = [] }: Noun) => kind === 'field' && props.includes('body')

/** The block that owns a noun, with the work on its page. */
function ownerBlock(work: Work, { owner }: Noun): readonly [at: Work, block: BlockAt | undefined] {
  if (!owner) return [work, undefined]
  return owner.kind === 'page' ? [onPage(work, findPage(work, owner).slug), undefined] : [work, findBlock(work, owner)]
}

/** Moves image or text to one side, over the full width, or to the center. */
function setSide(work: Work, parts: Parts): Work {
  const { object, choice, verbs } = parts
  const isShort = !object.isThe && !object.isThis && (parts.first('side')?.start ?? 0) > object.start
  const mayBeRemark = work.context.language.verbLast || !isImage(object) || !isShort
  if (verbs.length === 0 && mayBeRemark) return reject('may be a remark')
  const [at, block] = ownerBlock(work, object)
  const isOfText = isText(object)
  const alignment = choice === 'aligned' ? 'left' : choice
  const isAligned = verbs.some((verb) => verb === 'align' || verb === 'be') && !verbs.includes('move')
  if (alignment === 'center' || choice === 'aligned' || (isOfText && isAligned)) {
    return alignText(work, parts, alignment)
  }
  if (!isOfText && !isImage(object)) return reject('neither image nor text')
  if (choice === 'other') return swapSides(at, object, block)
  const opposite = { left: 'right', right: 'left' }[choice]
  const field = sideField(at, object, block, 'imagePosition')
  const isCentered = valueOf(at, { ...field, name: 'textAlign' }) === 'center'
  if (isOfText && (isCentered || valueOf(at, field) === 'full')) return reject('may mean the alignment')
  return setText(at, field, isOfText ? (opposite ?? reject('text is not full width')) : choice)
}

/** Swaps the sides of image and text. */
function mirror(work: Work, parts: Parts): Work {
  const { objects: [first, last, ...others], verbs } = parts
  if (first?.kind === 'block' && !last && !verbs.includes('swap')) return swapSides(work, first, findBlock(work, first))
  if (!first || !last || others.length > 0 || !(isImage(first) ? isText(last) : isText(first) && isImage(last))) return reject('needs image and text')
  const [there, block] = ownerBlock(work, last.owner ? last : first)
  return swapSides(there, first, block)
}

function swapSides(work: Work, noun: Noun, block: BlockAt | undefined): Work {
  const field = sideField(work, noun, block, 'imagePosition')
  const current = valueOf(work, field) ?? 'right'
  if (current === 'full') ask(work.context.texts.fullImage)
  return write(work, field, { [field.name]: current === 'left' ? 'right' : 'left' })
}

/** The verb may name the alignment: `center the hero text`. */
function align(work: Work, parts: Parts): Work {
  const words = work.context.parser.tokens.slice(parts.frame.start, parts.frame.end).map(({ word }) => word)
  const { left, center } = work.context.language.words
  const isMentioned = (phrases: readonly string[]) => words.some((word) => phrases.includes(word))
  const option = isMentioned(center) ? 'center' : isMentioned(left) ? 'left' : reject('no alignment')
  const { object } = parts
  if (object.kind !== 'block') return alignText(work, parts, option)
  return setText(work, fieldOf(work, findBlock(work, object), ['textAlign']), option)
}

function alignText(work: Work, { object, nouns }: Parts, option: string): Work {
  const isOnPage = [object.owner, ...nouns('in', 'lead')].some((noun) => noun?.kind === 'page')
  const canBe = isText(object) && !isOnPage && (option === 'left' || option === 'center')
  if (!canBe) return reject('only one text can be aligned')
  const [at, block] = ownerBlock(work, object)
  return setText(at, sideField(at, object, block, 'textAlign'), option)
}

/** Whether a pronoun means the selected row, or an image, and not their block. */
function isRowPronoun(work: Work, noun: Noun): boolean {
  const isBare = noun.end - noun.start === 1 || / one$/i.test(noun.text)
  if (!isBare || (noun.kind !== 'it' && noun.kind !== 'this')) return false
  const field = work.touchedField ?? (work.touched ? undefined : focusedField(work))
  return field?.meta.kind === 'image' || (!work.touched && focusedRow(work) !== undefined)
}

function setColumns(work: Work, parts: Parts): Work {
  if (parts.verbs.length === 0 && work.context.language.verbLast) return reject('may be a remark')
  const noun = parts.nouns('object', 'in')[0] ?? reject('no block')
  const isRow = noun.kind === 'row' && (!noun.isMany || (noun.ord ?? noun.n ?? noun.name) !== undefined)
  if (isRow || isRowPronoun(work, noun)) return reject('a row has no columns')
  const n = parts.first('columns')?.n ?? (noun.isMany ? noun.count : undefined) ?? reject('no number of columns')
  const block = noun.kind === 'row' && noun.row ? findList(work, noun, noun.row, undefined) : findBlock(work, noun)
  return setText(work, fieldOf(work, { slug: block.slug, id: block.id }, ['columns']), String(n))
}

/** Sets the only enum field of a block that has this option. */
function setOption(work: Work, parts: Parts): Work {
  if (parts.object.kind === 'field') return reject('a field, not a block')
  if (isRowPronoun(work, parts.object)) return reject('means a row or an image')
  const block = findBlock(work, parts.object)
  // On and off are options of a field, never of a block.
  const wanted = (parts.first('option')?.options ?? []).filter((option) => !/^(?:true|false)$/.test(option))
  const fields = Object.entries(scalarFields(work, block)).flatMap(([name, meta]) => {
    const option = meta.kind === 'enum' ? wanted.find((one) => meta.options?.includes(one)) : undefined
    return option === undefined ? [] : [{ name, meta, option }]
  })
  const [only, ...others] = fields
  return only && others.length === 0 ? setText(work, { ...block, ...only }, only.option) : reject('no single field has this option')
}

/** Sets an on/off field. */
function setSwitch(work: Work, parts: Parts): Work {
  const field = findField(work, parts.object)
  const value = parts.first('switch')?.choice ?? (parts.verbs.includes('enable') ? 'true' : 'false')
  const isSwitch = field.meta.kind === 'enum' && optionFor(work, field.meta, 'true') !== undefined
  return isSwitch ? setText(work, field, value) : reject('not a switch')
}

/** The option field of the named or current block, else of the only block that has one. */
function sideField(work: Work, noun: Noun, block: BlockAt | undefined, name: string): FieldAt {
  const isOne = (noun.ord ?? noun.n ?? noun.count) === undefined && !noun.isAll && !noun.isBoth
  if (noun.kind === 'field' && !isOne) return reject('means one of several images')
  if (block) return fieldOf(work, block, [name])
  if (work.isUnclear && !work.lead) ask(work.context.texts.nothingSelected)
  const has = (at: BlockAt | undefined) => at !== undefined && ownValue(scalarFields(work, at), name) !== undefined
  const near = work.lead ?? touchedBlock(work) ?? selectedBlock(work)
  if (near && !has(near)) return reject('the current block has no such option')
  if (near) return fieldOf(work, near, [name])
  const slug = currentPage(work)
  const found = pageOf(work, slug).blocks.map(({ id }) => ({ slug, id })).filter(has)
  const [only] = found
  if (!only) return reject('no block has this option')
  const at = choose(work, noun, found, {
    toChoice: (candidate) => blockChoice(work, candidate),
    question: (labels) => work.context.texts.whichOne(labelOf(name, scalarFields(work, only)[name]), labels),
  })
  return fieldOf(work, at, [name])
}

export const optionActions: readonly Action[] = [
  { verbs: ['move', 'set', 'put', 'show', 'align', 'be', 'want', 'none'],
    roles: 'object side @in?', run: setSide },
  { verbs: ['mirror'], roles: 'object+ @in?', run: mirror },
  { verbs: ['align'], roles: 'object @in?', run: align },
  { verbs: ['show', 'set', 'be', 'have', 'want', 'none'], roles: 'object columns @in?', run: setColumns },
  { verbs: ['show', 'set', 'want', 'put', 'none'], roles: 'columns in', run: setColumns },
  { verbs: ['set', 'replace', 'be'], roles: 'object option @in?', run: setOption },
  { verbs: ['enable', 'disable'], roles: 'object @in?', run: setSwitch },
  { verbs: ['set'], roles: 'object switch @in?', run: setSwitch },
]
