import { isPlainObject, mapped, mappedObject, type PlainObject } from './plain-object.ts'

/**
 * What a site has as numbers and a draft as texts: ids of pages and blocks, times, and integers that a number
 * cannot hold. It is in the page or block, so that it goes with it through the history, snapshots and
 * copies.
 */
interface Numbers {
  /**
   * Set if the id is a number; its digits if a text of the page was the same and the id is another one here.
   */
  readonly id?: true | string
  /** With digits: the id that stands for them. */
  readonly as?: string
  /** The unit of the time, since 1970. */
  readonly updatedAt?: Unit
  /** Integers that are too large for a number. */
  readonly values?: readonly string[]
}
type Unit = 'ms' | 's'

/** The key of a page or block that says what is a number on its site. */
const key = '$numbers'
/**
 * A time in seconds is below this number until the year 5138, and one in milliseconds above it since 1973.
 */
const firstMs = 1e11
const latestMs = 8.64e15
/** An integer with so many digits may be too large for a number. */
const manyDigits = /[:[,]\s*-?\d{16}/
/** Whether any content of this process had such an integer: without one, no page is searched for it. */
let hasExact = false

/** Parses JSON whose large integers keep all their digits; `numbersAsText` is what reads them. */
export function parseExactly(text: string): unknown {
  if (!manyDigits.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown, { source = '' }: { readonly source?: string } = {}) => {
    if (typeof value !== 'number' || isHeld(source, value)) return value
    hasExact = true
    return exact.rawJSON(source)
  })
}

/** Newer than the types of the library. */
const exact: JSON & { rawJSON(text: string): unknown; isRawJSON(value: unknown): boolean } =
  Object.assign(JSON)

const isHeld = (digits: string, value: number): boolean =>
  Number.isSafeInteger(value) || !/^-?\d+$/.test(digits) || BigInt(value).toString() === digits

/** The key of what stands for a large integer, with its digits. */
const digitsKey = '$digits'

/** Returns a value that can be stored, with an object in place of each large integer; `withMarks` reads it. */
export const marked = (value: unknown): unknown => withExact(value, (digits) => ({ [digitsKey]: digits }))

/** Returns a value with large integers in place of what `marked` has put there. */
export const withMarks = (value: unknown): unknown => {
  if (Array.isArray(value)) return mapped(value, withMarks)
  if (!isPlainObject(value) || exact.isRawJSON(value)) return value
  const digits = value[digitsKey]
  if (typeof digits !== 'string' || !/^-?[1-9]\d*$/.test(digits)) return mappedObject(value, withMarks)
  hasExact = true
  return exact.rawJSON(digits)
}

/** Returns a value with large integers as the nearest numbers, for what is stored as numbers. */
export const withoutExact = (value: unknown): unknown => withExact(value, Number)

const withExact = (value: unknown, read: (digits: string) => unknown): unknown => {
  if (!hasExact || typeof value !== 'object' || value === null) return value
  if (exact.isRawJSON(value)) return read(JSON.stringify(value))
  if (Array.isArray(value)) return mapped(value, (each: unknown) => withExact(each, read))
  return isPlainObject(value) ? mappedObject(value, (each) => withExact(each, read)) : value
}

/**
 * Returns a page with texts in place of the numbers that a draft cannot have: ids and the time of the page,
 * ids of its blocks, and large integers anywhere. `numbersOfSite` is the way back. The same page if it has
 * none.
 */
export function numbersAsText(page: PlainObject): PlainObject {
  const { id, updatedAt, blocks, ...others } = page
  const time = typeof updatedAt === 'number' ? timeOf(updatedAt) : undefined
  const values = new Set<string>()
  const rest = textsIn(others, values)
  const digits = digitsOf(id)
  const numbers: Numbers = {
    ...(digits !== undefined && { id: true }),
    ...(time && { updatedAt: time.unit }),
    ...(values.size > 0 && { values: [...values] }),
  }
  const own = { ...(digits !== undefined && { id: digits }), ...(time && { updatedAt: time.text }) }
  const all = Object.keys(numbers).length > 0 ? { ...page, ...rest, ...own, [key]: numbers } : page
  return Array.isArray(blocks)
    ? mappedObject(all, (value, name) => (name === 'blocks' ? blocksAsText(blocks) : value))
    : all
}

function blocksAsText(blocks: readonly unknown[]): readonly unknown[] {
  const ids = blocks.map((block) => (isPlainObject(block) ? block['id'] : undefined))
  const texts = new Set(ids.filter((id) => typeof id === 'string'))
  const given = new Set(texts)
  return mapped(blocks, (block, at) => {
    if (!isPlainObject(block)) return block
    const digits = digitsOf(ids[at])
    if (digits === undefined && !hasExact) return block
    const values = new Set<string>()
    const { id: _id, ...others } = block
    const rest = textsIn(others, values)
    if (digits === undefined && values.size === 0) return block
    let id = digits
    if (digits !== undefined && texts.has(digits))
      for (let n = 1; id === undefined || given.has(id); n += 1) id = `${digits}_${n}`
    if (id !== undefined) given.add(id)
    const named = id !== undefined && (id === digits ? { id: true } : { id: digits, as: id })
    const numbers = { ...named, ...(values.size > 0 && { values: [...values] }) }
    return { ...block, ...rest, ...(id !== undefined && { id }), [key]: numbers }
  })
}

/** Returns a page or block with its large integers as texts, which are added to `found`. */
function textsIn(value: PlainObject, found: Set<string>): PlainObject {
  const read = withExact(value, (digits) => {
    found.add(digits)
    return digits
  })
  return isPlainObject(read) ? read : value
}

/** Returns the digits of a number as an id; `undefined` for anything else. */
export function digitsOf(id: unknown): string | undefined {
  if (typeof id === 'number') return String(id)
  return exact.isRawJSON(id) ? JSON.stringify(id) : undefined
}

function timeOf(time: number): { readonly text: string; readonly unit: Unit } {
  const unit = Math.abs(time) < firstMs ? 's' : 'ms'
  const ms = unit === 's' ? time * 1000 : time
  return { unit, text: Math.abs(ms) <= latestMs ? new Date(ms).toISOString() : String(time) }
}

/** Returns a page with the numbers that its site has; the same page if those are texts there, too. */
export function numbersOfSite(page: PlainObject): PlainObject {
  const own = restored(page)
  return mappedObject(own, (value, name) =>
    name === 'blocks' && Array.isArray(value)
      ? mapped(value, (block: unknown) => (isPlainObject(block) ? restored(block) : block))
      : value,
  )
}

/** Restores numbers; a text that was changed since, such as the id of a copy, stays a text. */
function restored(owner: PlainObject): PlainObject {
  const { [key]: numbers, ...rest } = owner
  if (!isNumbers(numbers)) return owner
  const { id, as, updatedAt: unit, values } = numbers
  const known = new Set(values)
  const { blocks, ...others } = rest
  const all = values
    ? { ...rest, ...withNumbers(others, known), ...(blocks !== undefined && { blocks }) }
    : rest
  const { id: text, updatedAt: time } = rest
  return {
    ...all,
    ...(typeof text === 'string' && id !== undefined && { id: idOfSite(text, id, as) }),
    ...(typeof time === 'string' && unit && { updatedAt: timeOfSite(time, unit) }),
  }
}

function withNumbers(value: PlainObject, known: ReadonlySet<string>): PlainObject {
  const read = (each: unknown): unknown => {
    if (typeof each === 'string') return known.has(each) ? exact.rawJSON(each) : each
    if (Array.isArray(each)) return mapped(each, read)
    return isPlainObject(each) ? mappedObject(each, read) : each
  }
  return mappedObject(value, read)
}

const idOfSite = (text: string, id: true | string, as: string | undefined): unknown =>
  id === true ? toNumber(text) : text === as ? toNumber(id) : text

/** Returns the number that a text is the digits of; the text itself if it is not. */
function toNumber(text: string): unknown {
  const number = Number(text)
  if (String(number) === text && Number.isFinite(number)) return number
  return /^-?[1-9]\d{15,}$/.test(text) ? exact.rawJSON(text) : text
}

function timeOfSite(text: string, unit: Unit): unknown {
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || String(Number(text)) === text) return toNumber(text)
  return unit === 's' ? Math.floor(ms / 1000) : ms
}

const isNumbers = (value: unknown): value is Numbers => isPlainObject(value)
