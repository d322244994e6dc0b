import { labelOf } from '../../content/fields.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { readsAsInstruction } from '../../content/words.ts'
import { numberOf } from './names.ts'
import { readDestination } from './places.ts'
import { readField } from './field-references.ts'
import { pagesNamed, readItem, readPage } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf, type Tokens } from './tokens.ts'
import { ask, type ItemField, type PlanState } from './work.ts'

/** Reads a new text or setting: quoted, or everything up to the end of the clause. */
export function readValue({ message, end }: PlanState, words: Tokens) {
  // `to say "Hello"`
  const tokens = /^(?:say|read)$/.test(words[0]?.text ?? '') && words.length > 1 ? words.slice(1) : words
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!first || !last) return undefined
  const isQuoted = tokens.length === 1 && first.kind === 'quoted'
  const text = isQuoted ? first.text : message.slice(first.start, last.end).trim()
  /** Only if nothing follows in the message, a value may go without quotes. */
  const isLast = last.end === end
  return { text, isQuoted, isLast, tokens }
}
export type Value = Readonly<NonNullable<ReturnType<typeof readValue>>>

/** Reads a title: a value behind a word such as "called", or quoted text. */
export function readTitle(work: PlanState, tokens: Tokens): Value | undefined {
  const isCalled = /^(?:called|named|titled)$/.test(tokens[0]?.word ?? '')
  const value = readValue(work, isCalled ? tokens.slice(1) : tokens)
  return isCalled || value?.isQuoted ? value : undefined
}

/** In tokens. */
const longestPlace = 16
const wish = /^(?:something|anything|more|less|better)\b/

/**
 * The literal text of a value; `undefined` if it describes the text instead.
 *
 * Without quotes it has to end the message, to begin with a capital letter or a digit, and to leave no place or clause behind
 * it that could be a part of the request. Otherwise asks for quotes.
 */
export function literal(work: PlanState, { text, isQuoted, isLast, tokens }: Value): string | undefined {
  const [start = 0, end = 0] = [tokens[0]?.start, tokens.at(-1)?.end]
  if (text.trim() === '')
    return ask(texts.emptyValue, isLast ? { opening: work.message.slice(0, start) } : {})
  if (isQuoted) return text
  if (wish.test(text) || tokens.some(({ kind }) => kind === 'quoted')) return undefined
  const last = tokens.slice(1).slice(-longestPlace)
  const isPlaced = last.some((_, at) => readDestination(work, last.slice(at)))
  // `the subheading` is another field, and `nine in the hero` a text and its place, or not.
  if (/^\p{Ll}/u.test(text) && isNamed(work, tokens)) return undefined
  const isOwned = last.some(
    (_, at) => /^(?:in|on|of|from)$/.test(last[at]?.word ?? '') && isNamed(work, last.slice(at + 1)),
  )
  if (isOwned) return ask(texts.missingValue, isLast ? { opening: work.message.slice(0, start) } : {})
  const isWhole = isLast && !isPlaced && !work.cuts.some((cut) => cut > start && cut < end)
  if (isWhole && /^[\p{Lu}\d]/u.test(text)) return text
  const confirms = `${work.message.slice(0, start)}"${text}"${work.message.slice(end)}`
  return ask(texts.wantsQuotes(text), text.includes('"') ? {} : { confirms })
}

/** Whether words name a section, a row, a page or a field. */
const isNamed = (work: PlanState, tokens: Tokens): boolean =>
  [readItem, readField].some((read) => (read(work, tokens)?.candidates.length ?? 0) > 0) ||
  /^(?:menu|navigation)$/.test(phraseOf(tokens))

const address = /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))\S*$/i
/** An address without a host needs the ending of an image. */
const imageAddress = /^(?=\S+$)(?:https?:\/\/.|\/.+?\.(?:jpe?g|png|gif|webp|avif|svg)(?:\?|$))/i

/** The value of a field; `undefined` if the message describes it instead. Asks if the field does not admit it. */
export function valueFor(
  work: PlanState,
  { name, meta, item }: Pick<ItemField, 'name' | 'meta'> & Partial<ItemField>,
  value: Value,
): unknown {
  const label = labelOf(name, meta)
  const text = value.text.trim()
  switch (meta.kind) {
    case 'text':
    case 'html':
    case 'richtext':
      return literal(work, value)
    case 'imageAlt':
      return readsAsInstruction(text) ? undefined : literal(work, value)
    case 'enum':
    case 'headingLevel': {
      const options = meta.kind === 'enum' ? (meta.options ?? []) : ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
      return optionIn(options, text) ?? ask(texts.options(label, options))
    }
    case 'number':
      return /^\d{1,12}$/.test(text) ? Number(text) : ask(texts.wants(label, 'number'))
    case 'color':
      return /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text) ? text : ask(texts.wants(label, 'color'))
    case 'image':
      return imageAddress.test(text) ? text : ask(texts.wants(label, 'image'))
    case 'link':
    case 'url': {
      const href = addressIn(work, value) ?? ask(texts.wants(label, 'link'))
      const current = item?.props[name]
      return isPlainObject(current) ? { ...current, href } : href
    }
    default:
      return ask(texts.notByText(label))
  }
}

const switches = new Map(Object.entries({ on: 'true', yes: 'true', off: 'false', no: 'false' }))

function optionIn(options: readonly string[], text: string): string | undefined {
  const plain = (word: string) => word.toLowerCase().replace(/[-_\s]+/g, ' ')
  const wanted = [plain(text), numberOf(text), switches.get(plain(text))]
  return options.find((option) => wanted.includes(plain(option)))
}

/** An address as it is, or that of the page that a value names. */
function addressIn(work: PlanState, { text, tokens }: Value): string | undefined {
  if (address.test(text.trim())) return text.trim()
  const pages = readPage(work, tokens)?.candidates ?? pagesNamed(work, phraseOf(tokens))
  return pages.length === 1 ? pages[0]?.slug : undefined
}
