import { labelOf } from '../../content/fields.ts'
import { isHere, type Noun } from '../frame/noun.ts'
import { isRelativePosition } from '../frame/nouns.ts'
import type { Value } from '../frame/values.ts'
import { sameWords } from '../message/phrases.ts'
import { findBlock, isParagraph } from '../resolve/blocks.ts'
import { fieldIn, fieldOf, isLink, ownerOf, scalarFields, valueOf } from '../resolve/block-fields.ts'
import { findField, findOwner, focusedField, isAfterImage } from '../resolve/fields.ts'
import { findRow } from '../resolve/rows.ts'
import { ask, reject, rejectDoubtful } from '../work/ask.ts'
import { type BlockAt, blockOf, type FieldAt, type RowAt, type Work } from '../work/work.ts'
import { type Action, isOriginWord, type Parts, scopedTo, textOf } from './action.ts'
import { fieldDoubts, isAdded, isFilled, saysAlso, valueDoubts } from './field-doubts.ts'
import { isImageAddress, isPicture, isRequired, isVideo, setText, setValue, write } from './values.ts'

/** Main props of a row, in order of preference. */
const mainProps: readonly string[] = ['title', 'q', 'quote', 'label', 'heading', 'caption']

/** `Give the card the picture /a.jpg`: the owner, then its field. */
function giveField(work: Work, { objects: [owner, field, ...others], given }: Parts): Work {
  if (!owner || !given || field?.kind !== 'field' || field.isThis || others.length > 0) return reject('needs one owner, one field and a value')
  return setValue(work, findField(scopedTo(work, owner), { ...field, isNew: false, isIts: true }), given)
}

/** The field to set: a named field, the main text of a row, the title of a block, or the text of a banner or quote. */
function targetField(work: Work, noun: Noun, value: Value, { isRename, isSay }: { readonly isRename: boolean; readonly isSay: boolean }): FieldAt {
  if (noun.isNew) return reject('does not exist yet')
  if (noun.kind === 'field' || noun.kind === 'thisText') return findField(work, noun)
  if (noun.kind === 'nth') return fieldOf(work, findRow(work, noun), [work.touchedField?.name ?? reject('no row field was set before')])
  if ((noun.kind === 'this' || noun.kind === 'it') && isRename && value.form !== 'text' && value.form !== 'quoted' && !focusedField(work) && !work.touchedField) return reject('not a title')
  if (noun.kind === 'this' || noun.kind === 'it') return isRename && !(isSay && work.touchedField) ? titleField(work, noun) : findField(work, noun)
  const at: BlockAt | RowAt = noun.kind === 'section' ? findBlock(work, noun) : findOwner(work, noun)
  if (isParagraph(noun)) return fieldOf(work, at, ['body'])
  if (value.form === 'address' || (!('listKey' in at) && value.form === 'figure')) return reject('a number or an address is not a title')
  if (!('listKey' in at)) return blockTextField(work, at, isRename, isSay, value.form === 'quoted')
  const { name } = noun
  const hasText = (prop: string) => sameWords(String(valueOf(work, fieldOf(work, at, [prop])) ?? ''), name?.text ?? '')
  const named = name && !name.isAuthor && noun.kind !== 'row' ? Object.keys(scalarFields(work, at)).filter(hasText) : []
  // `Set Boats to 42` sets the figure, not its label.
  const figure = /^\d/.test(value.text) && name?.isQuoted !== true ? fieldIn(work, at, ['value']) : undefined
  if (noun.kind === 'name' && named.length === 0 && !figure) return reject('matches only a part of its name')
  return figure ?? fieldIn(work, at, named) ?? fieldOf(work, at, /^\d/.test(value.text) ? ['value', ...mainProps] : mainProps)
}

/** `Rename it`: the selected or current text, row, or title of a block. */
function titleField(work: Work, noun: Noun): FieldAt {
  if (noun.kind === 'it' && work.touchedField && isLink(work.touchedField.meta)) return findField(work, noun)
  if (noun.kind === 'it' && isAfterImage(work)) return reject('an image has no title')
  const focused = noun.kind === 'it' && work.touched ? undefined : focusedField(work)
  if (focused) return focused
  const at = findOwner(work, noun)
  return 'listKey' in at ? fieldOf(work, at, mainProps) : blockTextField(work, at, true, false)
}

export function blockTextField(work: Work, at: BlockAt, isRename: boolean, isSay: boolean, isQuotedText = true): FieldAt {
  const { type } = blockOf(work, at)
  const own = type === 'Banner' ? 'text' : type === 'Quote' ? 'quote' : undefined
  if (own !== undefined && isSay) return isQuotedText ? fieldOf(work, at, [own]) : reject('the text must be quoted')
  return isRename ? fieldOf(work, at, ['heading', 'title', 'siteName']) : reject('the block has several texts')
}

/** Asks if the quoted current text differs from the field. */
function requireCurrentText(work: Work, field: FieldAt, old: Value | undefined): void {
  const current = String(valueOf(work, field) ?? '')
  if (!old || sameWords(current, old.text)) return
  if (current.includes(old.text)) reject('replaces a part of the text')
  ask(work.context.texts.textNotFound(old.text))
}

function setField(work: Work, parts: Parts, start: Work): Work {
  const { frame: { isNewly, hasVerb }, verbs, object, text, first } = parts
  const value = parts.value ?? text ?? reject('no value')
  const intro = work.context.parser.tokens[first('value')?.start ?? -1]
  rejectDoubtful(valueDoubts, { parts, value, intro, verbLast: work.context.language.verbLast })
  const old = first('from')?.value ?? first('instead')?.value
  const noun = { ...object, ...(isNewly && { isNew: false }), ...(old?.form === 'quoted' && { currentText: old.text }) }
  const [from] = parts.nouns('from')
  const at = from ? scopedTo(work, from) : work
  const field = targetField(at, noun, value, { isRename: verbs.includes('rename'), isSay: verbs.includes('say') || verbs.includes('set') || !hasVerb })
  requireCurrentText(at, field, old)
  rejectDoubtful(fieldDoubts, { parts, value, work: at, field, start })
  return setValue(at, field, value)
}

/** `Use "V" as the eyebrow`, `put "Closed" on the banner`, `use /a.jpg in the hero`. */
function useFor(work: Work, parts: Parts): Work {
  const text = parts.text ?? reject('no value')
  if (text.form === 'text' || text.form === 'remark') return reject('the text must be quoted')
  const { parser } = work.context
  if (parts.all('in').some(({ start }) => isRelativePosition(parser, start))) return reject('next to it, not in it')
  const isTaken = !parts.verbs.includes('set') && parts.all('in').some(({ start }) => isOriginWord(parser, start))
  if (isTaken) return reject('may be removed there')
  if (parts.object.kind === 'field' && parts.has('as')) return reject('a field is not in a field')
  const at = parts.object.kind === 'it' ? work : scopedTo(work, parts.object)
  const field = destinationField(work, at, parts, text)
  const before = work.touchedField
  const isInText = parts.all('as', 'to', 'in').some(({ start, noun }) => noun?.kind === 'field' && ['in', 'into', 'im', 'ins'].includes(parser.tokens[start]?.word ?? ''))
  const isPart = isInText && /^\p{Ll}/u.test(text.text) && isFilled(at, field)
  if (isPart) return reject('may be a part of the text')
  if (!parts.frame.hasVerb && parts.has('in') && before && before.name !== field.name) return reject('may mean the field of the previous clause')
  return (isAdded(parts) || saysAlso(work, parts)) && isFilled(at, field) ? reject('the field is not empty') : setValue(at, field, text)
}

/** The field for a text: the named one, or the matching one of the named or current block or row. */
function destinationField({ lead, touchedField }: Work, at: Work, parts: Parts, text: Value): FieldAt {
  const [noun] = parts.nouns('as', 'to', 'in')
  const isLed = parts.nouns('lead').some(({ kind }) => kind === 'field')
  if (!noun && isLed && touchedField) return touchedField
  if (!noun) return slotFor(at, lead ?? reject('no target'), text)
  if (noun.isNew) return reject('does not exist yet')
  if (isHere(noun)) return focusedField(at) ?? reject('no text is selected')
  return noun.kind === 'field' || noun.kind === 'thisText' ? findField(at, noun) : slotFor(at, findOwner(at, noun), text)
}

/** The only field of a block or row that fits a text: its image, its video, or the text of a banner or quote. */
function slotFor(work: Work, at: BlockAt | RowAt, { text, form }: Value): FieldAt {
  if (form === 'quoted') return 'listKey' in at ? reject('the row has several texts') : blockTextField(work, at, false, true)
  if (isVideo(text)) return fieldOf(work, at, ['src'])
  const images = Object.entries(scalarFields(work, at)).filter(([, { kind }]) => kind === 'image').map(([name]) => name)
  return images.length === 1 && isImageAddress(text) && isPicture(text) ? fieldOf(work, at, images) : reject('not an image, or no single image field')
}

/** `The headline reads "A", make it "B"`: checks the text and makes the field current. */
function checkStatement(work: Work, parts: Parts): Work {
  const { object, text } = parts
  if (object.isNew || (text ? text.form !== 'quoted' : object.kind !== 'field')) return reject('not a statement about the current text')
  const field = text ? targetField(work, object, text, { isRename: true, isSay: true }) : findField(work, object)
  requireCurrentText(work, field, text)
  return { ...work, touched: ownerOf(field), touchedField: field }
}

/** A bare quoted text sets the selected field. */
function setFocused(work: Work, parts: Parts): Work {
  const isAlone = parts.frame.start === 0 && parts.frame.end === work.context.parser.tokens.length && parts.text?.form === 'quoted'
  if (!isAlone) return reject('not a bare text')
  return setText(work, focusedField(work) ?? ask(work.context.texts.noFieldSelected), textOf(parts.text))
}

const clearable: ReadonlySet<string> = new Set(['text', 'html', 'richtext', 'url', 'link', 'image', 'imageAlt', 'color'])

/** Empties fields; clearing a button also clears its link if allowed. */
const clear = (work: Work, { objects }: Parts): Work => objects.reduce((after, noun) => clearField(after, findField(after, noun)), work)

function clearField(work: Work, field: FieldAt): Work {
  const { texts } = work.context
  if (isRequired(work, field)) ask((field.meta.kind === 'image' ? texts.wantsImage : texts.cannotBeEmpty)(labelOf(field.name, field.meta)))
  if (!clearable.has(field.meta.kind)) ask(texts.notInOneSentence)
  const link = { ctaText: 'ctaHref', secondaryCtaText: 'secondaryCtaHref' }[field.name]
  const owner = field.row ? { ...field, ...field.row } : field
  const withLink = link !== undefined && link in scalarFields(work, owner) && !isRequired(work, { ...field, name: link })
  const isSet = (name: string) => (valueOf(work, { ...field, name }) ?? '') !== ''
  return write(work, field, Object.fromEntries([field.name, ...(withLink ? [link] : [])].filter(isSet).map((name) => [name, ''])))
}

/** `New tagline: "…"` sets the field. */
const announceField: Action['run'] = (work, parts, start) => {
  const { object } = parts
  return object.kind === 'field' ? setField(work, withObject(parts, { ...object, isNew: false }), start) : reject('not a field')
}

const announced: Action['run'] = (work, parts, start) =>
  (parts.object.isNew ? announceField(work, parts, start) : reject('describes the current text'))

/** `Answer the second question with "Yes."` */
const answer: Action['run'] = (work, parts, start) => {
  const { start: from, end, text, cost } = parts.object
  return setField(work, withObject(parts, { kind: 'field', start: from, end, text, cost, props: ['a'], owner: parts.object }), start)
}

const setSelected: Action['run'] = (work, parts, start) => setField(work, withObject(parts, { ...parts.object, kind: 'thisText' }), start)

const withObject = (parts: Parts, object: Noun): Parts => ({ ...parts, object })

const quoted = (run: Action['run']): Action['run'] => (work, parts, start) =>
  (parts.given?.form === 'quoted' ? run(work, parts, start) : reject('the text must be quoted'))

export const fieldActions: readonly Action[] = [
  { verbs: ['announce'], roles: 'object value @in?', run: announceField },
  { verbs: ['state'], roles: 'object text @in?', run: quoted(announced) },
  { verbs: ['state'], roles: 'object text? @in?', isStatement: true, run: checkStatement },
  { verbs: ['give', 'have'], roles: 'object+ given', run: giveField },
  { verbs: ['set', 'replace', 'rename', 'none'], roles: 'object value @in? from? instead?', run: setField },
  { verbs: ['set', 'rename', 'say', 'use', 'none'], roles: 'object text @in? instead?', run: setField },
  { verbs: ['want'], roles: 'object value @in?', run: quoted(setField) },
  { verbs: ['use', 'have', 'append', 'add', 'put'], roles: 'object text @to', run: setField },
  { verbs: ['use', 'set', 'append', 'put', 'want'], roles: 'text as', run: useFor },
  { verbs: ['use', 'set', 'append', 'put', 'say'], roles: 'text in', run: useFor },
  { verbs: ['use', 'set'], roles: 'text', run: useFor },
  { verbs: ['have', 'use', 'be'], roles: 'object text as', run: useFor },
  { verbs: ['be', 'set'], roles: 'object text as?', run: useFor },
  { verbs: ['none'], roles: 'text', run: setFocused },
  { verbs: ['set', 'replace'], roles: 'value', run: quoted(setSelected) },
  { verbs: ['answer'], roles: 'object value @in?', run: answer },
  { verbs: ['clear'], roles: 'object+ @in? @from?', run: clear },
]
