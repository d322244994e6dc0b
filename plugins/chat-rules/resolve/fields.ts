import { labelOf } from '../../content/fields.ts'
import type { Noun } from '../frame/noun.ts'
import { sameWords } from '../message/phrases.ts'
import { Ask, ask, type Doubts, reject, rejectDoubtful, Rejected, tryTo } from '../work/ask.ts'
import { type BlockAt, blockOf, currentPage, type FieldAt, onPage, pageOf, type RowAt, type Work } from '../work/work.ts'
import { fieldIn, fieldOf, isLink, ownerOf, ownersIn, valueOf } from './block-fields.ts'
import { findBlock, isParagraph, selectedBlock, touchedBlock } from './blocks.ts'
import { blockChoice, choose } from './choose.ts'
import { findPage } from './pages.ts'
import { findRow, focusedRow, touchedRow } from './rows.ts'

/** The link prop for each label prop of a button. */
export const linkProps: Readonly<Record<string, string>> = { ctaText: 'ctaHref', secondaryCtaText: 'secondaryCtaHref', label: 'href' }

/** Resolves a noun to a field; asks when there is none, or more than one. */
export function findField(work: Work, noun: Noun): FieldAt {
  const field = resolveField(work, noun)
  const isPart = (!noun.owner && field.name !== 'body') || /\n\s*\n/.test(String(valueOf(work, field) ?? ''))
  return isParagraph(noun) && isPart ? reject('means a paragraph of the text') : field
}

function resolveField(work: Work, noun: Noun): FieldAt {
  const { kind, props = [], owner, name } = noun
  if (kind === 'it') return currentField(work)
  if (kind === 'this' || kind === 'thisText') {
    const isBlock = kind === 'this' && work.context.input.selection.blockId !== undefined
    return focusedField(work) ?? (isBlock ? reject('a block is selected') : ask(work.context.texts.noFieldSelected))
  }
  if (kind !== 'field' || noun.isNew || noun.isAll || noun.isBoth || (noun.count ?? noun.n) !== undefined) return reject('not a field')
  if (noun.ord !== undefined && (noun.ord !== 1 || work.lead || selectedBlock(work))) return reject('fields are not numbered')
  const isPagePart = ['title', 'description', 'ctaHref', 'author'].includes(props[0] ?? '') || work.context.language.words.slug.includes(noun.text.toLowerCase())
  if (owner?.kind === 'page' && isPagePart) return reject('means the title or the address of the page')
  if (owner?.kind === 'page' && selectedBlock(work)) return reject('may mean the page or the selection')
  if (owner?.kind === 'page') return findField(onPage(work, findPage(work, owner).slug), { ...noun, owner: undefined })
  if (owner?.kind === 'field' && name) return reject('fields are not nested')
  if (owner?.kind === 'field') return fieldOfField(work, findField(work, owner), props)
  const focused = work.touched || work.lead ? undefined : focusedField(work)
  const secondProp = focused?.name.startsWith('secondaryCta') ? secondButtonProps[props[0] ?? ''] : undefined
  if (focused && secondProp && (!owner || owner.kind === 'this')) {
    return noun.isThis || owner ? fieldOf(work, ownerOf(focused), [secondProp]) : reject('may mean the selected second button')
  }
  const second = owner?.ord === 2 && owner.kind === 'block' && noun.start === owner.start
    ? secondButtonProps[props[0] ?? ''] : undefined
  if (owner && second) return findField(work, { ...noun, props: [second], owner: { ...owner, ord: undefined } })
  if (owner && name) return fieldWithTextIn(work, findOwner(work, owner), props, name.text)
  if (owner) return fieldOfOwner(work, noun, owner, props)
  if (name) return fieldWithText(work, noun, name.text)
  return fieldWithoutOwner(work, noun, props)
}

/** Props for the second button: `the second hero button`. */
const secondButtonProps: Readonly<Record<string, string>> = { ctaText: 'secondaryCtaText', ctaHref: 'secondaryCtaHref' }

/** After `in the hero, …`, `the CTA button` is the button of the hero; `CTA text` is ambiguous. */
function fieldOfOwner(work: Work, noun: Noun, owner: Noun, props: readonly string[]): FieldAt {
  if (owner.kind === 'it' && isAfterImage(work)) return reject('an image has no such field')
  const isButton = owner.types?.includes('CTA') === true && !owner.hasUnit && noun.start === owner.start
  const isOtherBlock = isButton && work.lead !== undefined && blockOf(work, work.lead).type !== 'CTA'
  if (isOtherBlock && work.lead && fieldIn(work, work.lead, ['ctaText'])) return reject('means the button of the current block')
  const field = fieldOf(work, findOwner(work, owner), props)
  const button = isButton && onlyWhereNamed.has(field.name) && field.name !== props[0] ? fieldIn(work, field, ['ctaText']) : undefined
  if (!button) return field
  return ask(work.context.texts.whichCalled(`${owner.text} ${noun.text}`, [field, button].map(({ name, meta }) => labelOf(name, meta))))
}

/** Resolves a noun to a row or a block, rows first. */
export function findOwner(work: Work, noun: Noun): BlockAt | RowAt {
  const row = tryTo(() => findRow(work, noun))
  if (row && !(row instanceof Ask)) return row
  const block = tryTo(() => findBlock(work, noun))
  if (block && !(block instanceof Ask)) return block
  throw row ?? block ?? new Rejected('neither a row nor a block')
}

/** Resolves `it`: the text set by the previous clause, or the label of the button whose link was set. */
function currentField(work: Work): FieldAt {
  const { touchedField, touched } = work
  if (!touched) return focusedField(work) ?? ask(work.context.texts.noFieldSelected)
  if (!touchedField) return reject('no current text')
  const { chunks = [] } = work.previousClause ?? {}
  const isField = chunks.some(({ role, noun }) => role === 'object' && noun?.kind === 'field')
  if (isLink(touchedField.meta) && (touchedField.row || !isField)) return reject('may mean what has the link')
  return buttonOf(work, touchedField)
}

/** Whether the previous clause set an image. */
export const isAfterImage = ({ touchedField }: Work): boolean => touchedField?.meta.kind === 'image'

/** `the text of the button`, `the link of the button`, `the alt text of the image`. */
function fieldOfField(work: Work, of: FieldAt, props: readonly string[]): FieldAt {
  const { kind } = of.meta
  if (props.includes('ctaHref') || props.includes('href')) return linkOf(work, of)
  if (props[0] === 'eyebrow') return fieldOf(work, ownerOf(of), props)
  if (props.includes('imageAlt')) return kind === 'image' ? fieldOf(work, ownerOf(of), props) : reject('only images have alt text')
  const isText = ['text', 'body', 'label'].some((prop) => props.includes(prop)) && ['text', 'html', 'richtext'].includes(kind)
  return isText ? of : reject('the field has no such part')
}

/** The link field of a button. */
export function linkOf(work: Work, field: FieldAt): FieldAt {
  if (isLink(field.meta) && /href$/i.test(field.name)) return field
  const link = linkProps[field.name]
  return (link === undefined ? undefined : fieldIn(work, ownerOf(field), [link])) ?? reject('has no link')
}

/** Finds a field by its current text: `the "Read more" button`; a link by the text of its button. */
export function fieldWithText(work: Work, noun: Noun, text: string): FieldAt {
  const { props = [] } = noun
  const isTarget = props.includes('ctaHref')
  const names = (isTarget ? ['ctaText', 'label', ...props] : props).slice(0, 3)
  const wanted = new Set([...names, ...(isTarget || props[0] === 'ctaText' ? ['secondaryCtaText'] : [])])
  const found = everyOwner(work).flatMap((at) => [...wanted].flatMap((name) => fieldIn(work, at, [name]) ?? []))
    .filter((field) => sameWords(String(valueOf(work, field) ?? ''), text))
  if (found.length === 0) return reject('no field has this text')
  const field = chooseField(work, noun, found, text)
  return isTarget ? linkOf(work, field) : field
}

/** Finds a field of a block or row by its current text. */
function fieldWithTextIn(work: Work, at: BlockAt | RowAt, props: readonly string[], text: string): FieldAt {
  const names = [...props, ...props.flatMap((prop) => secondButtonProps[prop] ?? [])]
  const fields = names.flatMap((prop) => fieldIn(work, at, [prop]) ?? [])
  const hasText = (field: FieldAt) => sameWords(String(valueOf(work, props[0] === 'ctaHref' ? buttonOf(work, field) : field) ?? ''), text)
  return fields.find(hasText) ?? reject('no field there has this text')
}

/** The label of the button that a link belongs to; any other field itself. */
const buttonOf = (work: Work, field: FieldAt): FieldAt => {
  const [button] = Object.entries(linkProps).find(([, link]) => link === field.name) ?? []
  return (button === undefined ? undefined : fieldIn(work, ownerOf(field), [button])) ?? field
}

function everyOwner(work: Work): readonly (BlockAt | RowAt)[] {
  const slug = currentPage(work)
  const blocks = pageOf(work, slug).blocks.filter(({ id }) => !work.lead || id === work.lead.id)
  return blocks.flatMap(({ id }) => ownersIn(work, { slug, id }))
}

/** The selected field, if it still exists. */
export function focusedField(work: Work): FieldAt | undefined {
  if (work.isUnclear) return undefined
  const { selection } = work.context.input
  const row = focusedRow(work)
  const name = /^(?:\w+\[\d{1,6}\]\.)?(\w+)$/.exec(selection.path ?? '')?.[1]
  const at = selectedBlock({ ...work, slug: selection.slug })
  return name === undefined || !at ? undefined : fieldIn(work, row ?? at, [name])
}

/** Fields that default to those of the hero. */
const heroFields: ReadonlySet<string> = new Set(['heading', 'subheading', 'eyebrow'])

/** Props that a general noun such as `link` or `text` means only if their block is named. */
const onlyWhereNamed: ReadonlySet<string> = new Set(['src', 'description'])

const textKinds: ReadonlySet<string> = new Set(['text', 'html', 'richtext'])
const generalProps: ReadonlySet<string> = new Set(['title', 'description', 'body', 'text', 'label', 'caption', 'subtitle'])

/** Props of nouns that may mean any text of the page. */
const anyText: ReadonlySet<string> = new Set(['text', 'body', 'content'])

function fieldWithoutOwner(work: Work, noun: Noun, names: readonly string[]): FieldAt {
  const slug = currentPage(work)
  const { texts } = work.context
  if (work.isUnclear && !work.lead) ask(texts.nothingSelected)
  const selected = selectedBlock(work)
  const query = { work, noun, names, slug, selected }
  rejectDoubtful(doubts, query)
  const linked = work.touchedField && names[0] === 'ctaHref' ? linkProps[work.touchedField.name] : undefined
  const near = [touchedRow(work), touchedBlock(work), ...(work.lead ? [work.lead] : [focusedRow(work), selected])].filter((at) => at?.slug === slug)
  for (const at of work.draft.page(slug) ? near : []) {
    const field = at && fieldIn(work, at, linked === undefined ? names : [linked, ...names])
    if (at) rejectDoubtful(nearDoubts, { ...query, at, field })
    if (field) return field
  }
  rejectDoubtful(farDoubts, query)
  const blocks = pageOf(work, slug).blocks.map(({ id, type }) => ({ slug, id, type }))
  const [hero, ...heroes] = heroFields.has(names[0] ?? '') ? blocks.filter(({ type }) => type === 'Hero') : []
  if (hero && heroes.length === 0) return fieldOf(work, hero, names)
  const found = blocks.map((at) => fieldIn(work, at, names)).filter((field) => field !== undefined)
    .filter(({ name }) => name === names[0] || !onlyWhereNamed.has(name))
  if (found.length === 0) ask(texts.noFieldHere(noun.text, pageOf(work, slug).title))
  const { currentText } = noun
  const filled = found.filter((field) => {
    const value = valueOf(work, field) ?? ''
    return currentText === undefined ? value !== '' : sameWords(String(value), currentText)
  })
  const [only, ...others] = filled
  if (!only || others.length > 0) return chooseField(work, noun, found, noun.text)
  return anyText.has(names[0] ?? '') && currentText === undefined ? ask(texts.noFieldSelected) : only
}

interface FieldQuery {
  readonly work: Work
  readonly noun: Noun
  readonly names: readonly string[]
  readonly slug: string
  readonly selected: BlockAt | undefined
}

const isAmong = ({ names: [first = ''] }: FieldQuery, among: ReadonlySet<string>): boolean => among.has(first)

/** Whether the previous clause was about the metadata of a page, or about a page and `its` field comes next. */
const isOfPage = ({ work: { previousClause: clause }, noun, names: [first = ''] }: FieldQuery): boolean =>
  (noun.isIts === true || generalProps.has(first))
  && clause?.chunks.some(({ noun: other }) => other?.kind === 'meta' || (other?.kind === 'page' && noun.isIts === true)) === true

/** Whether the previous clause was about the name or the logo of the site. */
const isAfterSite = ({ work: { previousClause: clause }, names }: FieldQuery): boolean => {
  const kinds = ['logo', 'siteName', 'site', ...(names.includes('imageAlt') ? ['meta'] : [])]
  return clause?.chunks.some(({ noun }) => noun !== undefined && kinds.includes(noun.kind)) === true
}

/** Checked before the search. */
const doubts: Doubts<FieldQuery> = [
  ['may mean the page of the previous clause', (query) => query.work.isOnOtherPage === true
    || (query.work.touched && query.work.touched.slug !== query.slug) === true || isOfPage(query)],
  ['may mean a part of the logo or the site', (query) => isAfterSite(query) && query.names[0] !== 'heading'],
  ['may mean the page or the selection', ({ selected, noun }) => selected !== undefined && /^(?:main|haupt)/i.test(noun.text)],
  ['may mean the address of the page', ({ noun }) => /^url$/i.test(noun.text)],
]

const imageParts: ReadonlySet<string> = new Set(['imageAlt', 'imagePosition', 'caption'])

interface NearQuery extends FieldQuery {
  readonly at: BlockAt | RowAt
  readonly field: FieldAt | undefined
}

/** Checked for the current and the selected block or row. */
const nearDoubts: Doubts<NearQuery> = [
  ['the row has no such field', (query) => !query.field && 'listKey' in query.at
    && (query.work.lead?.id === query.at.id || (isAmong(query, generalProps) && query.selected?.id === query.at.id))],
  ['may mean the headline of the page', (query) => query.field !== undefined && query.field.name !== query.names[0]
    && query.at.id === touchedBlock(query.work)?.id && !query.work.lead && !query.noun.isIts
    && isAmong(query, heroFields) && pageOf(query.work, query.slug).blocks.some(({ type }) => type === 'Hero')],
  ['may mean a part of the image', ({ work, noun, names: [first = ''] }) => isAfterImage(work)
    && (first === 'ctaHref' || (noun.isIts === true && !imageParts.has(first)))],
  ['the selected row has no such field', ({ work, names, field }) => field !== undefined && !field.row
    && field.name !== names[0] && !work.touched && !work.lead && focusedRow(work) !== undefined],
  ['another text is selected', ({ work, names, field }) => {
    const focused = names[0] === 'text' && !work.touched && !work.lead ? focusedField(work) : undefined
    return field !== undefined && focused !== undefined && focused.name !== field.name && textKinds.has(focused.meta.kind)
  }],
]

/** Checked for the rest of the page. */
const farDoubts: Doubts<FieldQuery> = [
  ['the current block has no such field', ({ work }) => work.lead !== undefined],
  ['may mean the block of the previous clause', ({ work, slug, names }) => touchedBlock(work)?.slug === slug && work.touchedField !== undefined && names[0] !== 'heading'],
  ['the selection has no such field', ({ work, selected, slug }) => selected?.slug === slug && !work.touched],
]

function chooseField(work: Work, noun: Noun, found: readonly FieldAt[], name: string): FieldAt {
  const { texts, language: { phrases } } = work.context
  return choose(work, noun, found, {
    toChoice: (field) => {
      const { id, label, words } = blockChoice(work, field)
      return { id, label, ...(words !== undefined && { words: phrases.fieldOf(noun.text, words) }) }
    },
    question: (labels) => (noun.name ? texts.whichCalled(name, labels) : texts.whichOne(name, labels)),
  })
}
