import { pagesIn } from '../../content/draft-view.ts'
import { labelOf } from '../../content/fields.ts'
import { sameJson } from '../../content/same-json.ts'
import { labelledRows, titlesOf } from '../frame/names.ts'
import { isHere } from '../frame/noun.ts'
import { isWord } from '../frame/parser.ts'
import { sameWords } from '../message/phrases.ts'
import { findBlock, selectedBlock } from '../resolve/blocks.ts'
import { labelOfBlock } from '../resolve/choose.ts'
import { fieldsAt, ownersIn, valueOf } from '../resolve/block-fields.ts'
import { findField, findOwner } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { touchedRow } from '../resolve/rows.ts'
import { ask, reject } from '../work/ask.ts'
import { type BlockAt, blockOf, currentPage, type FieldAt, pageOf, type RowAt, type Work } from '../work/work.ts'
import { type Action, type Parts, textOf } from './action.ts'
import { blockTextField } from './fields.ts'
import { isFile, isRequired, setText, write } from './values.ts'

/** Replaces all occurrences of a text: complete words, case-sensitive. */
function replaceText(work: Work, parts: Parts): Work {
  const { text: old, value: by } = parts
  if (!old || !by || old.form !== by.form || (old.form !== 'quoted' && old.form !== 'figure')) return reject('both texts must be quoted, or figures')
  const isFigure = old.form === 'figure'
  if (isFigure && /^\d+$/.test(old.text) && !parts.has('in', 'from') && !work.lead) return reject('ambiguous figure')
  if (isFile(by.text) && !isFile(old.text)) return reject('the address of a media file is not a text')
  const signs = (text: string) => text.replace(/[^€$£%]/g, '')
  if (isFigure && signs(old.text) !== signs(by.text)) return reject('the unit may be left out')
  const isAmount = isFigure && parts.verbs[0] !== 'replace' && isWord(work.context.parser, parts.first('value')?.start ?? -1, 'by')
  if (isAmount) return reject('may be a change by an amount')
  if (by.text === '') ask(work.context.texts.emptyValue)
  if (work.previousClause?.chunks.some(({ role, value }) => role === 'value' && value?.text === old.text)) return reject('may mean the text before the previous change')
  // A word is not an icon.
  const fields = scopeOf(work, parts).filter(({ name }) => name !== 'icon' || !/\p{L}/u.test(by.text))
  const occurs = (wanted: string) => fields.some((field) => JSON.stringify(valueOf(work, field) ?? '').includes(wanted))
  const isSwap = parts.verbs.includes('swap') && (namesBoth(work, old.text, by.text) || (occurs(old.text) && occurs(by.text)))
  if (isSwap) return reject('two things are swapped')
  if (isFigure) requireSingle(work, fields, old.text)
  if (parts.verbs[0] === 'rename') requireSingle(work, fields, old.text)
  return rewrite(work, fields, old.text, (value) => mapStrings(value, (text) => replaceWords(text, old.text, () => by.text)))
}

/** Whether each text names something on the page. */
function namesBoth(work: Work, ...texts: readonly string[]): boolean {
  const names = pageOf(work, work.slug).blocks.flatMap((block) => [...titlesOf(block), ...labelledRows(block).flatMap(({ labels }) => labels)])
  return texts.every((text) => names.some((name) => sameWords(name, text)))
}

/** `"Fourteen" should be "Fifteen"`. */
function correct(work: Work, parts: Parts): Work {
  const [text, value, ...others] = parts.all('text').map((chunk) => chunk.value)
  const { isDuty, isNewly } = parts.frame
  return others.length === 0 && isDuty && !isNewly ? replaceText(work, { ...parts, text, value }) : reject('not a correction of one text')
}

/** Asks if an unquoted figure, or a text to rename, occurs more than once. */
function requireSingle(work: Work, fields: readonly FieldAt[], wanted: string): void {
  const places: string[] = []
  for (const field of fields) {
    mapStrings(valueOf(work, field), (text) => replaceWords(text, wanted, () => String(places.push(labelOfBlock(work, blockOf(work, field))))))
  }
  if (places.length > 1) ask(work.context.texts.whichCalled(wanted, [...new Set(places)]))
}

/** Maps a string, or every string in a list or table. */
function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => mapStrings(one, change))
  return typeof value === 'string' ? change(value) : value
}

/** What remains of emphasis, a link, a list item or a sentence that was cut out. */
const leftover = /\*\* |\*{4}|\[\]\(|^[-*]\s*$|[,–—]\.|[–—] [–—]/gm

/** Removes all occurrences of a text, with the blanks left over. */
function cutText(work: Work, parts: Parts): Work {
  const wanted = textOf(parts.text)
  if (parts.text?.form !== 'quoted') return reject('the text must be quoted')
  const cut = (text: string) => {
    const rest = replaceWords(text, wanted, () => '')
    const tidy = rest === text ? text : rest.replace(/ {2,}/g, ' ').replace(/ ([.,;:!?])/g, '$1').trim()
    const leftovers = (of: string) => of.match(leftover)?.length ?? 0
    return leftovers(tidy) > leftovers(text) ? reject('would leave broken punctuation or markup') : tidy
  }
  return rewrite(work, scopeOf(work, parts), wanted, (value) => {
    if (typeof value === 'string') return cut(value)
    return sameJson(mapStrings(value, cut), value) ? value : ask(work.context.texts.notInOneSentence)
  })
}

const cutInScope = (work: Work, parts: Parts): Work =>
  (parts.has('in') || work.lead ? cutText(work, parts) : ask(work.context.texts.missingScope, { joint: work.context.language.joints.scope }))

/** `Write "B" instead of "A"`. */
const replaceInstead = (work: Work, parts: Parts): Work => replaceText(work, { ...parts, text: parts.first('instead')?.value, value: parts.text })

/** `It should be "B" instead of "A"`. */
const correctIt = (work: Work, parts: Parts): Work => (parts.object.kind === 'it' ? replaceInstead(work, parts) : reject('not `it`'))

function append(work: Work, parts: Parts): Work {
  const { verbs, place } = parts
  const added = textOf(parts.text)
  const noun = place?.anchor ?? parts.nouns('to', 'in')[0]
  if (place?.anchor && parts.has('in')) return reject('two scopes')
  if (place?.form === 'nth') return reject('not a place in a text')
  if (place && isWord(work.context.parser, place.start, 'aboveBelow')) return reject('means a separate line')
  if (parts.text?.form !== 'quoted' || !noun) return reject('the text must be quoted, with a target')
  if (added.trim() === '') ask(work.context.texts.emptyValue)
  const field = findField(work, noun)
  const text = textIn(work, field)
  const isFront = place ? place.form === 'front' || place.form === 'before' : verbs.includes('prepend')
  const isAffix = (isFront ? /^[^\p{L}\p{N}]{1,2}$/u : /^(?:(?![.,;:!?…%+])\S{1,2}|[-/]\S*)$/).test(added)
  const isListItem = /^\s*(?:[-*•]|\d+\.) /.test(text.slice(text.lastIndexOf('\n') + 1))
  if (isAffix || (!isFront && isListItem)) return reject('may be a part of a word or list item')
  if (!place && !verbs.some((verb) => verb === 'prepend' || verb === 'append')) return reject('no target')
  return setText(work, field, isFront ? joinTexts(added, text) : joinTexts(text, added))
}

const cases: Readonly<Record<string, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  title: (text) => text.toLowerCase().replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase()),
}

/** The verb may name the case: `capitalize the heading`. */
const caseVerbs: Readonly<Record<string, string>> = { uppercase: 'upper', lowercase: 'lower', capitalize: 'title', capitalise: 'title' }

function letterCase(work: Work, parts: Parts): Work {
  const { tokens } = work.context.parser
  const said = tokens.slice(parts.frame.start, parts.frame.end).map(({ word }) => caseVerbs[word]).find((name) => name !== undefined)
  const change = cases[parts.first('case')?.choice ?? said ?? ''] ?? reject('no letter case')
  const { object } = parts
  const isBlock = object.kind === 'block' || object.kind === 'section'
  const isWordBefore = object.kind === 'it' && work.previousClause?.chunks.some(({ role }) => role === 'text')
  if (isWordBefore) return reject('may mean the word of the previous clause')
  const field = isBlock ? blockTextField(work, findBlock(work, object), false, true) : findField(work, object)
  const text = textIn(work, field)
  return text.includes('](') ? reject('would change the address of a link') : setText(work, field, change(text))
}

const textKinds: ReadonlySet<string> = new Set(['text', 'html', 'richtext', 'imageAlt', 'stringList'])

function textIn(work: Work, field: FieldAt): string {
  const value = valueOf(work, field) ?? ''
  return typeof value === 'string' && textKinds.has(field.meta.kind) ? value : ask(work.context.texts.notInOneSentence)
}

/** Joins with a blank, but not before punctuation. */
function joinTexts(first: string, second: string): string {
  const isTight = first === '' || second === '' || first.endsWith(' ') || second.startsWith(' ') || /^(?:[.,;:!?…]|[%+]$)/.test(second)
  return isTight ? first + second : `${first} ${second}`
}

/** Changes fields; asks if none contains the text, or if a required field would be empty. */
function rewrite(work: Work, fields: readonly FieldAt[], wanted: string, change: (value: unknown) => unknown): Work {
  const { texts } = work.context
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

/** Replaces complete words and figures; a boundary is required only next to a letter or digit of the text. */
function replaceWords(text: string, wanted: string, by: () => string): string {
  const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{M}\p{N}]/u.test(character)
  const [beginsWord, endsWord] = [isLetter(wanted[0]), isLetter(wanted.at(-1))]
  const [beginsFigure, endsFigure] = [/^\d/.test(wanted), /\d$/.test(wanted)]
  const isInTarget = linkTargetsIn(text)
  const parts: string[] = []
  let [copied, found] = [0, 0]
  if (wanted === '') return text
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    found++
    if (found > mostFound) return reject('occurs too often')
    const end = at + wanted.length
    const hasFigureBefore = beginsFigure && /(?:[€$£]\s?|\d[.,:])$/.test(text.slice(Math.max(0, at - 2), at))
    const hasFigureAfter = endsFigure && /^(?:\s?[%€$£]|[.,:]\d)/.test(text.slice(end, end + 2))
    if (isInTarget(at) || at < copied || hasFigureBefore || hasFigureAfter || (beginsWord && isLetter(text[at - 1])) || (endsWord && isLetter(text[end]))) continue
    // The hyphen of `check-up` is not a dash.
    if (!beginsWord && isLetter(text[at - 1]) && isLetter(text[end])) continue
    parts.push(text.slice(copied, at), by())
    copied = end
  }
  return parts.join('') + text.slice(copied)
}

/** The maximum occurrences of a text in another. */
const mostFound = 50_000

/** Returns a test for positions in the address of a link, to be asked in ascending order. */
function linkTargetsIn(text: string): (at: number) => boolean {
  let [target, end, searched] = [-1, -1, 0]
  return (at) => {
    for (; searched <= at; searched++) {
      if (text.startsWith('](', searched)) target = searched
      if (text[searched] === ')') end = searched
    }
    return target > end
  }
}

/** The text fields in scope: as named in the clause, else of the lead, else of the page. */
function scopeOf(work: Work, parts: Parts): readonly FieldAt[] {
  const [noun, ...others] = parts.nouns('in', 'from')
  if (others.length > 0) return reject('two scopes')
  if (!noun) {
    const isScoped = work.previousClause?.chunks.some(({ role }) => role === 'in' || role === 'from')
    if (isScoped) return reject('may mean the place of the previous clause')
    if (!work.lead) return selectedBlock(work) && !work.touched ? reject('may mean the selection') : fieldsOfPage(work, currentPage(work))
    if (work.touchedField && work.ops.length === 0) return [work.touchedField]
    return textsOf(work, (work.ops.length === 0 ? touchedRow(work) : undefined) ?? work.lead)
  }
  if (noun.kind === 'everywhere' || noun.kind === 'site') return pagesIn(work.draft).flatMap(({ slug }) => fieldsOfPage(work, slug))
  if (isHere(noun) && selectedBlock(work)) return reject('may mean the page or the selection')
  if (noun.kind === 'page') return fieldsOfPage(work, findPage(work, noun).slug)
  if (noun.kind === 'field') return [findField(work, noun)]
  return textsOf(work, findOwner(work, noun))
}

const fieldsOfPage = (work: Work, slug: string) => pageOf(work, slug).blocks.flatMap(({ id }) => textsOf(work, { slug, id }))

/** The text fields of a row, or of a block and its rows. */
const textsOf = (work: Work, at: BlockAt | RowAt): readonly FieldAt[] =>
  ('listKey' in at ? [at] : ownersIn(work, at)).flatMap((owner) => fieldsAt(work, owner))
    .filter(({ meta }) => textKinds.has(meta.kind))

export const textActions: readonly Action[] = [
  { verbs: ['use', 'set', 'replace'], roles: 'instead text in?', run: replaceInstead },
  { verbs: ['replace', 'set'], roles: 'bits? text value in? from?', run: replaceText },
  { verbs: ['be'], roles: 'object text instead in?', run: correctIt },
  { verbs: ['be', 'say'], roles: 'bits? text+ in?', run: correct },
  { verbs: ['remove'], roles: 'bits? text from', run: cutText },
  { verbs: ['remove'], roles: 'bits? text in?', run: cutInScope },
  { verbs: ['append', 'prepend', 'put'], roles: 'text place in?', run: append },
  { verbs: ['append', 'prepend', 'put'], roles: 'text to', run: append },
  { verbs: ['case', 'set', 'be'], roles: 'object case? @in?', run: letterCase },
]
