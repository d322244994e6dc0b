import { visit } from 'jsonc-parser'
import { pace } from '../../kernel/index.ts'
import { rowKey, withoutGeneratedId } from '../content/items.ts'
import { parseExactly } from '../content/numbers.ts'
import { isPlainObject, ownValue, parsedJson, sameJson } from '../content/plain-object.ts'

/** A property of an object or an element of an array, by its positions in the text of that. */
interface JsonPart {
  /** The name of a property. */
  readonly name: string | undefined
  /** What is between the name and the value. */
  readonly colon: string
  readonly from: number
  readonly valueFrom: number
  readonly to: number
}

/** A value to write into an object or array, and the part that it was. */
interface Entry {
  readonly name?: string
  readonly value: unknown
  /** The place of its part. */
  readonly at: number | undefined
  readonly old: unknown
}

/** How values that the text does not have are laid out. */
interface Layout {
  /** The line end and the indentation around the value. */
  readonly line: string
  /** One step of indentation; empty for values on one line. */
  readonly step: string
}

/** Returns a text without its byte order mark, which editors on Windows write and which is not JSON. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

/**
 * Returns the JSON of a value in the form of an earlier text: what did not change keeps its bytes, so do the
 * order of keys, indentation, line ends, a byte order mark and the end of the text.
 *
 * Elements of arrays are found again by id or slug, else by position; a generated id of a row is not added. A
 * text that is not JSON, or empty, has no form: the value is indented by two blanks.
 */
export async function inFormOf(before: string, value: unknown): Promise<string> {
  const old = parsedJson(withoutMark(before), parseExactly)
  // This trims the mark too.
  const text = before.trim()
  if (old === undefined || !/\w/.test(text)) return `${JSON.stringify(value, null, 2)}\n`
  const [, line = '', step = ''] = /(\r?\n)([ \t]+)/.exec(text) ?? []
  if (isSame(old, value)) return before
  const start = before.indexOf(text)
  const written = await rewritten(text, { old, value, layout: { line, step } })
  return `${before.slice(0, start)}${written}${before.slice(start + text.length)}`
}

/** A generated id of a row that the text does not have is not a change. */
const isSame = (old: unknown, value: unknown): boolean => sameJson(old, value, withoutGeneratedId)

/** Returns the JSON of a value that is not that of the text. */
async function rewritten(
  text: string,
  { old, value, layout }: { readonly old: unknown; readonly value: unknown; readonly layout: Layout },
): Promise<string> {
  await pace()
  const parts = jsonPartsOf(text)
  const [first, second] = parts
  const entries = first && entriesOf(old, value, parts)
  if (!first || !entries || entries.length === 0) return laidOut(value, layout)
  const open = text.slice(1, first.from)
  const between = second ? text.slice(first.to, second.from) : `,${open}`
  const sample = Array.isArray(old) ? text.slice(first.from, first.to) : text
  const inner = {
    line: open.includes('\n') ? open : layout.line,
    step: sample.includes('\n') ? layout.step : '',
  }
  const spliced = spliceOf(text)
  spliced.copy(0, first.from)
  let next = 0
  for (const [n, { name, value, at, old }] of entries.entries()) {
    const part = at === undefined ? undefined : parts[at]
    if (n > 0) {
      const before = at === next ? parts[next - 1] : undefined
      if (part && before) spliced.copy(before.to, part.from)
      else spliced.insert(between)
    }
    if (!part) {
      spliced.insert(
        `${name === undefined ? '' : `${JSON.stringify(name)}${first.colon}`}${laidOut(value, inner)}`,
      )
    } else if (isSame(old, value)) {
      spliced.copy(part.from, part.to)
    } else {
      spliced.copy(part.from, part.valueFrom)
      spliced.insert(await rewritten(text.slice(part.valueFrom, part.to), { old, value, layout: inner }))
    }
    next = (at ?? parts.length) + 1
  }
  spliced.copy(parts.at(-1)?.to ?? 0, text.length)
  return spliced.text()
}

const laidOut = (value: unknown, { line, step }: Layout): string =>
  JSON.stringify(value, null, step).replaceAll('\n', () => line)

/** Joins parts of a text and other texts; parts that follow each other are copied at once. */
function spliceOf(text: string) {
  const pieces: string[] = []
  let [from, to] = [0, 0]
  const insert = (piece: string): void => {
    pieces.push(text.slice(from, to), piece)
    from = to
  }
  return {
    insert,
    copy(begin: number, end: number): void {
      if (begin !== to) {
        insert('')
        from = begin
      }
      to = end
    },
    text(): string {
      insert('')
      return pieces.join('')
    },
  }
}

/** Returns the parts of the text of an object or array; none for another value. */
function jsonPartsOf(text: string): readonly JsonPart[] {
  const parts: JsonPart[] = []
  let named = { name: '', from: 0, to: 0 }
  let isNamed = false
  let open: Omit<JsonPart, 'to'> | undefined
  const begin = (offset: number): boolean => {
    if (offset === 0) return true
    open = isNamed
      ? { name: named.name, colon: text.slice(named.to, offset), from: named.from, valueFrom: offset }
      : { name: undefined, colon: '', from: offset, valueFrom: offset }
    isNamed = false
    return false
  }
  const end = (offset: number, length: number): void => {
    if (open) parts.push({ ...open, to: offset + length })
    open = undefined
  }
  visit(text, {
    onObjectProperty(name, offset, length) {
      named = { name, from: offset, to: offset + length }
      isNamed = true
    },
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectEnd: end,
    onArrayEnd: end,
    onLiteralValue(_value, offset, length) {
      begin(offset)
      end(offset, length)
    },
  })
  return parts
}

/**
 * Returns what to write into an object or array, in the order of the text; `undefined` for values that are
 * not alike.
 */
function entriesOf(old: unknown, value: unknown, parts: readonly JsonPart[]): readonly Entry[] | undefined {
  if (Array.isArray(old) && Array.isArray(value)) {
    const places = placesOf(old, value)
    return value.map((each: unknown, n) => {
      const at = places.get(n)
      if (at === undefined) return { value: each, at, old: undefined }
      const was: unknown = old[at]
      const hasKey = isPlainObject(was) && rowKey(was) !== undefined
      return { value: hasKey ? each : withoutGeneratedId(each), at, old: was }
    })
  }
  if (!isPlainObject(old) || !isPlainObject(value)) return undefined
  // Of a repeated name, the last counts.
  const places = new Map(parts.map(({ name = '' }, at) => [name, at]))
  return [...new Set([...places.keys(), ...Object.keys(value)])]
    .map((name) => ({ name, value: ownValue(value, name), at: places.get(name), old: ownValue(old, name) }))
    .filter((entry) => entry.value !== undefined)
}

/** By what an element is found again, in this order. */
const names: readonly ((element: unknown) => unknown)[] = [
  (element) => (isPlainObject(element) ? rowKey(element) : JSON.stringify(element)),
  (element) => (isPlainObject(element) ? element['slug'] : undefined),
]

/** Returns the earlier places of the elements of an array by their present ones. */
function placesOf(old: readonly unknown[], value: readonly unknown[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  const free = new Set(old.keys())
  const place = (n: number, at: number | undefined): void => {
    if (at !== undefined && !places.has(n) && free.delete(at)) places.set(n, at)
  }
  for (const nameOf of names) {
    const byName = new Map([...free].toReversed().map((at) => [nameOf(old[at]), at]))
    byName.delete(undefined)
    for (const [n, element] of value.entries()) place(n, byName.get(nameOf(element)))
  }
  for (const n of value.keys()) place(n, n)
  return places
}
