import { isRequired } from './required.ts'
import { labelOf } from '../../../content/field-meta.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { sameJson } from '../../../content/same-json.ts'
import { Ask, unfit } from '../ask.ts'
import type { Node } from '../grammar/node.ts'
import { findBlock, isSameName, refuseVague } from '../resolve/blocks.ts'
import { blockField, fieldOf, fieldShowing, findField, focusedField, linkProps, rowField, scalarFields, valueOf } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { findRow } from '../resolve/rows.ts'
import { backFrom, blockOf, onPage, perform, type FieldAt, type Work } from '../work.ts'
import { given, need, textOf, type Action } from './action.ts'
import { isAddress, toValue } from './values.ts'

/** Writes values into fields of one block or row. */
export function write(work: Work, at: FieldAt, values: Readonly<Record<string, unknown>>): Work {
  const { slug: pageSlug, id: blockId, row } = at
  const changed = Object.entries(values).filter(([name, value]) => !sameJson(valueOf(work, { ...at, name }), value))
  const touched = row ? { slug: pageSlug, id: blockId, ...row } : { slug: pageSlug, id: blockId }
  if (changed.length === 0) return { ...work, touched }
  const patch = Object.fromEntries(changed)
  return row
    ? perform(work, { op: 'update_item', pageSlug, blockId, ...row, patch }, touched)
    : perform(work, { op: 'update_props', pageSlug, blockId, patch }, touched)
}

/** Gives a field the value that a text is for it. */
export const setText = (work: Work, at: FieldAt, text: string): Work =>
  ({ ...write(work, at, { [at.name]: toValue(work, at, text) }), touchedField: at })

/** Gives a field what was written for it; asks or gives up where that is no text but a remark about it. */
function setValue(work: Work, at: FieldAt, node: Node): Work {
  const { texts, lexicon } = work.scene
  const { text = '' } = node
  const isWords = written.has(at.meta.kind)
  if (isWords && node.form === 'remark') return unfit('small letters after `be` are a remark')
  const isColor = lexicon.colors.includes(text) || ownValue(lexicon.colorWords, text.toLowerCase()) !== undefined
  if (isWords && node.form === 'text' && (isColor || isChoice(work, at, text))) return unfit('a choice of another field is no text')
  const isAddressed = node.form !== 'quoted' && at.name in linkProps && isAddress(text)
  if (isAddressed) {
    const asText = { id: 'text', label: text, words: `"${text}"` }
    throw new Ask({ question: texts.textOrLink(text), span: node, choices: [asText] })
  }
  return setText(work, at, text)
}

/** Tells whether small letters are what another field of the block may be, such as `center`. */
function isChoice(work: Work, at: FieldAt, text: string): boolean {
  return Object.values(scalarFields(work, { slug: at.slug, id: at.id })).some(({ options }) => options?.includes(text))
}

const written: ReadonlySet<string> = new Set(['text', 'html', 'richtext', 'imageAlt'])

export const setField: Action = (work, parts, detail) => {
  const { name, field, block, row, page } = parts
  const v = need(parts, 'v')
  if (detail === 'new' && !isSaidToBeNew(work, field)) return unfit('this tells what is there')
  if (detail === 'bare' && isDetermined(work, field)) return unfit('this may only name what is there')
  if (name) {
    const names = name.names ?? []
    const owner = row ? rowField(work, findRow(work, row), names) : blockField(work, findBlock(work, given(block)), names)
    return setValue(work, owner, v)
  }
  const at = within(work, page, block)
  const target = parts['a'] && field?.form === 'alone' ? fieldShowing(at, field, textOf(parts['a'])) : findField(at, given(field))
  if (parts['a']) refuseOther(work, target, textOf(parts['a']))
  if (field?.form === 'alone' && isJustSet(work, target)) return unfit('nobody sets a field twice: another one is meant')
  return { ...backFrom(work, setValue(at, target, v)), lead: work.lead }
}

const isJustSet = ({ touchedField }: Work, { slug, id, row, name }: FieldAt): boolean =>
  touchedField !== undefined && sameJson([touchedField.slug, touchedField.id, touchedField.row ?? null, touchedField.name], [slug, id, row ?? null, name])

/** `The headline "Go north"` is no request, `headline "Go north"` is one. */
function isDetermined({ scene: { lexicon, parser: { tokens } } }: Work, node: Node | undefined): boolean {
  return (lexicon.words['det'] ?? []).includes(tokens[node?.start ?? 0]?.word ?? '')
}

/** `Our new tagline is "Go north"`. */
function isSaidToBeNew({ scene: { lexicon, parser: { tokens } } }: Work, node: Node | undefined): boolean {
  return tokens.slice(node?.start, node?.end).some(({ word }) => lexicon.words['another']?.includes(word))
}

/** What is said to stand there now has to stand there. */
function refuseOther(work: Work, field: FieldAt, text: string): void {
  if (!isSameName(String(valueOf(work, field) ?? ''), text)) throw new Ask({ question: work.scene.texts.textNotFound(text) })
}

/** The same work, on the page or in the block that the end of the sentence names. */
function within(work: Work, page: Node | undefined, block: Node | undefined): Work {
  if (page) return onPage(work, findPage(work, page).slug)
  return block ? { ...work, lead: findBlock(work, block), touched: undefined } : work
}

/** The main text of a row: what `change question 1 to …` changes. */
export const setRow: Action = (work, parts) => {
  const node = need(parts, 'row')
  if (isNew(work, node)) return unfit('a new row is meant')
  const v = need(parts, 'v')
  if (v.form !== 'quoted' && isCommand(work, node, v)) return unfit('this may be a request')
  const row = findRow(work, node)
  const field = rowField(work, row, isFigure(textOf(v)) ? ['value', ...mainProps] : mainProps)
  const { form, parts: { name } } = node.parts['row'] ?? node
  const isOther = (form === 'text' || form === 'bare') && name !== undefined && field.name !== 'value' && !isSameName(String(valueOf(work, field) ?? ''), textOf(name))
  if (isOther) throw new Ask({ question: work.scene.texts.missingField })
  if (parts['a']) refuseOther(work, field, textOf(parts['a']))
  return setValue(work, field, v)
}

/** Of a number with a label, a figure is the number. */
const isFigure = (text: string) => /^\d/.test(text)

/** `Second card: Move to the top` may be a request as well as a title. */
const isCommand = ({ scene: { lexicon, parser: { tokens } } }: Work, row: Node, v: Node) =>
  v.start === row.end + 1 && (lexicon.words['anyVerb'] ?? []).includes(tokens[v.start]?.word ?? '')

/** `a banner` and `another card` are not there yet. */
const isNew = ({ scene: { lexicon, parser: { tokens } } }: Work, { start }: Node) =>
  ['another', 'a'].some((name) => lexicon.words[name]?.includes(tokens[start]?.word ?? ''))

/** `… and the second to "Duo"`: the same field of another row of the list. */
export const setNext: Action = (work, parts) => {
  const { touchedField } = work
  const row = findRow(work, need(parts, 'row'))
  if (!touchedField?.row) return unfit('no field of a row was set')
  return setValue(work, rowField(work, row, [touchedField.name]), need(parts, 'v'))
}

/** What a row is about, the first one it has. */
const mainProps: readonly string[] = ['title', 'q', 'quote', 'label', 'heading', 'caption']

export const titleBlock: Action = (work, parts) => {
  refuseVague(work, need(parts, 'block'))
  const block = findBlock(work, need(parts, 'block'))
  const field = blockField(work, block, ['heading', 'title', 'siteName'])
  if (parts['a']) refuseOther(work, field, textOf(parts['a']))
  return setValue(work, field, need(parts, 'v'))
}

/** Only a banner and a quote are their text. */
export const sayBlock: Action = (work, parts) => {
  if (isNew(work, need(parts, 'block'))) return unfit('a new block is meant')
  const block = findBlock(work, need(parts, 'block'))
  const { type } = blockOf(work, block)
  if (type !== 'Banner' && type !== 'Quote') return unfit('only a banner and a quote are their text')
  return setValue(work, blockField(work, block, type === 'Banner' ? ['text'] : ['quote']), need(parts, 'v'))
}

export const setFocused: Action = (work, parts, detail) => {
  const { start, end } = need(parts, 'v')
  const { message, tokens } = work.scene.parser
  const isFirst = !/\p{L}/u.test(message.slice(0, tokens[0]?.start))
  const isAlone = detail === 'asked' || (isFirst && start === 0 && tokens.slice(end).every(({ kind }) => kind === 'sign'))
  if (!isAlone) return unfit('a text stands alone')
  const field = focusedField(work)
  if (!field) throw new Ask({ question: work.scene.texts.noFieldSelected })
  return setText(work, field, textOf(need(parts, 'v')))
}

/** A field becomes empty; a second button, and the button of a banner, goes with its link. */
export const clearField: Action = (work, { row, block, name, field, also }) => {
  if (name) return cleared(work, fieldOf(work, row ? findRow(work, row) : findBlock(work, given(block)), name.names ?? []))
  const after = cleared(work, findField(work, given(field)))
  return also ? cleared(after, findField(after, also)) : after
}

function cleared(work: Work, field: FieldAt): Work {
  const { texts } = work.scene
  const isPicture = field.meta.kind === 'image'
  if (isRequired(work, field)) throw new Ask({ question: (isPicture ? texts.wantsImage : texts.cannotBeEmpty)(labelOf(field.name, field.meta)) })
  if (!clearable.has(field.meta.kind)) throw new Ask({ question: texts.notInOneSentence })
  const link = { ctaText: 'ctaHref', secondaryCtaText: 'secondaryCtaHref' }[field.name]
  const withLink = link !== undefined && link in scalarFields(work, field.row ? { ...field, ...field.row } : field)
  const isSet = (name: string) => (valueOf(work, { ...field, name }) ?? '') !== ''
  const names = [field.name, ...(withLink && !isRequired(work, { ...field, name: link }) ? [link] : [])].filter(isSet)
  return write(work, field, Object.fromEntries(names.map((name) => [name, ''])))
}

const clearable: ReadonlySet<string> = new Set(['text', 'html', 'richtext', 'url', 'link', 'image', 'imageAlt', 'color'])
