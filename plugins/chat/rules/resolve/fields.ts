import { effectiveItemFields, isDeclaredList } from '../../../content/fields.ts'
import { isInternal, labelOf } from '../../../content/field-meta.ts'
import type { Fields, Props } from '../../../content/model.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { Ask, unfit } from '../ask.ts'
import type { Node } from '../grammar/node.ts'
import { textBetween } from '../grammar/slots.ts'
import type { Lexicon } from '../lexicon/lexicon.ts'
import {
  blockOf, fieldsOf, onPage, pageInMind, pageOf, touchedRow, type BlockAt, type FieldAt, type RowAt, type Work,
} from '../work.ts'
import { findBlock, isSameName, named, selectedBlock, touchedBlock } from './blocks.ts'
import { findPage } from './pages.ts'
import { blockChoice, choose } from './references.ts'
import { findRow, focusedRow, rowAt } from './rows.ts'
import { labelledRows } from './titles.ts'

/** The field that words mean; asks when there is none, or more than one. */
export function findField(work: Work, node: Node): FieldAt {
  const { field, block, row, page, name, owner } = node.parts
  const names = field?.names ?? []
  switch (node.form) {
    case 'ofRow': return row ? rowField(work, findRow(work, row), names) : unfit('there is no row')
    case 'ofBlock': return block ? fieldSaidOf(page ? onPage(work, findPage(work, page).slug) : work, node, block, names) : unfit('there is no block')
    case 'above': return block && isHeadline(names) ? fieldOfBlock(work, block, names) : unfit('only a headline stands above a block')
    case 'ofAuthor': return fieldOfText(work, node, names, name?.text ?? '')
    case 'showing': return shownField(work, node, names, name?.text ?? '')
    case 'second': return block ? fieldOfBlock(work, block, names.flatMap((prop) => secondOf[prop] ?? []).slice(0, 1)) : unfit('there is no block')
    case 'textOf': return ownText(findField(work, owner ?? unfit('there is no field')))
    case 'linkOf': return linkOf(work, findField(work, owner ?? unfit('there is no field')))
    case 'altOf': return altOf(work, findField(work, owner ?? unfit('there is no field')), names)
    case 'ofText': return fieldOfText(work, node, names, name?.text ?? '')
    case 'ofPage': return page ? fieldOfPage(work, page, node) : unfit('there is no page')
    case 'alone': return fieldAlone(work, node, names)
    default: return inMind(work, node) ?? focusedField(work) ?? noFocus(work)
  }
}

/** The address of a page is no field of it. */
function fieldOfPage(work: Work, page: Node, node: Node): FieldAt {
  const { text = '', names = [] } = node.parts['field'] ?? {}
  if (work.scene.lexicon.words['slug']?.includes(text)) return unfit('the address of the page is meant')
  return fieldAlone(onPage(work, findPage(work, page).slug), node, names)
}

const isHeadline = ([first = '']: readonly string[]) => first === 'heading' || first === 'title'

/** What is called the second one of a block. */
const secondOf: Readonly<Record<string, string>> = { ctaText: 'secondaryCtaText', ctaHref: 'secondaryCtaHref' }

/** `it`, after a clause that set a text: that text; after one that set a link, the text of its button. */
function inMind(work: Work, { start, end }: Node): FieldAt | undefined {
  const { touchedField, touched, scene: { lexicon, parser: { tokens } } } = work
  const isIt = end - start === 1 && (lexicon.words['it'] ?? []).includes(tokens[start]?.word ?? '')
  if (!isIt || !touched) return undefined
  if (!touchedField) return unfit('no text is talked about')
  const [text] = Object.entries(linkProps).find(([, link]) => link === touchedField.name) ?? []
  return (text === undefined ? undefined : fieldIn(work, ownerOf(touchedField), [text])) ?? touchedField
}

const ownerOf = ({ slug, id, row }: FieldAt): BlockAt | RowAt => (row ? { slug, id, ...row } : { slug, id })

/** The text of a field is the field itself; a picture and a link have none. */
const ownText = (field: FieldAt): FieldAt =>
  (['text', 'html', 'richtext'].includes(field.meta.kind) ? field : unfit('what is meant has no text'))

function linkOf(work: Work, field: FieldAt): FieldAt {
  if (field.meta.kind === 'url' || field.meta.kind === 'link') return field
  const link = linkProps[field.name]
  return (link === undefined ? undefined : fieldIn(work, ownerOf(field), [link])) ?? unfit('what is meant leads nowhere')
}

/** The description of a picture. */
function altOf(work: Work, field: FieldAt, names: readonly string[]): FieldAt {
  const alt = field.meta.kind === 'image' ? fieldIn(work, ownerOf(field), names) : undefined
  return alt?.meta.kind === 'imageAlt' ? alt : unfit('only a picture has a description')
}

/** The field that says so now; `the "Read more" link` is the one behind that text. */
function shownField(work: Work, node: Node, names: readonly string[], text: string): FieldAt {
  const field = fieldShowing(work, node, text)
  const link = linkProps[field.name]
  return link !== undefined && (link === names[0] || link === secondOf[names[0] ?? '']) ? linkOf(work, field) : field
}

/** The field that says so now: `the "Read more" button`; of a link, the text of its button. */
export function fieldShowing(work: Work, node: Node, text: string): FieldAt {
  const names = node.parts['field']?.names ?? ['ctaHref']
  const buttons = Object.entries(linkProps).filter(([, link]) => link === names[0] || link === secondOf[names[0] ?? '']).map(([name]) => name)
  const props = [...new Set([...names.slice(0, 2), ...names.flatMap((name) => secondOf[name] ?? []), ...buttons])]
  const blocks = pageOf(work, pageInMind(work)).blocks
  const owners = blocks.flatMap(({ id, props: own }): readonly (BlockAt | RowAt)[] => [
    { slug: work.slug, id }, ...labelledRows({ id, type: '', props: own }).map(({ listKey, index }) => ({ slug: work.slug, id, listKey, index })),
  ])
  const found = owners.flatMap((at) => props.map((name) => fieldIn(work, at, [name]))).filter((field) => field !== undefined)
    .filter((field) => isSameName(String(valueOf(work, field) ?? ''), text))
  if (found.length === 0) unfit('nothing says so')
  return chooseField(work, node, found)
}

/** The field that is selected, where it still exists. */
export function focusedField(work: Work): FieldAt | undefined {
  const { selection } = work.scene.input
  const row = focusedRow(work)
  const name = /^(?:\w+\[\d{1,6}\]\.)?(\w+)$/.exec(selection.path ?? '')?.[1]
  const at = selectedBlock({ ...work, slug: selection.slug })
  if (name === undefined || !at || !work.draft.page(at.slug)) return undefined
  return row ? fieldIn(work, row, [name]) : fieldIn(work, at, [name])
}

/** The first of these fields that a block has. */
export function blockField(work: Work, at: BlockAt, names: readonly string[]): FieldAt {
  return fieldIn(work, at, names) ?? unfit('the block has no such field')
}

/** The first of these fields that a block or a row has. */
export function fieldOf(work: Work, at: BlockAt | RowAt, names: readonly string[]): FieldAt {
  return fieldIn(work, at, names) ?? unfit('there is no such field')
}

/** The first of these fields that a row has. */
export function rowField(work: Work, at: RowAt, names: readonly string[]): FieldAt {
  return fieldIn(work, at, names) ?? unfit('the row has no such field')
}

/** The value of a field as it is now. */
export function valueOf(work: Work, { slug, id, row, name }: FieldAt): unknown {
  const props: Props = row ? rowAt(work, { slug, id, ...row }) : blockOf(work, { slug, id }).props
  return ownValue(props, name)
}

/** The fields of a block, or of one of its rows, that hold one value. */
export function scalarFields(work: Work, at: BlockAt | RowAt): Fields {
  const fields = fieldsOf(work, blockOf(work, at))
  const list = 'listKey' in at ? fields[at.listKey] : undefined
  const own = 'listKey' in at ? (list ? effectiveItemFields(list, rowAt(work, at)) : {}) : fields
  return scalarsAmong(own)
}

/** By the fields of a type, which thousands of blocks may share. */
const scalars = new WeakMap<Fields, Fields>()

function scalarsAmong(fields: Fields): Fields {
  const known = scalars.get(fields)
  if (known) return known
  const found = Object.fromEntries(Object.entries(fields).filter(([name, meta]) =>
    !isDeclaredList(meta) && !isInternal(name, meta) && meta.kind !== 'headingLevel'))
  scalars.set(fields, found)
  return found
}

function fieldIn(work: Work, at: BlockAt | RowAt, names: readonly string[]): FieldAt | undefined {
  const fields = scalarFields(work, at)
  const isMeant = (candidate: string): boolean => Object.hasOwn(fields, candidate) && (names[0] !== 'imageUrl' || fields[candidate]?.kind === 'image')
  const name = names.find(isMeant)
  const meta = name === undefined ? undefined : fields[name]
  if (name === undefined || !meta) return undefined
  const { slug, id } = at
  return { slug, id, name, meta, ...('listKey' in at && { row: { listKey: at.listKey, index: at.index } }) }
}

/** After `in the hero, …` the words `cta button` mean the button of the hero. */
function fieldOfBlock(work: Work, block: Node, names: readonly string[]): FieldAt {
  const type = (block.parts['at'] ?? block).parts['type']
  const isCallToAction = type?.names?.includes('CTA') && !block.parts['page']
  if (work.lead && isCallToAction && fieldIn(work, work.lead, ['ctaText']) && blockOf(work, work.lead).type !== 'CTA') {
    unfit('the button of the block that is talked about is meant')
  }
  return blockField(work, findBlock(work, block), names)
}

/** The field that is named with its block; asks where the same words are the name of another field of it. */
function fieldSaidOf(work: Work, node: Node, block: Node, names: readonly string[]): FieldAt {
  const field = fieldOfBlock(work, block, names)
  const at = { slug: field.slug, id: field.id }
  const { type } = (block.parts['at'] ?? block).parts
  const other = type && fieldIn(work, at, otherNames(work, type, node.parts['field']))
  if (!other || other.name === field.name) return field
  const { texts, lexicon: { phrases, fieldNouns } } = work.scene
  return choose(work, node, [field, other], {
    toChoice: ({ name, meta }) => ({ id: name, label: labelOf(name, meta), words: phrases.fieldOf(nounFor(fieldNouns, name), blockChoice(work, at).words ?? '') }),
    inquiry: (choices) => ({ question: texts.whichCalled(textBetween(work.scene.parser, type.start, node.end), choices.map(({ label }) => label)) }),
  })
}

/** `CTA text` may be the text of a section, and is the name of a field as well. */
const otherNames = ({ scene: { parser: { tokens }, vocabulary } }: Work, { start }: Node, field: Node | undefined): readonly string[] =>
  vocabulary.fieldNames.find(tokens, start).find(({ end }) => end === field?.end)?.value ?? []

/** What a field is called, before anything else. */
const nounFor = (fieldNouns: Lexicon['fieldNouns'], prop: string): string => Object.entries(fieldNouns).find(([, [first]]) => first === prop)?.[0] ?? prop

/** The answer to a question: the row is named by a text alone. */
function fieldOfText(work: Work, node: Node, names: readonly string[], text: string): FieldAt {
  const isCalled = named(text)
  const rows = pageOf(work, work.slug).blocks.flatMap((block) => labelledRows(block)
    .filter(({ labels }) => labels.some(isCalled))
    .map(({ listKey, index }): RowAt => ({ slug: work.slug, id: block.id, listKey, index })))
  const found = rows.map((row) => fieldIn(work, row, names)).filter((field) => field !== undefined)
  if (found.length === 0) unfit('no row is called so')
  return chooseField(work, node, found)
}

/** Words for the fields that only the opening of a page has. */
const heroFields: ReadonlySet<string> = new Set(['heading', 'subheading', 'eyebrow'])

function fieldAlone(work: Work, node: Node, names: readonly string[]): FieldAt {
  pageInMind(work)
  if (work.isUnclear && !work.lead) throw new Ask({ question: work.scene.texts.nothingSelected })
  const linked = linkOfTouched(work, node)
  if (linked) return linked
  const near = [touchedRow(work), touchedBlock(work), work.lead, focusedRow(work), selectedBlock(work)]
  const isHere = (at: BlockAt) => at.slug === work.slug && work.draft.page(at.slug) !== undefined
  for (const at of near) {
    const field = at && isHere(at) ? fieldIn(work, at, names) : undefined
    if (field) return field
  }
  const blocks = pageOf(work, work.slug).blocks.map((block) => ({ slug: work.slug, id: block.id, type: block.type }))
  const heroes = heroFields.has(names[0] ?? '') ? blocks.filter(({ type }) => type === 'Hero') : []
  const [hero] = heroes
  if (heroes.length === 1 && hero) return blockField(work, hero, names)
  const found = blocks.map(({ slug, id }) => fieldIn(work, { slug, id }, names)).filter((field) => field !== undefined).filter((field) => !isFar(field, names))
  if (found.length === 0) {
    throw new Ask({ question: work.scene.texts.noFieldHere(node.parts['field']?.text ?? '', pageOf(work, work.slug).title) })
  }
  const filled = found.filter((field) => ![undefined, null, ''].some((empty) => valueOf(work, field) === empty))
  const [only] = filled
  return found.length > 1 && filled.length === 1 && only ? only : chooseField(work, node, found)
}

/** Props that a general word such as `link` or `text` means only where their block is named: nobody else thinks of them. */
const onlyWhereNamed: ReadonlySet<string> = new Set(['src', 'description'])

const isFar = ({ name }: FieldAt, [first]: readonly string[]): boolean => name !== first && onlyWhereNamed.has(name)

/** Which prop holds the address of a button. */
export const linkProps: Readonly<Record<string, string>> = { ctaText: 'ctaHref', secondaryCtaText: 'secondaryCtaHref', label: 'href' }

/** After the text of a second button was set, its link is the one meant. */
function linkOfTouched(work: Work, { parts: { field } }: Node): FieldAt | undefined {
  const { touchedField } = work
  const name = touchedField && linkProps[touchedField.name]
  if (!touchedField || name === undefined || field?.names?.[0] !== 'ctaHref' || name === 'ctaHref') return undefined
  const { slug, id, row } = touchedField
  return fieldIn(work, row ? { slug, id, ...row } : { slug, id }, [name])
}

function chooseField(work: Work, node: Node, found: readonly FieldAt[]): FieldAt {
  const { texts, lexicon: { phrases, fieldNouns } } = work.scene
  const { field: named, name } = node.parts
  const labelsOf = (choices: readonly { readonly label: string }[]) => choices.map(({ label }) => label)
  return choose(work, node, found, {
    toChoice: (field) => {
      const { id, label, words } = blockChoice(work, field)
      return { id, label, ...(words !== undefined && { words: phrases.fieldOf(named?.text ?? nounFor(fieldNouns, field.name), words) }) }
    },
    inquiry: (choices) => ({ question: named ? texts.whichOne(named.text ?? '', labelsOf(choices)) : texts.whichCalled(name?.text ?? '', labelsOf(choices)) }),
  })
}

function noFocus(work: Work): never {
  throw new Ask({ question: work.scene.texts.noFieldSelected })
}
