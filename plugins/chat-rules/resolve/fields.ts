import { effectiveItemFields, isDeclaredList, isInternal, labelOf } from '../../content/fields.ts'
import type { Fields, Props } from '../../content/model.ts'
import { ownValue, perObject } from '../../content/plain-object.ts'
import { labelledRows } from '../frame/names.ts'
import type { Noun } from '../frame/nouns.ts'
import { sameWords } from '../message/phrases.ts'
import { Ask, ask, type Doubts, refuseDoubtful, tryTo, Unfit, unfit } from '../work/ask.ts'
import { type BlockAt, blockOf, type FieldAt, fieldsOf, onPage, pageInMind, pageOf, type RowAt, type Work } from '../work/work.ts'
import { findBlock, isParagraph, selectedBlock, touchedBlock } from './blocks.ts'
import { blockChoice, choose } from './choose.ts'
import { findPage } from './pages.ts'
import { findRow, focusedRow, rowAt, touchedRow } from './rows.ts'

/** Which prop holds the address of a button. */
export const linkProps: Readonly<Record<string, string>> = { ctaText: 'ctaHref', secondaryCtaText: 'secondaryCtaHref', label: 'href' }

/** The field that words mean; asks when there is none, or more than one. */
export function findField(work: Work, noun: Noun): FieldAt {
  const field = fieldMeant(work, noun)
  const isPart = isParagraph(noun) && /\n\s*\n/.test(String(valueOf(work, field) ?? ''))
  return isPart ? unfit('a paragraph of the text is meant') : field
}

function fieldMeant(work: Work, noun: Noun): FieldAt {
  const { kind, props = [], owner, name } = noun
  if (kind === 'it') return fieldInMind(work)
  if (kind === 'this' || kind === 'thisText') {
    const isBlock = kind === 'this' && work.scene.input.selection.blockId !== undefined
    return focusedField(work) ?? (isBlock ? unfit('a block is selected') : ask(work.scene.texts.noFieldSelected))
  }
  if (kind !== 'field' || noun.isNew || noun.isAll || noun.isBoth || (noun.count ?? noun.n) !== undefined) return unfit('no field is meant')
  if (noun.ord !== undefined && (noun.ord !== 1 || work.lead || selectedBlock(work))) return unfit('fields have no numbers')
  const isPagePart = ['title', 'description', 'ctaHref'].includes(props[0] ?? '') || work.scene.language.words.slug.includes(noun.text.toLowerCase())
  if (owner?.kind === 'page' && isPagePart) return unfit('the title or the address of the page is meant')
  if (owner?.kind === 'page' && selectedBlock(work)) return unfit('of the page, or of what is selected')
  if (owner?.kind === 'page') return findField(onPage(work, findPage(work, owner).slug), { ...noun, owner: undefined })
  if (owner?.kind === 'field' && name) return unfit('a field holds no other')
  if (owner?.kind === 'field') return fieldOfField(work, findField(work, owner), props)
  const focused = work.touched || work.lead ? undefined : focusedField(work)
  const selectedOne = focused?.name.startsWith('secondaryCta') ? secondOf[props[0] ?? ''] : undefined
  if (focused && selectedOne && (!owner || owner.kind === 'this')) {
    return noun.isThis || owner ? fieldOf(work, ownerOf(focused), [selectedOne]) : unfit('the second button is selected')
  }
  const second = owner?.ord === 2 && owner.kind === 'block' && noun.start === owner.start ? secondOf[props[0] ?? ''] : undefined
  if (owner && second) return findField(work, { ...noun, props: [second], owner: { ...owner, ord: undefined } })
  if (owner && name) return fieldShowingIn(work, findOwner(work, owner), props, name.text)
  if (owner) return fieldSaidOf(work, noun, owner, props)
  if (name) return fieldShowing(work, noun, name.text)
  return fieldAlone(work, noun, props)
}

/** `The second hero button` is the second button of the hero. */
const secondOf: Readonly<Record<string, string>> = { ctaText: 'secondaryCtaText', ctaHref: 'secondaryCtaHref' }

/** Behind `in the hero, …`, `the CTA button` is the button of the hero; `CTA text` may be two things. */
function fieldSaidOf(work: Work, noun: Noun, owner: Noun, props: readonly string[]): FieldAt {
  const isButton = owner.types?.includes('CTA') === true && !owner.hasUnit && noun.start === owner.start
  const isOther = isButton && work.lead !== undefined && blockOf(work, work.lead).type !== 'CTA'
  if (isOther && work.lead && fieldIn(work, work.lead, ['ctaText'])) return unfit('the button of the block that is talked about is meant')
  const field = fieldOf(work, findOwner(work, owner), props)
  const button = isButton && onlyWhereNamed.has(field.name) && field.name !== props[0] ? fieldIn(work, field, ['ctaText']) : undefined
  if (!button) return field
  return ask(work.scene.texts.whichCalled(`${owner.text} ${noun.text}`, [field, button].map(({ name, meta }) => labelOf(name, meta))))
}

/** The row or the block that words mean; rows are tried first. */
export function findOwner(work: Work, noun: Noun): BlockAt | RowAt {
  const row = tryTo(() => findRow(work, noun))
  if (row && !(row instanceof Ask)) return row
  const block = tryTo(() => findBlock(work, noun))
  if (block && !(block instanceof Ask)) return block
  throw row ?? block ?? new Unfit('neither a row nor a block is meant')
}

/** After a clause that set a text: that text; of a link, the text of its button. */
function fieldInMind(work: Work): FieldAt {
  const { touchedField, touched } = work
  if (!touched) return focusedField(work) ?? ask(work.scene.texts.noFieldSelected)
  if (!touchedField) return unfit('no text is talked about')
  const [text] = Object.entries(linkProps).find(([, link]) => link === touchedField.name) ?? []
  return (text === undefined ? undefined : fieldIn(work, ownerOf(touchedField), [text])) ?? touchedField
}

export const ownerOf = ({ slug, id, row }: FieldAt): BlockAt | RowAt => (row ? { slug, id, ...row } : { slug, id })

/** `the text of the button`, `the link of the button`, `the alt text of the image`. */
function fieldOfField(work: Work, of: FieldAt, props: readonly string[]): FieldAt {
  const { kind } = of.meta
  if (props.includes('ctaHref') || props.includes('href')) return linkOf(work, of)
  if (props[0] === 'eyebrow') return fieldOf(work, ownerOf(of), props)
  if (props.includes('imageAlt')) return kind === 'image' ? fieldOf(work, ownerOf(of), props) : unfit('only an image has a description')
  const isText = ['text', 'body', 'label'].some((prop) => props.includes(prop)) && ['text', 'html', 'richtext'].includes(kind)
  return isText ? of : unfit('the field has no such part')
}

export const isLink = ({ kind }: FieldAt['meta']): boolean => kind === 'url' || kind === 'link'

/** Where a button leads. */
export function linkOf(work: Work, field: FieldAt): FieldAt {
  if (isLink(field.meta) && /href$/i.test(field.name)) return field
  const link = linkProps[field.name]
  return (link === undefined ? undefined : fieldIn(work, ownerOf(field), [link])) ?? unfit('what is meant leads nowhere')
}

/** The field that says so now: `the "Read more" button`; of a link, that of the button. */
export function fieldShowing(work: Work, noun: Noun, text: string): FieldAt {
  const { props = [] } = noun
  const isTarget = props.includes('ctaHref')
  const names = (isTarget ? ['ctaText', 'label', ...props] : props).slice(0, 3)
  const wanted = new Set([...names, ...(isTarget || props[0] === 'ctaText' ? ['secondaryCtaText'] : [])])
  const found = everyOwner(work).flatMap((at) => [...wanted].flatMap((name) => fieldIn(work, at, [name]) ?? []))
    .filter((field) => sameWords(String(valueOf(work, field) ?? ''), text))
  if (found.length === 0) return unfit('nothing says so')
  const field = chooseField(work, noun, found, text)
  return isTarget ? linkOf(work, field) : field
}

/** The field of a block or a row that says so now. */
function fieldShowingIn(work: Work, at: BlockAt | RowAt, props: readonly string[], text: string): FieldAt {
  const names = [...props, ...props.flatMap((prop) => secondOf[prop] ?? [])]
  const fields = names.flatMap((prop) => fieldIn(work, at, [prop]) ?? [])
  const shows = (field: FieldAt) => sameWords(String(valueOf(work, props[0] === 'ctaHref' ? buttonOf(work, field) : field) ?? ''), text)
  return fields.find(shows) ?? unfit('nothing there says so')
}

const buttonOf = (work: Work, field: FieldAt): FieldAt => {
  const [button] = Object.entries(linkProps).find(([, link]) => link === field.name) ?? []
  return (button === undefined ? undefined : fieldIn(work, ownerOf(field), [button])) ?? field
}

function everyOwner(work: Work): readonly (BlockAt | RowAt)[] {
  const slug = pageInMind(work)
  return pageOf(work, slug).blocks.filter(({ id }) => !work.lead || id === work.lead.id).flatMap((block): readonly (BlockAt | RowAt)[] =>
    [{ slug, id: block.id }, ...labelledRows(block).map(({ listKey, index }) => ({ slug, id: block.id, listKey, index }))])
}

/** The field that is selected, where it still exists. */
export function focusedField(work: Work): FieldAt | undefined {
  const { selection } = work.scene.input
  const row = focusedRow(work)
  const name = /^(?:\w+\[\d{1,6}\]\.)?(\w+)$/.exec(selection.path ?? '')?.[1]
  const at = selectedBlock({ ...work, slug: selection.slug })
  return name === undefined || !at ? undefined : fieldIn(work, row ?? at, [name])
}

/** The first of these fields that a block or a row has. */
export const fieldOf = (work: Work, at: BlockAt | RowAt, names: readonly string[]): FieldAt => fieldIn(work, at, names) ?? unfit('there is no such field')

/** The value of a field as it is now. */
export function valueOf(work: Work, { slug, id, row, name }: FieldAt): unknown {
  const props: Props = row ? rowAt(work, { slug, id, ...row }) : blockOf(work, { slug, id }).props
  return ownValue(props, name)
}

/** The fields of a block, or of one of its rows, that hold one value. */
export function scalarFields(work: Work, at: BlockAt | RowAt): Fields {
  const fields = fieldsOf(work, blockOf(work, at))
  if (!('listKey' in at)) return scalarsAmong(fields)
  const list = fields[at.listKey]
  return list ? scalarsAmong(effectiveItemFields(list, rowAt(work, at))) : {}
}

/** By the fields of a type, which thousands of blocks may share. */
const scalarsAmong = perObject((fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([name, meta]) =>
  !isDeclaredList(meta) && !isInternal(name, meta) && meta.kind !== 'headingLevel')))

export function fieldIn(work: Work, at: BlockAt | RowAt, names: readonly string[]): FieldAt | undefined {
  const fields = scalarFields(work, at)
  const isOne = (candidate: string) => Object.hasOwn(fields, candidate) && (names[0] !== 'imageUrl' || fields[candidate]?.kind === 'image')
  // A row of many kinds has the field that it fills.
  const row = 'listKey' in at ? rowAt(work, at) : {}
  const name = names.find((candidate) => isOne(candidate) && Object.hasOwn(row, candidate)) ?? names.find(isOne)
  const meta = name === undefined ? undefined : fields[name]
  if (name === undefined || !meta) return undefined
  const { slug, id } = at
  return { slug, id, name, meta, ...('listKey' in at && { row: { listKey: at.listKey, index: at.index } }) }
}

/** Words for the fields that only the opening of a page has. */
const heroFields: ReadonlySet<string> = new Set(['heading', 'subheading', 'eyebrow'])

/** Props that a general word such as `link` or `text` means only where their block is named. */
const onlyWhereNamed: ReadonlySet<string> = new Set(['src', 'description'])

const written: ReadonlySet<string> = new Set(['text', 'html', 'richtext'])
const general: ReadonlySet<string> = new Set(['title', 'description', 'body', 'text', 'label', 'caption', 'subtitle'])

function fieldAlone(work: Work, noun: Noun, names: readonly string[]): FieldAt {
  const slug = pageInMind(work)
  const { texts } = work.scene
  if (work.isUnclear && !work.lead) ask(texts.nothingSelected)
  const selected = selectedBlock(work)
  const wanted = { work, noun, names, slug, selected }
  refuseDoubtful(doubts, wanted)
  const linked = work.touchedField && names[0] === 'ctaHref' ? linkProps[work.touchedField.name] : undefined
  const near = [touchedRow(work), touchedBlock(work), ...(work.lead ? [work.lead] : [focusedRow(work), selected])].filter((at) => at?.slug === slug)
  for (const at of work.draft.page(slug) ? near : []) {
    const field = at && fieldIn(work, at, linked === undefined ? names : [linked, ...names])
    if (at) refuseDoubtful(nearDoubts, { ...wanted, at, field })
    if (field) return field
  }
  refuseDoubtful(farDoubts, wanted)
  const blocks = pageOf(work, slug).blocks.map(({ id, type }) => ({ slug, id, type }))
  const [hero, ...heroes] = heroFields.has(names[0] ?? '') ? blocks.filter(({ type }) => type === 'Hero') : []
  if (hero && heroes.length === 0) return fieldOf(work, hero, names)
  const found = blocks.map((at) => fieldIn(work, at, names)).filter((field) => field !== undefined)
    .filter(({ name }) => name === names[0] || !onlyWhereNamed.has(name))
  if (found.length === 0) ask(texts.noFieldHere(noun.text, pageOf(work, slug).title))
  const { was } = noun
  const filled = found.filter((field) => {
    const value = valueOf(work, field) ?? ''
    return was === undefined ? value !== '' : sameWords(String(value), was)
  })
  const [only, ...others] = filled
  return only && others.length === 0 ? only : chooseField(work, noun, found, noun.text)
}

interface Wanted {
  readonly work: Work
  readonly noun: Noun
  readonly names: readonly string[]
  readonly slug: string
  readonly selected: BlockAt | undefined
}

const isNamed = ({ names: [first = ''] }: Wanted, among: ReadonlySet<string>): boolean => among.has(first)

/** Whether the clause before was about a part of a page, or about a page whose heading comes next. */
const isOfPage = ({ work: { clause }, noun, names: [first = ''] }: Wanted): boolean => (noun.isIts === true || general.has(first))
  && clause?.chunks.some(({ noun: said }) => said?.kind === 'meta' || (said?.kind === 'page' && noun.isIts === true)) === true

/** Before anything is looked at. */
const doubts: Doubts<Wanted> = [
  ['the page of the clause before may be meant', (it) => it.work.isElsewhere === true || (it.work.touched && it.work.touched.slug !== it.slug) === true || isOfPage(it)],
  ['that of the page, or of what is selected', ({ selected, noun }) => selected !== undefined && /^(?:main|haupt)/i.test(noun.text)],
  ['the address of the page may be meant', ({ noun }) => /^url$/i.test(noun.text)],
]

interface Near extends Wanted {
  readonly at: BlockAt | RowAt
  readonly field: FieldAt | undefined
}

/** At what is talked about or selected. */
const nearDoubts: Doubts<Near> = [
  ['the row has no such field', (it) => !it.field && 'listKey' in it.at && (it.work.lead?.id === it.at.id || (isNamed(it, general) && it.selected?.id === it.at.id))],
  ['the headline of the page may be meant', (it) => it.field !== undefined && it.field.name !== it.names[0] && it.at.id === touchedBlock(it.work)?.id && !it.work.lead && !it.noun.isIts
    && isNamed(it, heroFields) && pageOf(it.work, it.slug).blocks.some(({ type }) => type === 'Hero')],
  ['another text is selected', ({ work, names, field }) => {
    const focused = names[0] === 'text' && !work.touched && !work.lead ? focusedField(work) : undefined
    return field !== undefined && focused !== undefined && focused.name !== field.name && written.has(focused.meta.kind)
  }],
]

/** Elsewhere on the page. */
const farDoubts: Doubts<Wanted> = [
  ['the block that is talked about has no such field', ({ work }) => work.lead !== undefined],
  ['the block of the clause before may be meant', ({ work, slug, names }) => touchedBlock(work)?.slug === slug && work.touchedField !== undefined && names[0] !== 'heading'],
  ['what is selected has no such field', ({ work, selected, slug }) => selected?.slug === slug && !work.touched],
]

function chooseField(work: Work, noun: Noun, found: readonly FieldAt[], said: string): FieldAt {
  const { texts, language: { phrases } } = work.scene
  return choose(work, noun, found, {
    toChoice: (field) => {
      const { id, label, words } = blockChoice(work, field)
      return { id, label, ...(words !== undefined && { words: phrases.fieldOf(noun.text, words) }) }
    },
    question: (labels) => (noun.name ? texts.whichCalled(said, labels) : texts.whichOne(said, labels)),
  })
}
