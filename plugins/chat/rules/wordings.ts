/** Whole messages, in English and German, with the sentence of the forms that says the same. */
import { isText, labelOf } from '../../content/fields.ts'
import { ownValue } from '../../content/plain-object.ts'
import { isTexts, wholeWords } from '../../content/replace-text.ts'
import { wordsIn } from '../../content/words.ts'
import { german } from './german.ts'
import { numberOf, singular, wordsOf } from './names.ts'
import { isTitled } from './references.ts'
import { isWritten } from './rewordings.ts'
import { isAsked, spelled, type Tokens } from './tokens.ts'
import { pageTitled } from './translated.ts'
import { blocksOn, filledFields, isPinned, type Item, itemsOf, type PlanState, textsOf } from './work.ts'

const inEnglish = (name: string): string => ownValue(german.names, name.toLowerCase()) ?? name

/** Makes the sentence of what a message says; `undefined` where the page has no such text, or has it twice. */
type Retell = (work: PlanState, ...groups: readonly string[]) => string | undefined

const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1')

const itemsHere = (work: PlanState): readonly Item[] =>
  blocksOn(work, work.slug).flatMap((block) => [block, ...itemsOf(block)])

/** The texts of an item, with their fields. */
const textFields = (item: Item) =>
  filledFields(item).flatMap(([name, meta]) => {
    const value = item.props[name]
    const all: readonly unknown[] = isText(meta) || isTexts(value, meta) ? [value].flat(3) : []
    return all.filter((text) => typeof text === 'string').map((text) => ({ name, meta, text }))
  })

/** A text as it is written on the page, which has it once. */
function once(work: PlanState, wanted: string): string | undefined {
  const words = new RegExp(wholeWords(wanted), 'giu')
  const found = itemsHere(work).flatMap((item) =>
    textFields(item).flatMap(({ text }) => text.match(words)?.filter((each) => !each.startsWith('](')) ?? []),
  )
  return found.length === 1 ? found[0] : undefined
}

/** The signs of a text, with the same one for every word and number. */
const shapeOf = (text: string): string => text.replaceAll(/\d[\d.,]*|\p{L}+/gu, '#')

/** Replaces a text that the page has once; a number alone stands for the only number of the text. */
const exchange: Retell = (work, old = '', by = '') => {
  const there = once(work, unquoted(old))
  if (there === undefined) return undefined
  const now = unquoted(by)
  const isNumber = numberOf(now) !== undefined || /\d/.test(now)
  if (now !== by || !isNumber || shapeOf(there) === shapeOf(now)) return `Change "${there}" to "${now}"`
  const [number, ...others] = wordsIn(there).filter((word) => numberOf(word) !== undefined)
  if (numberOf(now) === undefined || number === undefined || others.length > 0) return undefined
  const changed = there.replace(new RegExp(wholeWords(number), 'iu'), (was) =>
    isWritten.test(was) ? `${now.charAt(0).toUpperCase()}${now.slice(1)}` : now,
  )
  return `Change "${there}" to "${changed}"`
}

/** Gives a new name to what has a name as its title. */
const renamed: Retell = (work, old = '', by = '') =>
  itemsHere(work).some((item) => textsOf(item).includes(unquoted(old))) ? exchange(work, old, by) : undefined

const rowTitled = (work: PlanState, title: string): Item | undefined => {
  const found = itemsHere(work).filter((item) => isTitled(item, wordsOf(title)))
  return found.length === 1 && found[0]?.kind === 'row' ? found[0] : undefined
}

/** Removes the row of a title. */
const removeRow: Retell = (work, title = '', page = '') => {
  const [text] = textsOf(rowTitled(work, unquoted(title)) ?? ({ props: {} } as Item))
  const isHere = page !== 'home' || work.slug === '/'
  return text !== undefined && isHere ? `Remove the "${text}" entry` : undefined
}

/** Removes what only one place says: a row, a section of one line, or a text of its own in a section. */
const removeSaying: Retell = (work, noun = '', words = '') => {
  const wanted = wordsIn(unquoted(words)).map(singular)
  const isOf = (text: string) => wanted.every((word) => wordsIn(text).map(singular).includes(word))
  const isQuestion = /^(?:question|frage)$/i.test(noun)
  const isMeant = (item: Item) => !isQuestion || Object.hasOwn(item.props, 'q')
  const found = itemsHere(work)
    .filter((item) => !isPinned(item) && isMeant(item))
    .flatMap((item) => textFields(item).flatMap((field) => (isOf(field.text) ? [{ item, ...field }] : [])))
  const [only, ...others] = found
  if (!only || others.length > 0 || wanted.length === 0) return undefined
  const [title] = textsOf(only.item)
  const isAlone = textFields(only.item).length === 1
  if (only.item.kind === 'row')
    return title !== undefined && (isQuestion || isAlone) ? `Remove the "${title}" entry` : undefined
  if (isAlone) return `Remove the "${only.text}" section`
  return wordsIn(only.text).length === wanted.length && !only.meta.required && title !== only.text
    ? `Clear the ${labelOf(only.name, only.meta)} of the ${only.item.name}`
    : undefined
}

/** Adds a page to the links of the header, unless they have it. */
const addToMenu: Retell = (work, name = '') => {
  const header = blocksOn(work, work.slug).find(({ type }) => type?.type === 'SiteHeader')
  const page = pageTitled(work, german, unquoted(name))
  const isThere = header && itemsOf(header).some(({ props }) => props['href'] === page?.slug)
  return header && page && !isThere
    ? `Add a link called "${page.name}" with link ${page.slug} to the header`
    : undefined
}

/** Adds a row to the list with a title. */
const addToList: Retell = (work, name = '', title = '') => {
  const lists = blocksOn(work, work.slug).filter((block) => isTitled(block, wordsOf(unquoted(title))))
  const [row] = lists.length === 1 && lists[0] ? itemsOf(lists[0]) : []
  const noun = row?.name.replace(/ \d+$/, '')
  return noun === undefined
    ? undefined
    : `Add a ${singular(noun.toLowerCase())} called "${unquoted(name)}" to ${unquoted(title)}`
}

/** Sets the number that has a label. */
const count: Retell = (work, number, label = '') => {
  const value = rowTitled(work, label)?.props['value']
  return typeof value === 'string' && /\d/.test(value) ? `Change ${label} to ${number}` : undefined
}

/** A text up to the end of the message, with the stop that belongs to it. */
const untilEnd = ({ message, end }: PlanState, text: string): string =>
  text.startsWith('"') ? unquoted(text) : text + (/^[.!]/.exec(message.slice(end)) ?? '')

/** Sets the only text under a title. */
const setTitled: Retell = (work, title = '', text = '') => {
  const [block, ...others] = blocksOn(work, work.slug).filter((each) => isTitled(each, wordsOf(title)))
  const [field, ...more] = block
    ? textFields(block).filter((each) => !isTitled(block, wordsOf(each.text)))
    : []
  return field && others.length + more.length === 0
    ? `Change the ${labelOf(field.name, field.meta)} of the "${title}" section to "${untilEnd(work, text)}"`
    : undefined
}

const setField: Retell = (_work, field = '', text = '') =>
  `Change the ${inEnglish(field)} to "${unquoted(text)}"`
const addQuestion: Retell = (work, question = '', answer = '') =>
  `Add a question "${unquoted(question)}" with the answer "${untilEnd(work, answer)}"`
const removeOf: Retell = (_work, author, noun) => `Remove the ${noun} by ${author}`
const autoplay: Retell = (_work, name = '') => `Change autoplay of the ${inEnglish(name)} to true`

/** Parts of the patterns: `THE`, `IT` and the like. */
const parts: Readonly<Record<string, string>> = {
  THE: '(?:(?:the|die|der|das|den|dem) )?',
  IT: '(?:it|her|him|them|sie|ihn|es)',
  NAME: String.raw`(\p{L}+(?: \p{L}+){0,3}?)`,
  TEXT: '("[^"]+"|[^":;]+?)',
  NUMBER: String.raw`(\d[\d.,]*)`,
  SHOULD: '(?:should|must|has to|soll|sollte|muss)',
  NOW: '(?: by now| now| already| so far| jetzt| nun| inzwischen| schon)?',
  TAKE: '(?:take|remove|delete|drop|cut|nimm|lösche?|entferne?|streiche?)',
  AWAY: '(?: (?:off|out|down|away|raus|weg|heraus))?',
  PLEASE: '(?:please |just |bitte )*',
  STATE: String.raw`(?!(?:not|never|nicht|kein|an?|the|in|on|at|eine?|der|die|das|im|am) )\p{L}+(?: \p{L}+){0,3}`,
  GONE: '(?:löschen|entfernen|raus|weg|herausnehmen|rausnehmen)(?: bitte)?',
}

const wordings: readonly (readonly [pattern: RegExp, retell: Retell])[] = (
  [
    [
      `(?:instead of|statt|anstatt) ("[^"]+"),? (?:(?:it|there|this|we|want|SHOULD|say|read|be|da|dort|es|hier|bitte|please|jetzt) ){1,5}("[^"]+")(?: stehen| heißen)?`,
      exchange,
    ],
    ['where it (?:says|reads) TEXT,? it SHOULD (?:(?:say|read|be) )TEXT', exchange],
    ['(?:da )?wo TEXT steht,? SHOULD (?:da |jetzt )?TEXT stehen', exchange],
    ['where it (?:says|reads) TEXT, (?:write|put) TEXT', exchange],
    [`I (?:don't|do not) like ("[^"]+"),? PLEASE(?:make it|change it to|write) ("[^"]+")`, exchange],
    ['("[^"]+") gefällt mir nicht,? (?:schreib|mach daraus|lieber) PLEASE("[^"]+")', exchange],
    ['THE(?:\\p{Lu}\\p{L}+ )?("[^"]+"|\\p{Lu}[^":;]*?) heißt (?:jetzt|nun|künftig) TEXT', renamed],
    [
      'THENAME (?:(?:is|are|ist|sind) )?(?:too|zu) (?:long|short|boring|lang|kurz)[,:;] PLEASE(?:write|make it|say|schreib|schreibe) PLEASETEXT',
      setField,
    ],
    ['(?:make|mach|mache) THENAME (?:shorter|longer|kürzer|länger): TEXT', setField],
    ['(\\p{L}+(?: \\p{L}+){0,5}): ("[^"]+"|[^"]+)', setTitled],
    [
      'TEXT (?:(?:is|are|ist|sind) STATE|(?:has |have )?(?:left|quit|retired|moved away)|hat (?:gekündigt|aufgehört))[,.;] (?:so |and )?PLEASETAKE ITAWAY(?:(?: of| from)? (?:the|this) (home )?page)?',
      removeRow,
    ],
    [
      'PLEASETAKEAWAY PLEASETHE(line|sentence|note|bit|thing|question|zeile|frage|notiz) (?:about|on|with|that says|saying|mit|über|zu|zum|zur) THETEXT',
      removeSaying,
    ],
    ['THE(zeile|frage|notiz) (?:mit|über|zu|zum|zur) THETEXT PLEASEGONE', removeSaying],
    ['NAME (?:wants|would like) (?:his|her|their) (\\p{L}+) (?:taken down|removed|deleted|gone)', removeOf],
    [
      '(?:new|another|add this|neue|weitere) (?:question|frage): ("[^"]+"|[^"]+?)[,;.]? (?:the )?(?:answer|antwort): ("[^"]+"|[^"]+)',
      addQuestion,
    ],
    ['(?:add|put) THENAME(?: page)? (?:to|in|into) (?:the )?(?:menu|navigation)', addToMenu],
    ['THENAME(?: page)? is missing (?:in|from) (?:the )?(?:menu|navigation)', addToMenu],
    ['im menü fehlt (?:noch )?(?:die seite )?NAME', addToMenu],
    [
      'add (?:a|an|another) (?:new )?\\p{L}+ (?:called )?("[^"]+"|\\p{Lu}[^":,;.]*?) to THE("[^"]+"|[^":,;.]+)',
      addToList,
    ],
    ['let THENAME (?:run|play|start) (?:by itself|on its own|automatically)', autoplay],
    ['THENAME SHOULD (?:von selbst|automatisch|von allein) (?:laufen|starten)', autoplay],
    ['(?:we|there|wir)NOW (?:have|have had|had|are|haben|hatten)NOW NUMBER (\\p{L}+)NOW(?: gehabt)?', count],
  ] as const
).map(([pattern, retell]) => [
  new RegExp(
    `^PLEASE${pattern}$`.replaceAll(
      new RegExp(Object.keys(parts).join('|'), 'g'),
      (part) => parts[part] ?? '',
    ),
    'iu',
  ),
  retell,
])

/** In characters: patterns are tried on short messages. */
const mostLetters = 200

/** The sentences that say what a whole message says; none for a question. */
export function retold(work: PlanState, tokens: Tokens): readonly string[] {
  const message = spelled(work.message, tokens)
  if (message.length > mostLetters || isAsked(work.message.slice(work.end))) return []
  return wordings.flatMap(([pattern, retell]) => {
    const [, ...groups] = pattern.exec(message) ?? []
    return groups.length === 0 ? [] : (retell(work, ...groups.map((each) => (each ?? '').trim())) ?? [])
  })
}
