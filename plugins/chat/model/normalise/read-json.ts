import { findJsonExcess } from '../../../../kernel/index.ts'

/** Something that was wrong with a JSON text and could be put right. */
export type Repair = 'text around it' | 'control characters' | 'bullets' | 'trailing commas' | 'bare dashes' | 'open end' | 'cut off'

export interface ReadJson {
  readonly value: unknown
  readonly repairs: readonly Repair[]
  /** The text ended in the middle: inside of the last operation that is there, or right after it. */
  readonly cut?: 'inside' | 'after'
}

/** How many of the last commas are tried as the place where a text was cut. */
const mostCuts = 10

interface Strategy {
  readonly repair: Repair
  readonly apply: (text: string) => string
}

/** Tried one after another, each on top of those before it. */
const strategies: readonly Strategy[] = [
  { repair: 'text around it', apply: outermostBraces },
  { repair: 'control characters', apply: (text) => mapStrings(text, escapeControls) },
  { repair: 'bullets', apply: (text) => mapOutside(text, withoutBullet) },
  { repair: 'trailing commas', apply: (text) => mapOutside(text, withoutTrailingCommas) },
  { repair: 'bare dashes', apply: (text) => mapOutside(text, (part) => part.replace(/-(?![\d])/g, '0')) },
  { repair: 'open end', apply: closed },
]

/**
 * Reads a JSON text of a model, and repairs what models get wrong: prose around it, raw line breaks in texts, bullets,
 * trailing commas, bare dashes, an open end, a cut.
 *
 * Answers what was repaired, so that somebody can be told; `undefined` when there is no JSON in it.
 */
export function readJson(text: string): ReadJson | undefined {
  const whole = parsed(text)
  if (whole) return { ...whole, repairs: [] }
  let repaired = text
  const repairs: Repair[] = []
  for (const { repair, apply } of strategies) {
    const next = apply(repaired)
    if (next === repaired) continue
    repaired = next
    repairs.push(repair)
    const found = parsed(repaired)
    if (found) return { ...found, repairs }
  }
  const found = cutAtComma(repairs.includes('text around it') ? outermostBraces(text) : text)
  return found && { ...found, repairs: [...repairs.filter((repair) => repair !== 'open end'), 'cut off'] }
}

/** Whoever walks a value may stop at this depth; a plan has far less of both. */
const limits = { depth: 64, values: 200_000 }

function parsed(text: string): { readonly value: unknown } | undefined {
  if (findJsonExcess(Buffer.from(text), limits) !== undefined) return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** The first object of a text, to the brace that closes it, or to the end where none does. */
function outermostBraces(text: string): string {
  const start = text.indexOf('{')
  if (start < 0) return text
  const rest = text.slice(start)
  let depth = 0
  let at = 0
  for (const [n, part] of split(rest).entries()) {
    if (n % 2 === 0) {
      for (let place = 0; place < part.length; place += 1) {
        if (part[place] === '{') depth += 1
        if (part[place] === '}') depth -= 1
        if (part[place] === '}' && depth === 0) return rest.slice(0, at + place + 1)
      }
    }
    at += part.length
  }
  return rest
}

/** The parts of a text, by turns outside and inside of strings; quotes belong to the strings. */
function split(text: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  let isInside = false
  for (let at = 0; at < text.length; at += 1) {
    if (isInside && text[at] === '\\') at += 1
    else if (text[at] === '"') {
      const end = isInside ? at + 1 : at
      parts.push(text.slice(from, end))
      from = end
      isInside = !isInside
    }
  }
  return [...parts, text.slice(from)]
}

const mapOutside = (text: string, map: (part: string, isLast: boolean) => string): string => {
  const parts = split(text)
  return parts.map((part, at) => (at % 2 === 0 ? map(part, at === parts.length - 1) : part)).join('')
}

const mapStrings = (text: string, map: (part: string) => string): string =>
  split(text).map((part, at) => (at % 2 === 1 ? map(part) : part)).join('')

function escapeControls(text: string): string {
  let escaped = ''
  for (const character of text) {
    escaped += character.charCodeAt(0) < 0x20 ? JSON.stringify(character).slice(1, -1) : character
  }
  return escaped
}

/** Takes the dash away that stands before a string, as in a list of bullets. */
function withoutBullet(part: string, isLast: boolean): string {
  return isLast ? part : part.replace(/-[ \t]*$/, '')
}

function withoutTrailingCommas(part: string, isLast: boolean): string {
  const closed = part.replace(/,(?=\s*[\]}])/g, '')
  return isLast ? closed.replace(/,\s*$/, '') : closed
}

/** Closes brackets that are open at the end. A text that is open is not closed: half of it would be content. */
function closed(text: string): string {
  return split(text).length % 2 === 0 ? text : text + closersOf(text)
}

function closersOf(text: string): string {
  const open: string[] = []
  split(text).forEach((part, at) => {
    if (at % 2 === 1) return
    for (const character of part) {
      if (character === '{') open.push('}')
      if (character === '[') open.push(']')
      if (character === '}' || character === ']') open.pop()
    }
  })
  return open.toReversed().join('')
}

/** More brackets than those of the plan and of its list of operations are open inside of an operation. */
const outsideOfOperations = 2

/** Cuts a text at one of its last commas, and closes it there. */
function cutAtComma(text: string): Omit<ReadJson, 'repairs'> | undefined {
  let end = text.length
  for (let tries = 0; tries < mostCuts; tries += 1) {
    end = text.lastIndexOf(',', end - 1)
    if (end <= 0) return undefined
    const part = text.slice(0, end)
    if (split(part).length % 2 === 0) continue
    const closers = closersOf(part)
    const found = parsed(part + closers)
    if (found) return { ...found, cut: closers.length > outsideOfOperations ? 'inside' : 'after' }
  }
  return undefined
}
