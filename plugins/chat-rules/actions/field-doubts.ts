import { sameJson } from '../../content/same-json.ts'
import type { Noun } from '../frame/noun.ts'
import { wordsBetween } from '../frame/parser.ts'
import type { Value } from '../frame/values.ts'
import type { Token } from '../message/tokens.ts'
import { fieldIn, ownerOf, scalarFields, valueOf } from '../resolve/block-fields.ts'
import type { Doubts } from '../work/ask.ts'
import { blockOf, type FieldAt, pageOf, type Work } from '../work/work.ts'
import type { Parts } from './action.ts'
import { isPersonName } from './content.ts'

/** A field to set, before the field is resolved. */
interface Setting {
  readonly parts: Parts
  readonly value: Value
  /** The first token of the value phrase. */
  readonly intro: Token | undefined
  readonly verbLast: boolean
}

const isSwap = ({ parts: { verbs }, intro }: Setting): boolean => verbs.includes('swap') && ['with', 'for', 'mit', 'gegen'].includes(intro?.word ?? '')

/** `"V" should be the headline`. */
const isReversed = ({ parts: { object, text, first } }: Setting): boolean => text !== undefined && (first('text')?.start ?? 0) < object.start
const isExplicit = ({ parts: { frame, verbs, object, text } }: Setting): boolean => frame.isDuty || (verbs.includes('set') && object.isThe === true && text?.form === 'quoted')

/** Checked before the field is resolved. */
export const valueDoubts: Doubts<Setting> = [
  ['`by` names an author, a time or an amount', ({ parts: { verbs }, value, intro }) => intro?.word === 'by'
    && (verbs[0] !== 'replace' || value.form === 'text')],
  ['may name a person or a manner', ({ parts: { verbs }, value, intro }) => ['with', 'as', 'mit', 'als'].includes(intro?.word ?? '')
    && value.form === 'text' && !['replace', 'rename'].includes(verbs[0] ?? '')],
  ['two things are swapped', (setting) => isSwap(setting) && (setting.parts.object.kind !== 'field' || setting.value.form !== 'quoted')],
  ['may be a remark', ({ parts: { verbs, value, object }, intro, verbLast }) => verbs.length === 0 && (value ? intro?.kind !== 'sign' : verbLast || object.isThe === true || object.isThis === true)],
  ['ambiguous which text', ({ parts: { frame, object }, value, intro }) => frame.hasVerb && intro?.word === ':' && value.form !== 'quoted' && ['name', 'block', 'section'].includes(object.kind)],
  ['may be a style', ({ parts: { verbs }, value, intro, verbLast }) => verbLast && value.form === 'text' && ['in', 'zu'].includes(intro?.word ?? '') && !verbs.includes('replace') && !verbs.includes('rename')],
  ['the old text must be quoted', ({ parts: { first } }) => first('instead') !== undefined && first('instead')?.value === undefined],
  ['means a place', (setting) => isReversed(setting) && (setting.parts.object.kind !== 'field' || !isExplicit(setting))],
  ['two scopes', ({ parts: { object, has } }) => object.owner?.kind === 'page' && has('in')],
  ['fields are not nested', ({ parts: { nouns } }) => nouns('from')[0]?.kind === 'field'],
]

interface FieldSetting extends Pick<Setting, 'parts' | 'value'> {
  readonly work: Work
  readonly field: FieldAt
  readonly start: Work
}

const isSayStatement = ({ parts: { frame, verbs }, work: { context: { parser } } }: FieldSetting): boolean =>
  (frame.isDuty && verbs[0] === 'say') || wordsBetween(parser, frame.start, frame.end, 'says').length > 0

/** Checked once the field is resolved. */
export const fieldDoubts: Doubts<FieldSetting> = [
  ['may mean its longer text', (setting) => isSayStatement(setting) && isNamed(setting.parts) && setting.field.name !== 'value'
    && hasLongText(setting.work, setting.field)],
  ['may mean a block', ({ parts: { object }, work, field }) => object.kind === 'field' && !object.owner && namesOtherBlock(work, object, field)],
  ['may mean its button', ({ parts: { object }, work, field }) => object.kind === 'block' && titles.has(field.name) && isAlsoField(work, object)],
  ['a person says it', (setting) => setting.field.name === 'author'
    && (isSayStatement(setting) || (setting.parts.object.kind === 'name' && !setting.parts.frame.hasVerb))],
  ['does not say which of its texts', ({ parts, field, start: { requests, touchedField } }) =>
    parts.object.kind === 'it' && parts.verbs[0] !== 'rename' && !ownTexts.has(field.name)
    && (requests > 0 || parts.has('lead', 'in')) && !touchedField],
  ['may be an author', ({ value, field }) => field.name === 'quote' && value.form === 'text' && isPersonName(value.text)],
  ['may include the label', ({ value, work, field }) => field.name === 'value' && value.form !== 'quoted' && /\p{L}{2}/u.test(value.text)
    && fieldIn(work, ownerOf(field), ['label']) !== undefined],
  ['a price or an age is not a title', ({ parts: { object }, value, field }) => object.kind !== 'field' && titles.has(field.name)
    && value.form !== 'quoted' && /\d|[€$£]/.test(value.text)],
  ['may mean its body', (setting) => (isSayStatement(setting) || /[.!?]$/.test(setting.value.text)) && setting.field.name === 'title'
    && setting.parts.object.kind !== 'field' && fieldIn(setting.work, ownerOf(setting.field), ['body']) !== undefined],
  ['a long text is not renamed', ({ parts: { verbs, object }, field, start }) => verbs[0] === 'rename' && longTexts.has(field.name)
    && (object.kind !== 'it' || start.touchedField === undefined)],
  ['the field is not empty', (setting) => (isAdded(setting.parts)
    || ((isSayStatement(setting) || setting.parts.verbs[0] === 'use') && saysAlso(setting.work, setting.parts)))
    && isFilled(setting.work, setting.field)],
  ['means its media, not its title', ({ parts: { verbs, object }, work, field }) =>
    verbs[0] !== 'rename' && object.kind === 'block' && field.name === 'title' && ['Embed', 'Video'].includes(blockOf(work, field).type)],
  ['may be a request', ({ parts: { frame, object }, value }) => !frame.hasVerb && object.kind !== 'field' && value.form !== 'quoted'],
  ['may mean the field of the previous clause', ({ parts: { frame, object }, field, start: { touchedField: before } }) =>
    !frame.hasVerb && before !== undefined && object.kind !== 'field' && object.kind !== 'nth' && field.name !== before.name],
  ['may mean the place of the previous clause', ({ parts: { object, has }, field, start: { previousClause, touched } }) =>
    touched !== undefined && touched.id !== field.id && !object.owner && !has('in', 'from', 'lead')
    && previousClause?.chunks.some(({ role, noun }) => role === 'in' && noun?.kind !== 'page') === true],
  ['a field is not set twice', ({ parts: { object }, field, start: { touchedField: before, requests } }) =>
    before !== undefined && sameField(before, field) && ((object.kind === 'it' && requests > 0) || object.kind === 'field') && !object.owner],
]

/** Whether a field is called like a block on the page: `the CTA` is a block, and the button of a hero. */
function namesOtherBlock(work: Work, { end, start }: Noun, { slug, id }: FieldAt): boolean {
  const { tokens, vocabulary } = work.context.parser
  const types = vocabulary.types.find(tokens, end - 1).filter((found) => found.end === end && start >= end - 2).flatMap(({ values }) => values)
  const { blocks } = pageOf(work, slug)
  return blocks.some(({ type }) => types.includes(type)) && !blocks.some((block) => block.id === id && types.includes(block.type))
}

/** Whether a block is called like a field: `the CTA` without `section`. */
const isAlsoField = ({ context: { parser: { tokens, vocabulary } } }: Work, { end, start }: Noun): boolean =>
  tokens.slice(start, end).some((_, at) => vocabulary.fields.find(tokens, start + at).some((found) => found.end === end))

const isNamed = ({ object: { kind, name } }: Parts): boolean => kind === 'name' || (kind === 'row' && name !== undefined)

const titles: ReadonlySet<string> = new Set(['title', 'heading', 'label'])
/** The texts of a banner and a quote. */
const ownTexts: ReadonlySet<string> = new Set(['text', 'quote'])
const longTexts: ReadonlySet<string> = new Set(['quote', 'body', 'description', 'content', 'a'])
const hasLongText = (work: Work, field: FieldAt): boolean =>
  Object.keys(scalarFields(work, ownerOf(field))).some((other) => other !== field.name && longTexts.has(other))

const sameField = (a: FieldAt, b: FieldAt) => a.slug === b.slug && a.id === b.id && a.name === b.name && sameJson(a.row, b.row)

export const isAdded = ({ verbs }: Parts): boolean => verbs.includes('add') && (verbs.includes('use') || verbs.includes('append'))
export const isFilled = (work: Work, field: FieldAt): boolean => (valueOf(work, field) ?? '') !== ''

/** Whether the text is to be added to the current one. */
export const saysAlso = ({ context: { parser } }: Work, { frame: { start, end } }: Parts): boolean =>
  wordsBetween(parser, start, end, 'also').some((at) => parser.tokens[at]?.text === parser.tokens[at]?.word)
