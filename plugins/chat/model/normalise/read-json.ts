/** Something that was wrong with a JSON text and could be put right. */
export type Repair = 'text around it' | 'control characters' | 'bullets' | 'trailing commas' | 'bare dashes' | 'open end' | 'cut off'

export interface ReadJson {
  readonly value: unknown
  readonly repairs: readonly Repair[]
  /** The text ended inside of the last operation, of which only a part is there. */
  readonly isLastPartial?: true
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
  { repair: 'bullets', apply: (text) => mapOutside(text, withoutBullets) },
  { repair: 'trailing commas', apply: (text) => mapOutside(text, (part) => part.replace(/,(?=\s*$)/, '')) },
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

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** From the first brace to the last one, or to the end where none closes it. */
function outermostBraces(text: string): string {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  if (start < 0) return text
  return end > start ? text.slice(start, end + 1) : text.slice(start)
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

const mapOutside = (text: string, map: (part: string) => string): string => {
  const parts = split(text)
  return parts.map((part, at) => (at % 2 === 0 && !(at === parts.length - 1 && part === '') ? mapPart(parts, at, map) : part)).join('')
}

/** A part outside of strings ends at a string, or at a bracket in it: only what is right before a bracket trails. */
function mapPart(parts: readonly string[], at: number, map: (part: string) => string): string {
  return (parts[at] ?? '').split(/([\]}])/).map((piece) => (piece === ']' || piece === '}' ? piece : map(piece))).join('')
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

/** Takes dashes away that stand before a string, as in a list of bullets. */
function withoutBullets(part: string): string {
  return part.replace(/-[ \t]*$/, '')
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
    if (found) return { ...found, ...(closers.length > outsideOfOperations && { isLastPartial: true }) }
  }
  return undefined
}
