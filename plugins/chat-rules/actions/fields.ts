import { labelOf } from '../../content/fields.ts'
import type { Noun } from '../frame/nouns.ts'
import type { Value } from '../frame/values.ts'
import { sameWords } from '../message/phrases.ts'
import { findBlock } from '../resolve/blocks.ts'
import { fieldIn, fieldOf, findField, findOwner, focusedField, ownerOf, scalarFields, valueOf } from '../resolve/fields.ts'
import { findRow } from '../resolve/rows.ts'
import { ask, unfit } from '../work/ask.ts'
import { backFrom, type BlockAt, blockOf, type FieldAt, type RowAt, type Work } from '../work/work.ts'
import { type Action, inside, type Parts, textOf, within } from './action.ts'
import { isImageAddress, isRequired, setText, setValue, write } from './values.ts'

/** What a row is about, the first one it has. */
const mainProps: readonly string[] = ['title', 'q', 'quote', 'label', 'heading', 'caption']

/** `Give the card the picture /a.jpg`: the owner, then its field. */
function giveField(work: Work, parts: Parts): Work {
  const [owner, field, ...others] = parts.objects
  if (!owner || field?.kind !== 'field' || field.isThis || others.length > 0) return unfit('one field of one thing is given')
  const { isNew: _isNew, ...noun } = field
  return backFrom(work, setValue(work, findField(inside(work, owner), { ...noun, isIts: true }), parts.text ?? parts.value ?? unfit('nothing is given')))
}

/** What is set: a field, the main text of a row, the title of a block, or what a banner and a quote say. */
function target(work: Work, noun: Noun, value: Value, { isRename, isSay }: { readonly isRename: boolean; readonly isSay: boolean }): FieldAt {
  if (noun.isNew) return unfit('this is not there yet')
  if (noun.kind === 'field' || noun.kind === 'thisText') return findField(work, noun)
  if (noun.kind === 'nth') return fieldOf(work, findRow(work, noun), [work.touchedField?.name ?? unfit('no field of a row was set')])
  if (noun.kind === 'this' || noun.kind === 'it') return isRename && !(isSay && work.touchedField) ? titleOr(work, noun) : findField(work, noun)
  const at: BlockAt | RowAt = noun.kind === 'section' ? findBlock(work, noun) : findOwner(work, noun)
  if (!('listKey' in at)) return ofBlock(work, at, isRename, isSay, value.form === 'quoted')
  const field = noun.name?.isAuthor || !noun.name || noun.kind === 'row' ? undefined : fieldIn(work, at, Object.keys(scalarFields(work, at)).filter((name) => isCalled(work, at, name, noun.name?.text ?? '')))
  return field ?? fieldOf(work, at, /^\d/.test(value.text) ? ['value', ...mainProps] : mainProps)
}

const isCalled = (work: Work, at: BlockAt | RowAt, name: string, text: string) => {
  const field = fieldIn(work, at, [name])
  return field !== undefined && sameWords(String(valueOf(work, field) ?? ''), text)
}

/** `Rename it`: what is selected or was talked about; a text, a row, or the title of a block. */
function titleOr(work: Work, noun: Noun): FieldAt {
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

function setField(work: Work, parts: Parts): Work {
  const { frame: { verbs, isDuty, isNewly, hasVerb }, object, first } = parts
  const value = parts.value ?? parts.text ?? unfit('nothing is given')
  if (isNewly && parts.value === undefined && !object.isNew && !parts.text) return unfit('this tells what is there')
  if (verbs.length === 0 && parts.text && !parts.value && (object.isThe || object.isThis)) return unfit('this may only name what is there')
  const isReversed = parts.text !== undefined && (parts.first('text')?.start ?? 0) < object.start
  const isMade = verbs.includes('set') && object.isThe === true && parts.text?.form === 'quoted'
  if (isReversed && (object.kind !== 'field' || !(isDuty || isMade))) return unfit('a place is meant')
  const intro = work.scene.ground.tokens[first('value')?.start ?? -1]?.kind
  const { verbLast } = work.scene.language
  if (verbs.length === 0 && (parts.value ? intro !== 'sign' : verbLast)) return unfit('this may be a remark')
  const isIn = ['in', 'zu'].includes(work.scene.ground.tokens[first('value')?.start ?? -1]?.word ?? '')
  if (verbLast && value.form === 'text' && isIn && !verbs.includes('replace') && !verbs.includes('rename')) return unfit('this may be a style')
  if (object.owner?.kind === 'page' && first('in')) return unfit('two places are named')
  const at = within(work, parts, first('from')?.value ? ['in', 'to'] : ['in', 'to', 'from'])
  const old = first('from')?.value ?? first('instead')?.value
  const isRename = verbs.includes('rename')
  const isSay = verbs.includes('say') || verbs.includes('set') || !hasVerb
  const noun = { ...object, ...(isNewly && { isNew: false }), ...(old?.form === 'quoted' && { was: old.text }) }
  const field = target(at, noun, value, { isRename, isSay })
  refuseOther(at, field, old)
  if (!hasVerb && object.kind !== 'field' && value.form !== 'quoted') return unfit('this may be a request')
  if (work.touchedField && sameField(work.touchedField, field) && object.kind === 'field' && !object.owner) return unfit('a field is not set twice')
  return backFrom(work, setValue(at, field, value))
}

const sameField = (a: FieldAt, b: FieldAt) => a.id === b.id && a.name === b.name && a.row?.index === b.row?.index && a.row?.listKey === b.row?.listKey && a.slug === b.slug

/** `Use "V" as the eyebrow`, `put "Closed" on the banner`, `use /a.jpg in the hero`. */
function useFor(work: Work, parts: Parts): Work {
  const text = parts.text ?? unfit('nothing is given')
  const [noun] = [...parts.all('as'), ...parts.all('to'), ...parts.all('in')].flatMap((chunk) => chunk.noun ?? [])
  const at = parts.object.kind === 'it' || !parts.objects.length ? work : inside(work, parts.object)
  if (text.form === 'text' || text.form === 'remark') return unfit('a text stands in quotes')
  const leads = parts.frame.chunks.some((chunk) => chunk.role === 'lead' && chunk.noun?.kind === 'field')
  if (!noun && leads && work.touchedField) return backFrom(work, setValue(at, work.touchedField, text))
  if (!noun) return work.lead ? backFrom(work, setValue(at, said(at, work.lead, text), text)) : unfit('where it goes is open')
  if (noun.isNew) return unfit('this is not there yet')
  if (noun.kind === 'page' && noun.text === '') return backFrom(work, setValue(at, focusedField(at) ?? unfit('no text is selected'), text))
  if (noun.kind === 'field' || noun.kind === 'thisText') return backFrom(work, setValue(at, findField(at, noun), text))
  return backFrom(work, setValue(at, said(at, findOwner(at, noun), text), text))
}

/** What a text is for a block or a row that has one place for it: its picture, or what a banner says. */
function said(work: Work, at: BlockAt | RowAt, { text, form }: Value): FieldAt {
  if (form === 'quoted') return 'listKey' in at ? unfit('a row has more than one text') : ofBlock(work, at, false, true)
  if (/\.(?:mp4|webm|ogv|mov|m4v)(?:\?\S*)?$/i.test(text)) return fieldOf(work, at, ['src'])
  const images = Object.entries(scalarFields(work, at)).filter(([, { kind }]) => kind === 'image').map(([name]) => name)
  const isPicture = isImageAddress(text) && /\.(?:jpe?g|png|gif|webp|avif|svg)(?:\?\S*)?$/i.test(text)
  return images.length === 1 && isPicture ? fieldOf(work, at, images) : unfit('not a picture, or the block has no field for one')
}

/** `The headline reads "A", make it "B"`: what stands there is talked about next. */
function stated(work: Work, parts: Parts): Work {
  const { object, text } = parts
  if (object.isNew || (text ? text.form !== 'quoted' : object.kind !== 'field')) return unfit('not a statement about what is there')
  const at = within(work, parts)
  const field = text ? target(at, object, text, { isRename: true, isSay: true }) : findField(at, object)
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
function clear(work: Work, parts: Parts): Work {
  const at = within(work, parts)
  return backFrom(work, parts.objects.reduce((after, noun) => cleared(after, findField(after, noun)), at))
}

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
const announceField = (work: Work, parts: Parts): Work =>
  (parts.object.kind === 'field' ? setField(work, { ...parts, object: { ...parts.object, isNew: false } }) : unfit('no field is meant'))

export const fieldActions: readonly Action[] = [
  { verbs: ['announce'], roles: 'object value in?', does: announceField },
  { verbs: ['state'], roles: 'object text in?', does: (work, parts) => (parts.object.isNew && parts.text?.form === 'quoted' ? announceField(work, parts) : unfit('this tells what is there')) },
  { verbs: ['state'], roles: 'object text? in?', isStatement: true, does: stated },
  { verbs: ['give', 'have'], roles: 'object+ text', does: giveField },
  { verbs: ['give', 'have'], roles: 'object+ value', does: giveField },
  { verbs: ['set', 'replace', 'rename', 'none'], roles: 'object value in? from? instead?', does: setField },
  { verbs: ['set', 'rename', 'say', 'use', 'none'], roles: 'object text in? instead?', does: setField },
  { verbs: ['want'], roles: 'object value in?', does: (work, parts) => (parts.value?.form === 'quoted' ? setField(work, parts) : unfit('this may be a request')) },
  { verbs: ['use', 'have', 'append', 'add', 'put'], roles: 'object text to', does: setField },
  { verbs: ['use', 'set', 'append', 'put'], roles: 'text as', does: useFor },
  { verbs: ['use', 'set', 'append', 'put', 'say'], roles: 'text in', does: useFor },
  { verbs: ['use', 'set'], roles: 'text', does: useFor },
  { verbs: ['have', 'use', 'be'], roles: 'object text as', does: useFor },
  { verbs: ['be', 'set'], roles: 'object text as?', does: useFor },
  { verbs: ['none'], roles: 'text', does: setFocused },
  { verbs: ['set', 'replace'], roles: 'value', does: (work, parts) => (parts.value?.form === 'quoted' ? setField(work, { ...parts, object: { kind: 'thisText', start: 0, end: 0, text: '', cost: 0 } }) : unfit('a text stands in quotes')) },
  { verbs: ['answer'], roles: 'object value in?', does: (work, parts) => setField(work, { ...parts, object: { ...parts.object, kind: 'field', props: ['a'], owner: parts.object } }) },
  { verbs: ['clear'], roles: 'object+ in? from?', does: clear },
]

