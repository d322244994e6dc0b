import { pagesIn } from '../../content/draft-view.ts'
import { effectiveItemFields, isDeclaredList, labelOf } from '../../content/fields.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { sameJson } from '../../content/same-json.ts'
import { labelledRows, titlesOf } from '../frame/names.ts'
import type { Noun } from '../frame/nouns.ts'
import { sameWords } from '../message/phrases.ts'
import { selectedBlock } from '../resolve/blocks.ts'
import { labelOfBlock } from '../resolve/choose.ts'
import { findField, findOwner, scalarFields, valueOf } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { touchedRow } from '../resolve/rows.ts'
import { ask, unfit } from '../work/ask.ts'
import { type BlockAt, blockOf, type FieldAt, fieldsOf, pageInMind, pageOf, type RowAt, type Work } from '../work/work.ts'
import { type Action, type Parts, textOf } from './action.ts'
import { isRequired, setText, write } from './values.ts'

/** Every place where a text stands as whole words, with the same capitals. */
function replaceText(work: Work, parts: Parts): Work {
  const { text: old, value: by } = parts
  if (!old || !by || old.form !== by.form || (old.form !== 'quoted' && old.form !== 'figure')) return unfit('what is replaced stands in quotes')
  const isFigure = old.form === 'figure'
  if (isFigure && /^\d+$/.test(old.text) && !parts.has('in', 'from') && !work.lead) return unfit('which figure is open')
  if (by.text === '') ask(work.scene.texts.emptyValue)
  if (work.clause?.chunks.some(({ role, value }) => role === 'value' && value?.text === old.text)) return unfit('it may mean the text before the first change')
  if (parts.verbs.includes('swap') && namesBoth(work, old.text, by.text)) return unfit('two things change places')
  const fields = scopeOf(work, parts)
  if (isFigure) refuseSeveral(work, fields, old.text)
  return rewrite(work, fields, old.text, (value) => changedIn(value, (text) => replaced(text, old.text, () => by.text)))
}

/** Whether two things on the page are called so. */
function namesBoth(work: Work, ...texts: readonly string[]): boolean {
  const names = pageOf(work, work.slug).blocks.flatMap((block) => [...titlesOf(block), ...labelledRows(block).flatMap(({ labels }) => labels)])
  return texts.every((text) => names.some((name) => sameWords(name, text)))
}

/** `"Fourteen" should be "Fifteen"`. */
function correct(work: Work, parts: Parts): Work {
  const [text, value, ...others] = parts.all('text').map((chunk) => chunk.value)
  const { isDuty, isNewly } = parts.frame
  return others.length === 0 && isDuty && !isNewly ? replaceText(work, { ...parts, text, value }) : unfit('one text becomes another')
}

/** A figure without quotes is meant once; where it stands more often, which one is open. */
function refuseSeveral(work: Work, fields: readonly FieldAt[], wanted: string): void {
  const places: string[] = []
  for (const field of fields) {
    changedIn(valueOf(work, field), (text) => replaced(text, wanted, () => String(places.push(labelOfBlock(work, blockOf(work, field))))))
  }
  if (places.length > 1) ask(work.scene.texts.whichCalled(wanted, [...new Set(places)]))
}

/** What becomes of a text, and of every text in a list or a table. */
function changedIn(value: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => changedIn(one, change))
  return typeof value === 'string' ? change(value) : value
}

/** The same with nothing instead; blanks that are left over go too. */
function cutText(work: Work, parts: Parts): Work {
  const wanted = textOf(parts.text)
  if (parts.text?.form !== 'quoted') return unfit('what is cut stands in quotes')
  const cut = (text: string) => {
    const rest = replaced(text, wanted, () => '')
    return rest === text ? text : rest.replace(/ {2,}/g, ' ').replace(/ ([.,;:!?])/g, '$1').trim()
  }
  return rewrite(work, scopeOf(work, parts), wanted, (value) => {
    if (typeof value === 'string') return cut(value)
    return sameJson(changedIn(value, cut), value) ? value : ask(work.scene.texts.notInOneSentence)
  })
}

const cutSomewhere = (work: Work, parts: Parts): Work =>
  (parts.has('in') || work.lead ? cutText(work, parts) : ask(work.scene.texts.missingScope, { joint: work.scene.language.joints.scope }))

/** `Write "B" instead of "A"`. */
const replaceInstead = (work: Work, parts: Parts): Work => replaceText(work, { ...parts, text: parts.first('instead')?.value, value: parts.text })

/** `It should be "B" instead of "A"`. */
const correctIt = (work: Work, parts: Parts): Work => (parts.object.kind === 'it' ? replaceInstead(work, parts) : unfit('a field is set to it'))

function append(work: Work, parts: Parts): Work {
  const { verbs, place } = parts
  const added = textOf(parts.text)
  const noun = place?.anchor ?? parts.nouns('to', 'in')[0]
  if (place?.anchor && parts.has('in')) return unfit('two places are named')
  if (place && lines.has(work.scene.ground.tokens[place.start]?.word ?? '')) return unfit('a line of its own is meant')
  if (parts.text?.form !== 'quoted' || !noun) return unfit('what is added stands in quotes')
  if (added.trim() === '') ask(work.scene.texts.emptyValue)
  const field = findField(work, noun)
  const text = textIn(work, field)
  const isFront = place ? place.form === 'front' || place.form === 'before' : verbs.includes('prepend')
  if (!place && !verbs.some((verb) => verb === 'prepend' || verb === 'append')) return unfit('where it goes is open')
  return setText(work, field, isFront ? joined(added, text) : joined(text, added))
}

/** What is below a text is not at its end. */
const lines: ReadonlySet<string> = new Set(['below', 'under', 'underneath', 'beneath', 'above', 'over', 'unter', 'über', 'unterhalb', 'oberhalb'])

const cases: Readonly<Record<string, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  title: (text) => text.toLowerCase().replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase()),
}

/** The verb may say the case itself: `capitalize the heading`. */
const caseVerbs: Readonly<Record<string, string>> = { uppercase: 'upper', lowercase: 'lower', capitalize: 'title', capitalise: 'title' }

function letterCase(work: Work, parts: Parts): Work {
  const { tokens } = work.scene.ground
  const said = tokens.slice(parts.frame.start, parts.frame.end).map(({ word }) => caseVerbs[word]).find((name) => name !== undefined)
  const change = cases[parts.first('case')?.choice ?? said ?? ''] ?? unfit('no case is said')
  const { object } = parts
  const field = object.kind === 'block' || object.kind === 'section' ? saidBy(work, object) : findField(work, object)
  return setText(work, field, change(textIn(work, field)))
}

/** `uppercase the quote` means what it says. */
function saidBy(work: Work, noun: Noun): FieldAt {
  const at = findOwner(work, noun)
  const name = { Banner: 'text', Quote: 'quote' }[blockOf(work, at).type]
  const meta = scalarFields(work, at)[name ?? '']
  return name !== undefined && meta ? { ...at, name, meta } : unfit('a block has more than one text')
}

const searched: ReadonlySet<string> = new Set(['text', 'html', 'richtext', 'imageAlt', 'stringList'])

function textIn(work: Work, field: FieldAt): string {
  const value = valueOf(work, field) ?? ''
  return typeof value === 'string' && searched.has(field.meta.kind) ? value : ask(work.scene.texts.notInOneSentence)
}

/** One blank between, but not before punctuation. */
function joined(first: string, second: string): string {
  const isTight = first === '' || second === '' || first.endsWith(' ') || second.startsWith(' ') || /^(?:[.,;:!?…]|[%+]$)/.test(second)
  return isTight ? first + second : `${first} ${second}`
}

/** Changes fields; asks where a text stands in none of them, or where nothing would be left. */
function rewrite(work: Work, fields: readonly FieldAt[], wanted: string, change: (value: unknown) => unknown): Work {
  const { texts } = work.scene
  if (wanted.trim() === '') ask(texts.emptyValue)
  let after = work
  for (const field of fields) {
    const changed = change(valueOf(work, field))
    if (sameJson(changed, valueOf(work, field))) continue
    if (changed === '' && isRequired(work, field)) ask(texts.wouldBeEmpty(labelOf(field.name, field.meta)))
    after = write(after, field, { [field.name]: changed })
  }
  return after === work ? ask(texts.textNotFound(wanted)) : after
}

/** Replaces whole words and whole figures; at an end that is neither letter nor digit, anything may stand beside it. */
function replaced(text: string, wanted: string, by: () => string): string {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{M}\p{N}]/u.test(character)
  let result = ''
  let done = 0
  if (wanted === '') return text
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    const begins = /^\d/.test(wanted) && /(?:[€$£]\s?|\d[.,:])$/.test(text.slice(0, at))
    const goesOn = /\d$/.test(wanted) && /^(?:\s?[%€$£]|[.,:]\d)/.test(text.slice(end))
    if (at < done || begins || goesOn || (isWord(wanted[0]) && isWord(text[at - 1])) || (isWord(wanted.at(-1)) && isWord(text[end]))) continue
    result += text.slice(done, at) + by()
    done = end
  }
  return result + text.slice(done)
}

/** The texts that are looked through: where the sentence says, of what it began with, or of the page. */
function scopeOf(work: Work, parts: Parts): readonly FieldAt[] {
  const [noun, ...others] = parts.nouns('in', 'from')
  if (others.length > 0) return unfit('two places are named')
  if (!noun) {
    const led = touchedRow(work)
    if (!work.lead) return fieldsOfPage(work, pageInMind(work))
    if (work.touchedField && work.ops.length === 0) return [work.touchedField]
    return led && work.ops.length === 0 ? textsOfRow(work, led) : textsOf(work, work.lead)
  }
  if (noun.kind === 'everywhere' || noun.kind === 'site') return pagesIn(work.draft).flatMap(({ slug }) => fieldsOfPage(work, slug))
  if (noun.page === 'this' && noun.text === '' && selectedBlock(work)) return unfit('the page may be meant, or what is selected')
  if (noun.kind === 'page') return fieldsOfPage(work, findPage(work, noun).slug)
  if (noun.kind === 'field') return [findField(work, noun)]
  const at = findOwner(work, noun)
  return 'listKey' in at ? textsOfRow(work, at) : textsOf(work, at)
}

const fieldsOfPage = (work: Work, slug: string) => pageOf(work, slug).blocks.flatMap(({ id }) => textsOf(work, { slug, id }))

const isSearched = ({ meta }: FieldAt) => searched.has(meta.kind)

const textsOfRow = (work: Work, at: RowAt): readonly FieldAt[] => Object.entries(scalarFields(work, at))
  .map(([name, meta]): FieldAt => ({ slug: at.slug, id: at.id, row: { listKey: at.listKey, index: at.index }, name, meta })).filter(isSearched)

/** The texts of a block and of its rows. */
function textsOf(work: Work, at: BlockAt): readonly FieldAt[] {
  const block = blockOf(work, at)
  const own = Object.entries(scalarFields(work, at)).map(([name, meta]): FieldAt => ({ ...at, name, meta }))
  const inRows = Object.entries(fieldsOf(work, block)).filter(([, meta]) => isDeclaredList(meta)).flatMap(([listKey, list]) => {
    const rows = block.props[listKey]
    return (Array.isArray(rows) ? rows : []).flatMap((row, index) => Object.entries(isPlainObject(row) ? effectiveItemFields(list, row) : {})
      .map(([name, meta]): FieldAt => ({ ...at, row: { listKey, index }, name, meta })))
  })
  return [...own, ...inRows].filter(isSearched)
}

export const textActions: readonly Action[] = [
  { verbs: ['use', 'set', 'replace'], roles: 'instead text in?', does: replaceInstead },
  { verbs: ['replace', 'set'], roles: 'bits? text value in? from?', does: replaceText },
  { verbs: ['be'], roles: 'object text instead in?', does: correctIt },
  { verbs: ['be', 'say'], roles: 'bits? text+ in?', does: correct },
  { verbs: ['remove'], roles: 'bits? text from', does: cutText },
  { verbs: ['remove'], roles: 'bits? text in?', does: cutSomewhere },
  { verbs: ['append', 'prepend', 'put'], roles: 'text place in?', does: append },
  { verbs: ['append', 'prepend', 'put'], roles: 'text to', does: append },
  { verbs: ['case', 'set', 'be'], roles: 'object case? @in?', does: letterCase },
]
