import { violations } from '../content/check-props.ts'
import { labelOf } from '../content/fields.ts'
import type { FieldMeta } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { itemSchemaOf } from '../content/props-schema.ts'
import { sameJson } from '../content/same-json.ts'
import { readsAsInstruction } from '../content/words.ts'
import { numberOf } from './names.ts'
import { pagesNamed, readPage } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf, textOf, type Token } from './tokens.ts'
import { ask, type FieldAt, type Work } from './work.ts'

/** The new text or setting in a message. */
export interface Value {
  readonly text: string
  readonly isQuoted: boolean
  /** Whether nothing follows in the message: only then it may go without quotes. */
  readonly isLast: boolean
  readonly tokens: readonly Token[]
}

/** Reads a value: quoted, or everything up to the end of the clause. */
export function readValue({ message, end }: Work, tokens: readonly Token[]): Value | undefined {
  const last = tokens.at(-1)
  if (!last) return undefined
  const isQuoted = tokens.length === 1 && last.kind === 'quoted'
  return { text: textOf(message, tokens), isQuoted, isLast: last.end === end, tokens }
}

const wish = /^(?:something|anything|more|less|better)\b/i

/**
 * The literal text of a value; `undefined` if it describes the text instead.
 *
 * Without quotes it has to end the message, and each word has to begin with a capital letter or a digit: words in
 * lower case may be a remark. Otherwise asks for quotes.
 */
export function literal(
  { message, verbs }: Work,
  { text, isQuoted, isLast, tokens }: Value,
): string | undefined {
  if (text.trim() === '') return ask(texts.emptyValue)
  if (isQuoted) return text
  const isNextClause = ({ word }: Token, at: number) =>
    verbs.has(word) && /^(?:and|then|[,;.])$/.test(tokens[at - 1]?.word ?? '')
  if (wish.test(text) || tokens.some(({ kind }) => kind === 'quoted') || tokens.some(isNextClause))
    return undefined
  if (isLast && text.split(/\s+/).every((word) => /^(?:[\p{Lu}\d][\p{L}\p{M}\d'’.-]*|&)$/u.test(word)))
    return text
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!first || !last) return undefined
  const confirms = `${message.slice(0, first.start)}"${text}"${message.slice(last.end)}`
  return ask(texts.wantsQuotes(text), text.includes('"') ? {} : { confirms })
}

/** Whether an address is safe to link to: no scripts, no addresses without a scheme. */
const isAddress = (text: string): boolean =>
  /^(?:https?:\/\/[^\s/]+\S*|mailto:[^\s@]+@\S+|tel:[+\d][\d().-]*|\/(?![/\\])\S*|#\S+)$/i.test(text) &&
  !/[<>"\\]/.test(text)

/** Whether an address can be that of an image; an address without a host needs the ending of one. */
const isImageAddress = (text: string): boolean =>
  isAddress(text) &&
  /^(?:https?:\/\/[^/]+\/.*(?<!\.(?:mp4|webm|mov|pdf|html?))|\/.*\.(?:jpe?g|png|gif|webp|avif|svg)(?:\?.*)?)$/i.test(
    text,
  )

/** The value of a field; `undefined` if the message describes it instead. Asks if the field does not admit it. */
export function valueFor(
  work: Work,
  { name, meta, value: current }: Pick<FieldAt, 'name' | 'meta' | 'value'>,
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
    case 'headingLevel':
      return optionFor(meta, text) ?? ask(texts.options(label, optionsOf(meta)))
    case 'number':
      return /^\d{1,12}$/.test(text) ? Number(text) : ask(texts.wants(label, 'number'))
    case 'color':
      return /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text) ? text : ask(texts.wants(label, 'color'))
    case 'image':
      return isImageAddress(text) ? text : ask(texts.wants(label, 'image'))
    case 'link':
    case 'url': {
      const href = addressFor(work, value) ?? ask(texts.wants(label, 'link'))
      return typeof current === 'object' && current !== null ? { ...current, href } : href
    }
    default:
      return ask(texts.notByText(label))
  }
}

const optionsOf = ({ kind, options = [] }: FieldMeta): readonly string[] =>
  kind === 'headingLevel' ? ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] : options

function optionFor(meta: FieldMeta, text: string): string | undefined {
  const plain = (word: string) => word.toLowerCase().replace(/[-_\s]+/g, ' ')
  const switches: Readonly<Record<string, string>> = { on: 'true', yes: 'true', off: 'false', no: 'false' }
  const wanted = [
    plain(text),
    numberOf(text),
    Object.hasOwn(switches, plain(text)) ? switches[plain(text)] : undefined,
  ]
  return optionsOf(meta).find((option) => wanted.includes(plain(option)))
}

/** An address as it stands, or that of the page that a value names. */
export function addressFor(work: Work, { text, tokens }: Pick<Value, 'text' | 'tokens'>): string | undefined {
  if (isAddress(text.trim())) return text.trim()
  const pages = readPage(work, tokens)?.candidates ?? pagesNamed(work, phraseOf(tokens))
  return pages.length === 1 ? pages[0]?.slug : undefined
}

/** The operation that sets fields of one block or row; none if they are already so. */
export function setFields(
  at: FieldAt['at'],
  values: Readonly<Record<string, unknown>>,
): readonly Operation[] {
  const current = 'listKey' in at ? at.row : at.block.props
  const patch = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !sameJson(current[name], value)),
  )
  if (Object.keys(patch).length === 0) return []
  const target = { pageSlug: at.slug, blockId: at.block.id }
  return 'listKey' in at
    ? [{ op: 'update_item', ...target, listKey: at.listKey, index: at.index, patch }]
    : [{ op: 'update_props', ...target, patch }]
}

/** Whether a field must not be empty. */
export function isRequired({ at, name, meta }: FieldAt): boolean {
  const schema = at.type?.propsSchema
  const owner = 'listKey' in at ? itemSchemaOf(schema?.properties?.[at.listKey]) : schema
  const own = owner?.properties?.[name]
  return meta.required === true || (own !== undefined && violations(own, '', name).length > 0)
}
