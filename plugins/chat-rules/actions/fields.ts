import { labelOf } from '../../content/fields.ts'
import { sameJson } from '../../content/same-json.ts'
import { isBeside, type Noun } from '../frame/nouns.ts'
import type { Value } from '../frame/values.ts'
import { sameWords } from '../message/phrases.ts'
import type { Token } from '../message/tokens.ts'
import { findBlock, isParagraph } from '../resolve/blocks.ts'
import { fieldIn, fieldOf, findField, findOwner, focusedField, isLink, ownerOf, scalarFields, valueOf } from '../resolve/fields.ts'
import { findRow } from '../resolve/rows.ts'
import { ask, type Doubts, refuseDoubtful, unfit } from '../work/ask.ts'
import { type BlockAt, blockOf, type FieldAt, type RowAt, type Work } from '../work/work.ts'
import { type Action, inside, type Parts, textOf } from './action.ts'
import { isImageAddress, isPicture, isRequired, isVideo, setText, setValue, write } from './values.ts'

/** What a row is about, the first one it has. */
const mainProps: readonly string[] = ['title', 'q', 'quote', 'label', 'heading', 'caption']

/** `Give the card the picture /a.jpg`: the owner, then its field. */
function giveField(work: Work, { objects: [owner, field, ...others], given }: Parts): Work {
  if (!owner || !given || field?.kind !== 'field' || field.isThis || others.length > 0) return unfit('one field of one thing is given')
  return setValue(work, findField(inside(work, owner), { ...field, isNew: false, isIts: true }), given)
}

/** What is set: a field, the main text of a row, the title of a block, or what a banner and a quote say. */
function target(work: Work, noun: Noun, value: Value, { isRename, isSay }: { readonly isRename: boolean; readonly isSay: boolean }): FieldAt {
  if (noun.isNew) return unfit('this is not there yet')
  if (noun.kind === 'field' || noun.kind === 'thisText') return findField(work, noun)
  if (noun.kind === 'nth') return fieldOf(work, findRow(work, noun), [work.touchedField?.name ?? unfit('no field of a row was set')])
  if ((noun.kind === 'this' || noun.kind === 'it') && isRename && value.form !== 'text' && value.form !== 'quoted' && !focusedField(work) && !work.touchedField) return unfit('no title')
  if (noun.kind === 'this' || noun.kind === 'it') return isRename && !(isSay && work.touchedField) ? titleOr(work, noun) : findField(work, noun)
  const at: BlockAt | RowAt = noun.kind === 'section' ? findBlock(work, noun) : findOwner(work, noun)
  if (isParagraph(noun)) return fieldOf(work, at, ['body'])
  if (!('listKey' in at) && (value.form === 'figure' || value.form === 'address')) return unfit('a number or an address is not a title')
  if (!('listKey' in at)) return ofBlock(work, at, isRename, isSay, value.form === 'quoted')
  const { name } = noun
  const says = (prop: string) => sameWords(String(valueOf(work, fieldOf(work, at, [prop])) ?? ''), name?.text ?? '')
  const named = name && !name.isAuthor && noun.kind !== 'row' ? Object.keys(scalarFields(work, at)).filter(says) : []
  // `Set Boats to 42`: the figure, not what it counts.
  const figure = /^\d/.test(value.text) && name?.isQuoted !== true ? fieldIn(work, at, ['value']) : undefined
  if (noun.kind === 'name' && named.length === 0 && !figure) return unfit('it is called so by a part of its name')
  return figure ?? fieldIn(work, at, named) ?? fieldOf(work, at, /^\d/.test(value.text) ? ['value', ...mainProps] : mainProps)
}

/** `Rename it`: what is selected or was talked about; a text, a row, or the title of a block. */
function titleOr(work: Work, noun: Noun): FieldAt {
  if (noun.kind === 'it' && work.touchedField && isLink(work.touchedField.meta)) return findField(work, noun)
  const focused = noun.kind === 'it' && work.touched ? undefined : focusedField(work)
  if (focused) return focused
  const at = findOwner(work, noun)
  return 'listKey' in at ? fieldOf(work, at, mainProps) : ofBlock(work, at, true, false)
}

function ofBlock(work: Work, at: BlockAt, isRename: boolean, isSay: boolean, isQuotedText = true): FieldAt {
  const { type } = blockOf(work, at)
  const own = type === 'Banner' ? 'text' : type === 'Quote' ? 'quote' : undefined
  if (own !== undefined && isSay) return isQuotedText ? fieldOf(work, at, [own]) : unfit('a text stands in quotes')
  return isRename ? fieldOf(work, at, ['heading', 'title', 'siteName']) : unfit('a block has more than one text')
}

/** What is said to stand there now has to stand there. */
function refuseOther(work: Work, field: FieldAt, old: Value | undefined): void {
  if (old && !sameWords(String(valueOf(work, field) ?? ''), old.text)) ask(work.scene.texts.textNotFound(old.text))
}

function setField(work: Work, parts: Parts, start: Work): Work {
  const { frame: { isNewly, hasVerb }, verbs, object, text, first } = parts
  const value = parts.value ?? text ?? unfit('nothing is given')
  const intro = work.scene.ground.tokens[first('value')?.start ?? -1]
  refuseDoubtful(doubts, { parts, value, intro, verbLast: work.scene.language.verbLast })
  const old = first('from')?.value ?? first('instead')?.value
  const noun = { ...object, ...(isNewly && { isNew: false }), ...(old?.form === 'quoted' && { was: old.text }) }
  const [from] = parts.nouns('from')
  const at = from ? inside(work, from) : work
  const field = target(at, noun, value, { isRename: verbs.includes('rename'), isSay: verbs.includes('say') || verbs.includes('set') || !hasVerb })
  refuseOther(at, field, old)
  refuseDoubtful(fieldDoubts, { parts, value, work: at, field, start })
  return setValue(at, field, value)
}

interface Setting {
  readonly parts: Parts
  readonly value: Value
  /** What stands in front of the value. */
  readonly intro: Token | undefined
  readonly verbLast: boolean
}

const isSwap = ({ parts: { verbs }, intro }: Setting): boolean => verbs.includes('swap') && ['with', 'for', 'mit', 'gegen'].includes(intro?.word ?? '')

/** `"V" should be the headline`. */
const isReversed = ({ parts: { object, text, first } }: Setting): boolean => text !== undefined && (first('text')?.start ?? 0) < object.start
const isMade = ({ parts: { frame, verbs, object, text } }: Setting): boolean => frame.isDuty || (verbs.includes('set') && object.isThe === true && text?.form === 'quoted')

/** Before it is known what is set. */
const doubts: Doubts<Setting> = [
  ['it is by somebody', ({ value, intro }) => intro?.word === 'by' && value.form === 'text' && / (?:to|into) /.test(value.text)],
  ['two things change places', (it) => isSwap(it) && (it.parts.object.kind !== 'field' || it.value.form !== 'quoted')],
  ['this may be a remark', ({ parts: { verbs, value, object }, intro, verbLast }) => verbs.length === 0 && (value ? intro?.kind !== 'sign' : verbLast || object.isThe === true || object.isThis === true)],
  ['which of its texts is open', ({ parts: { frame, object }, value, intro }) => frame.hasVerb && intro?.word === ':' && value.form !== 'quoted' && ['name', 'block', 'section'].includes(object.kind)],
  ['this may be a style', ({ parts: { verbs }, value, intro, verbLast }) => verbLast && value.form === 'text' && ['in', 'zu'].includes(intro?.word ?? '') && !verbs.includes('replace') && !verbs.includes('rename')],
  ['a place is meant', (it) => isReversed(it) && (it.parts.object.kind !== 'field' || !isMade(it))],
  ['two places are named', ({ parts: { object, has } }) => object.owner?.kind === 'page' && has('in')],
  ['a field has no parts', ({ parts: { nouns } }) => nouns('from')[0]?.kind === 'field'],
]

interface FieldSetting extends Pick<Setting, 'parts' | 'value'> {
  readonly work: Work
  readonly field: FieldAt
  readonly start: Work
}

const isSaid = ({ parts: { frame, verbs } }: FieldSetting): boolean => frame.isDuty && verbs[0] === 'say'

/** Once it is known. */
const fieldDoubts: Doubts<FieldSetting> = [
  ['its longer text may be meant', (it) => isSaid(it) && isNamed(it.parts) && it.field.name !== 'value' && hasLongText(it.work, it.field)],
  ['its body may be meant', (it) => (isSaid(it) || /[.!?]$/.test(it.value.text)) && it.field.name === 'title' && it.parts.object.kind !== 'field' && fieldIn(it.work, ownerOf(it.field), ['body']) !== undefined],
  ['a long text is not renamed', ({ parts: { verbs, object }, field }) => verbs[0] === 'rename' && longTexts.has(field.name) && object.kind !== 'it'],
  ['something stands there already', (it) => (isAdded(it.parts) || ((isSaid(it) || it.parts.verbs[0] === 'use') && saysAlso(it.work, it.parts))) && isFilled(it.work, it.field)],
  ['what it shows is meant, and not its title', ({ parts: { verbs, object }, work, field }) =>
    verbs[0] !== 'rename' && object.kind === 'block' && field.name === 'title' && ['Embed', 'Video'].includes(blockOf(work, field).type)],
  ['this may be a request', ({ parts: { frame, object }, value }) => !frame.hasVerb && object.kind !== 'field' && value.form !== 'quoted'],
  ['the field of the clause before may be meant', ({ parts: { frame, object }, field, start: { touchedField: before } }) =>
    !frame.hasVerb && before !== undefined && object.kind !== 'field' && object.kind !== 'nth' && field.name !== before.name],
  ['a field is not set twice', ({ parts: { object }, field, start: { touchedField: before, requests } }) =>
    before !== undefined && sameField(before, field) && ((object.kind === 'it' && requests > 0) || object.kind === 'field') && !object.owner],
]

const isNamed = ({ object: { kind, name } }: Parts): boolean => kind === 'name' || (kind === 'row' && name !== undefined)

const longTexts: ReadonlySet<string> = new Set(['quote', 'body', 'description', 'content', 'a'])
const hasLongText = (work: Work, field: FieldAt): boolean =>
  Object.keys(scalarFields(work, ownerOf(field))).some((other) => other !== field.name && longTexts.has(other))

const sameField = (a: FieldAt, b: FieldAt) => a.slug === b.slug && a.id === b.id && a.name === b.name && sameJson(a.row, b.row)

const isAdded = ({ verbs }: Parts): boolean => verbs.includes('add') && (verbs.includes('use') || verbs.includes('append'))
const isFilled = (work: Work, field: FieldAt): boolean => (valueOf(work, field) ?? '') !== ''

const alsoWords: ReadonlySet<string> = new Set(['also', 'too', 'additionally', 'noch', 'auch', 'zusätzlich', 'außerdem', 'ebenfalls'])

/** Whether something is written beside what stands there. */
const saysAlso = (work: Work, { frame: { start, end } }: Parts): boolean =>
  work.scene.ground.tokens.slice(start, end).some(({ word, text }) => word === text && alsoWords.has(word))

/** `Use "V" as the eyebrow`, `put "Closed" on the banner`, `use /a.jpg in the hero`. */
function useFor(work: Work, parts: Parts): Work {
  const text = parts.text ?? unfit('nothing is given')
  if (text.form === 'text' || text.form === 'remark') return unfit('a text stands in quotes')
  if (parts.all('in').some(({ start }) => isBeside(work.scene.ground, start))) return unfit('it goes beside, not in')
  const at = parts.object.kind === 'it' ? work : inside(work, parts.object)
  const field = placeFor(work, at, parts, text)
  return (isAdded(parts) || saysAlso(work, parts)) && isFilled(at, field) ? unfit('something stands there already') : setValue(at, field, text)
}

/** The field for a text: the one that is named, or the one for such a text in what is named or talked about. */
function placeFor({ lead, touchedField }: Work, at: Work, parts: Parts, text: Value): FieldAt {
  const [noun] = parts.nouns('as', 'to', 'in')
  const isLed = parts.nouns('lead').some(({ kind }) => kind === 'field')
  if (!noun && isLed && touchedField) return touchedField
  if (!noun) return said(at, lead ?? unfit('where it goes is open'), text)
  if (noun.isNew) return unfit('this is not there yet')
  if (noun.kind === 'page' && noun.text === '') return focusedField(at) ?? unfit('no text is selected')
  return noun.kind === 'field' || noun.kind === 'thisText' ? findField(at, noun) : said(at, findOwner(at, noun), text)
}

/** What a text is for a block or a row that has one place for it: its picture, or what a banner says. */
function said(work: Work, at: BlockAt | RowAt, { text, form }: Value): FieldAt {
  if (form === 'quoted') return 'listKey' in at ? unfit('a row has more than one text') : ofBlock(work, at, false, true)
  if (isVideo(text)) return fieldOf(work, at, ['src'])
  const images = Object.entries(scalarFields(work, at)).filter(([, { kind }]) => kind === 'image').map(([name]) => name)
  return images.length === 1 && isImageAddress(text) && isPicture(text) ? fieldOf(work, at, images) : unfit('not a picture, or the block has no field for one')
}

/** `The headline reads "A", make it "B"`: what stands there is talked about next. */
function stated(work: Work, parts: Parts): Work {
  const { object, text } = parts
  if (object.isNew || (text ? text.form !== 'quoted' : object.kind !== 'field')) return unfit('not a statement about what is there')
  const field = text ? target(work, object, text, { isRename: true, isSay: true }) : findField(work, object)
  refuseOther(work, field, text)
  return { ...work, touched: ownerOf(field), touchedField: field }
}

/** A text alone, for the field that is selected. */
function setFocused(work: Work, parts: Parts): Work {
  const isAlone = parts.frame.start === 0 && parts.frame.end === work.scene.ground.tokens.length && parts.text?.form === 'quoted'
  if (!isAlone) return unfit('a text stands alone')
  return setText(work, focusedField(work) ?? ask(work.scene.texts.noFieldSelected), textOf(parts.text))
}

const clearable: ReadonlySet<string> = new Set(['text', 'html', 'richtext', 'url', 'link', 'image', 'imageAlt', 'color'])

/** A field becomes empty; a button goes with its link where both may. */
const clear = (work: Work, { objects }: Parts): Work => objects.reduce((after, noun) => cleared(after, findField(after, noun)), work)

function cleared(work: Work, field: FieldAt): Work {
  const { texts } = work.scene
  if (isRequired(work, field)) ask((field.meta.kind === 'image' ? texts.wantsImage : texts.cannotBeEmpty)(labelOf(field.name, field.meta)))
  if (!clearable.has(field.meta.kind)) ask(texts.notInOneSentence)
  const link = { ctaText: 'ctaHref', secondaryCtaText: 'secondaryCtaHref' }[field.name]
  const owner = field.row ? { ...field, ...field.row } : field
  const withLink = link !== undefined && link in scalarFields(work, owner) && !isRequired(work, { ...field, name: link })
  const isSet = (name: string) => (valueOf(work, { ...field, name }) ?? '') !== ''
  return write(work, field, Object.fromEntries([field.name, ...(withLink ? [link] : [])].filter(isSet).map((name) => [name, ''])))
}

/** `New tagline: "…"`: what is new is the text of a field. */
const announceField: Action['does'] = (work, parts, start) => {
  const { object } = parts
  return object.kind === 'field' ? setField(work, withObject(parts, { ...object, isNew: false }), start) : unfit('no field is meant')
}

const announced: Action['does'] = (work, parts, start) =>
  (parts.object.isNew ? announceField(work, parts, start) : unfit('this tells what is there'))

/** `Answer the second question with "Yes."` */
const answer: Action['does'] = (work, parts, start) => {
  const { start: from, end, text, cost } = parts.object
  return setField(work, withObject(parts, { kind: 'field', start: from, end, text, cost, props: ['a'], owner: parts.object }), start)
}

const setSelected: Action['does'] = (work, parts, start) => setField(work, withObject(parts, { ...parts.object, kind: 'thisText' }), start)

const withObject = (parts: Parts, object: Noun): Parts => ({ ...parts, object })

const quoted = (does: Action['does']): Action['does'] => (work, parts, start) =>
  (parts.given?.form === 'quoted' ? does(work, parts, start) : unfit('a text stands in quotes'))

export const fieldActions: readonly Action[] = [
  { verbs: ['announce'], roles: 'object value @in?', does: announceField },
  { verbs: ['state'], roles: 'object text @in?', does: quoted(announced) },
  { verbs: ['state'], roles: 'object text? @in?', isStatement: true, does: stated },
  { verbs: ['give', 'have'], roles: 'object+ given', does: giveField },
  { verbs: ['set', 'replace', 'rename', 'none'], roles: 'object value @in? from? instead?', does: setField },
  { verbs: ['set', 'rename', 'say', 'use', 'none'], roles: 'object text @in? instead?', does: setField },
  { verbs: ['want'], roles: 'object value @in?', does: quoted(setField) },
  { verbs: ['use', 'have', 'append', 'add', 'put'], roles: 'object text @to', does: setField },
  { verbs: ['use', 'set', 'append', 'put'], roles: 'text as', does: useFor },
  { verbs: ['use', 'set', 'append', 'put', 'say'], roles: 'text in', does: useFor },
  { verbs: ['use', 'set'], roles: 'text', does: useFor },
  { verbs: ['have', 'use', 'be'], roles: 'object text as', does: useFor },
  { verbs: ['be', 'set'], roles: 'object text as?', does: useFor },
  { verbs: ['none'], roles: 'text', does: setFocused },
  { verbs: ['set', 'replace'], roles: 'value', does: quoted(setSelected) },
  { verbs: ['answer'], roles: 'object value @in?', does: answer },
  { verbs: ['clear'], roles: 'object+ @in? @from?', does: clear },
]
