import { labelOf } from '../../../content/field-meta.ts'
import { effectiveItemFields, isDeclaredList } from '../../../content/fields.ts'
import { isPlainObject } from '../../../content/plain-object.ts'
import { sameJson } from '../../../content/same-json.ts'
import { Ask } from '../ask.ts'
import { pagesIn } from '../../../content/draft-view.ts'
import type { Node, Parts } from '../grammar/node.ts'
import { findBlock } from '../resolve/blocks.ts'
import { findField, scalarFields, valueOf } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { labelOfBlock } from '../resolve/references.ts'
import { findRow } from '../resolve/rows.ts'
import { blockOf, fieldsOf, pageInMind, pageOf, touchedRow, type BlockAt, type FieldAt, type RowAt, type Work } from '../work.ts'
import { need, textOf, type Action } from './action.ts'
import { isRequired } from './required.ts'
import { setText, write } from './set-field.ts'

/** Every place where a text stands as whole words, with the same capitals. */
export const replaceText: Action = (work, parts) => {
  const wanted = textOf(need(parts, 'a'))
  const by = textOf(need(parts, 'b'))
  if (by === '') throw new Ask({ question: work.scene.texts.emptyValue })
  const fields = fieldsInScope(work, parts['scope'])
  const change = (text: string) => replaced(text, wanted, () => by)
  if (need(parts, 'a').slot === 'Figure') refuseSeveral(work, fields, wanted)
  return rewrite(work, fields.map((field) => [field, changedIn(valueOf(work, field), change)] as const), wanted)
}

/** A figure without quotes is meant once; where it stands more often, nobody knows which. */
function refuseSeveral(work: Work, fields: readonly FieldAt[], wanted: string): void {
  const places = fields.flatMap((field) => {
    let count = 0
    changedIn(valueOf(work, field), (text) => replaced(text, wanted, () => String(count += 1)))
    return Array.from({ length: count }, () => labelOfBlock(work, blockOf(work, field)))
  })
  if (places.length > 1) throw new Ask({ question: work.scene.texts.whichCalled(wanted, [...new Set(places)]) })
}

/** What becomes of a text, and of every text in a list or a table. */
function changedIn(value: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => changedIn(one, change))
  return typeof value === 'string' ? change(value) : value
}

/** The same with nothing instead; blanks that are left over go too. */
export const cutText: Action = (work, parts) => {
  const wanted = textOf(need(parts, 'a'))
  const cut = (text: string) => {
    const rest = replaced(text, wanted, () => '')
    return rest === text ? text : rest.replace(/ {2,}/g, ' ').replace(/ ([.,;:!?])/g, '$1').trim()
  }
  return rewrite(work, fieldsNamed(work, parts).map((field) => [field, cutFrom(work, valueOf(work, field), cut)] as const), wanted)
}

/** An entry of a list or a table is nothing that words are taken out of: it might be left empty. */
function cutFrom(work: Work, value: unknown, cut: (text: string) => string): unknown {
  if (typeof value === 'string') return cut(value)
  if (!sameJson(changedIn(value, cut), value)) throw new Ask({ question: work.scene.texts.notInOneSentence })
  return value
}

export const append: Action = (work, parts, detail) => {
  const field = findField(work, need(parts, 'field'))
  const added = textOf(need(parts, 'v'))
  if (added.trim() === '') throw new Ask({ question: work.scene.texts.emptyValue })
  const text = textIn(work, field)
  return setText(work, field, detail === 'start' ? joined(added, text) : joined(text, added))
}

export const letterCase: Action = (work, parts, detail) => {
  const field = findField(work, need(parts, 'field'))
  return setText(work, field, (letterCases[detail] ?? String)(textIn(work, field)))
}

const letterCases: Readonly<Record<string, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  title: (text) => text.toLowerCase().replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase()),
}

function textIn(work: Work, field: FieldAt): string {
  const { texts } = work.scene
  const value = valueOf(work, field) ?? ''
  if (typeof value !== 'string' || !searched.has(field.meta.kind)) throw new Ask({ question: texts.notInOneSentence })
  return value
}

/** One blank between, but not before punctuation. */
function joined(first: string, second: string): string {
  const isTight = first === '' || second === '' || first.endsWith(' ') || second.startsWith(' ') || /^[.,;:!?…]/.test(second)
  return isTight ? first + second : `${first} ${second}`
}

const searched: ReadonlySet<string> = new Set(['text', 'html', 'richtext', 'imageAlt', 'stringList'])

/** Writes what became of fields; asks where nothing did, or too much. */
function rewrite(work: Work, changes: readonly (readonly [field: FieldAt, changed: unknown])[], wanted: string): Work {
  const { texts } = work.scene
  if (wanted.trim() === '') throw new Ask({ question: texts.emptyValue })
  let after = work
  for (const [field, changed] of changes) {
    if (sameJson(changed, valueOf(work, field))) continue
    if (changed === '' && isRequired(work, field)) throw new Ask({ question: texts.wouldBeEmpty(labelOf(field.name, field.meta)) })
    after = write(after, field, { [field.name]: changed })
  }
  if (after === work) throw new Ask({ question: texts.textNotFound(wanted) })
  return after
}

/** Replaces whole words and whole figures; at an end that is neither letter nor digit, anything may stand beside it. */
function replaced(text: string, wanted: string, by: () => string): string {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{M}\p{N}]/u.test(character)
  let result = ''
  let done = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    const isInFigure = (/^\d/.test(wanted) && /\d[.,:]$/.test(text.slice(0, at))) || (/\d$/.test(wanted) && /^[.,:]\d/.test(text.slice(end)))
    const isInside = isInFigure || (isWord(wanted[0]) && isWord(text[at - 1])) || (isWord(wanted.at(-1)) && isWord(text[end]))
    if (at < done || isInside) continue
    result += text.slice(done, at) + by()
    done = end
  }
  return result + text.slice(done)
}

function fieldsInScope(work: Work, scope: Node | undefined): readonly FieldAt[] {
  if (scope?.form === 'everywhere') return pagesIn(work.draft).flatMap(({ slug }) => fieldsOfPage(work, slug))
  return fieldsNamed(work, scope?.parts ?? {})
}

function fieldsNamed(work: Work, { field, block, page, row, scope }: Parts): readonly FieldAt[] {
  if (scope) return fieldsInScope(work, scope)
  if (field) return [findField(work, field)]
  if (row) return textsOfRow(work, findRow(work, row))
  if (block) return textsOf(work, findBlock(work, block))
  const led = touchedRow(work)
  if (!page && work.lead && led && work.ops.length === 0) return textsOfRow(work, led)
  if (!page && work.lead) return textsOf(work, work.lead)
  return fieldsOfPage(work, page ? findPage(work, page).slug : pageInMind(work))
}

const fieldsOfPage = (work: Work, slug: string) => pageOf(work, slug).blocks.flatMap(({ id }) => textsOf(work, { slug, id }))

const textsOfRow = (work: Work, at: RowAt): readonly FieldAt[] => Object.entries(scalarFields(work, at))
  .map(([name, meta]): FieldAt => ({ slug: at.slug, id: at.id, row: { listKey: at.listKey, index: at.index }, name, meta }))
  .filter(({ meta }) => searched.has(meta.kind))

/** The texts of a block and of its rows. */
function textsOf(work: Work, at: BlockAt): readonly FieldAt[] {
  const block = blockOf(work, at)
  const own = Object.entries(scalarFields(work, at)).map(([name, meta]): FieldAt => ({ ...at, name, meta }))
  const lists = Object.entries(fieldsOf(work, block)).filter(([, meta]) => isDeclaredList(meta))
  const inRows = lists.flatMap(([listKey, list]) => {
    const rows = block.props[listKey]
    return (Array.isArray(rows) ? rows : []).flatMap((row, index) => Object.entries(isPlainObject(row) ? effectiveItemFields(list, row) : {})
      .map(([name, meta]): FieldAt => ({ ...at, row: { listKey, index }, name, meta })))
  })
  return [...own, ...inRows].filter(({ meta }) => searched.has(meta.kind))
}
