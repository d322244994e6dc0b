import type { VerbClass } from '../language/language.ts'
import { type Chunk, chunksAt, type Role } from './chunks.ts'
import { createMemo, ends, type Parser, skipConnectors, step } from './parser.ts'
import type { Noun } from './noun.ts'
import { nounsAt } from './nouns.ts'
import type { Value } from './values.ts'

/** One reading of a clause: its verbs, and its words as chunks. */
export interface Frame {
  readonly verbs: readonly VerbClass[]
  /** A clause without a verb inherits that of the previous clause. */
  readonly hasVerb: boolean
  /** `should be` and the like, as opposed to a request. */
  readonly isDuty: boolean
  readonly isNewly: boolean
  readonly chunks: readonly Chunk[]
  readonly cost: number
  readonly start: number
  readonly end: number
}

const mostFrames = 80
const remember = createMemo<readonly Frame[]>()

/** All readings that cover every word of a clause, cheapest first. */
export function framesOf(parser: Parser, start: number, last: number): readonly Frame[] {
  return remember(parser, `${start} ${last}`, () => {
    const found: Frame[] = []
    search(parser, start, last, [], found)
    return found.toSorted((a, b) => a.cost - b.cost).slice(0, mostFrames)
  })
}

function search(parser: Parser, at: number, last: number, chunks: readonly Chunk[], found: Frame[]): void {
  step(parser)
  if (found.length >= mostFrames * 4) return
  if (at === last) {
    const frame = toFrame(chunks)
    if (frame) found.push(frame)
    return
  }
  const hasStarted = chunks.some(({ role }) => role !== 'lead')
  if (hasStarted && !canComplete(parser, at, last)) return
  for (const next of [...(hasStarted ? [] : leadsAt(parser, at, last)), ...chunksAt(parser, at, last)]) {
    if (canFollow(parser, chunks, next, last)) search(parser, next.end, last, [...chunks, next], found)
  }
}

const completions = createMemo<boolean>()

/** Whether any sequence of chunks reaches from a position to the end of the clause. */
function canComplete(parser: Parser, at: number, last: number): boolean {
  return at === last || completions(parser, `${at} ${last}`, () =>
    chunksAt(parser, at, last).some(({ end }) => canComplete(parser, end, last)))
}

/** Leads, which set the scope of a sentence: `In the hero, …`, `FAQ, second question: …`, `Update the CTA: …`. */
function leadsAt(parser: Parser, at: number, last: number): readonly Chunk[] {
  const { tokens, vocabulary } = parser
  const marks = (place: number, ...signs: readonly string[]) => (signs.includes(tokens[place]?.word ?? '') ? [place + 1] : [])
  const joint = (place: number) => [place, ...vocabulary.particles.find(tokens, place).map(({ end }) => end)]
    .flatMap((end) => [skipConnectors(parser, end)].filter((to) => to > end))
  const after = (name: VerbClass) => vocabulary.verbs.find(tokens, at)
    .filter(({ values }) => values.some(({ classes }) => classes.includes(name))).flatMap(({ end }) => nounsAt(parser, end))
  const openings: readonly (readonly [nouns: readonly Noun[], ends: (end: number) => readonly number[], more?: Partial<Chunk>])[] = [
    [nounsAt(parser, at).filter(({ kind }) => kind !== 'field'), (end) => marks(end, ':', ',')],
    [ends(parser, at, 'in').flatMap((from) => nounsAt(parser, from)), (end) => [end, ...marks(end, ':', ',')]],
    [after('take').filter(({ kind }) => kind !== 'field'), joint, { classes: ['take'] }],
    [after('edit').filter(({ kind }) => kind !== 'field'), (end) => marks(end, ':', '.')],
  ]
  // `Second card: Move on!` may be a new title: only quotes or a lower case letter indicate a request.
  const isTitle = (to: number) => tokens[to - 1]?.word === ':' && tokens[to]?.text !== tokens[to]?.word && !tokens.some(({ kind }) => kind === 'quoted')
  return openings.flatMap(([nouns, endsOf, more]) => nouns.filter(({ kind, isNew }) => !isNew && leadKinds.has(kind))
    .flatMap((noun) => endsOf(noun.end).filter((to) => to < last && !(titled.has(noun.kind) && isTitle(to)))
      .map((to): Chunk => ({ role: 'lead', start: at, end: to, noun, cost: noun.cost + 1, ...more }))))
}

const leadKinds: ReadonlySet<string> = new Set(['block', 'section', 'row', 'page', 'name', 'menu', 'this', 'field'])
/** Nouns of things that have a title. */
const titled: ReadonlySet<string> = new Set(['row', 'name', 'block', 'section'])

/** Whether a chunk may follow the others. */
function canFollow(parser: Parser, chunks: readonly Chunk[], next: Chunk, last: number): boolean {
  const { tokens, language: { verbLast } } = parser
  const { role, end, isJoined, value } = next
  const real = chunks.filter((chunk) => chunk.role !== 'filler' && chunk.role !== 'lead')
  const before = real.at(-1)
  const has = (...roles: readonly Role[]) => real.some((chunk) => roles.includes(chunk.role))
  const hasOnly = (...roles: readonly Role[]) => real.every((chunk) => roles.includes(chunk.role))
  const isAfter = (...roles: readonly Role[]) => before !== undefined && roles.includes(before.role)
  const isLastVerb = verbLast && end === last
  const isContinued = isOpenText(before)
  switch (role) {
    case 'verb': return !has('verb', 'modal', 'duty') && (hasOnly('instead', 'place', 'comma') || isLastVerb)
    case 'modal': return !has('verb', 'modal') && real.length > 0 && hasOnly('object', 'text', 'in', 'comma', 'instead', 'bits')
    case 'duty':
      if (has('verb', 'duty')) return false
      if (next.choice === 'newly') return !has('modal') && isAfter('object', 'in')
      return has('modal') && (isAfter('modal') || isLastVerb)
    // `the order of` is a filler only with a swap.
    case 'filler': return !isContinued && (next.choice !== 'order' || real.some(({ classes }) => classes?.includes('swap')))
    case 'particle': return has('verb') || verbLast
    // `A banner saying Back | to the start`, but not `Free parking | on top of the list`.
    case 'place': return !isContinued || next.place?.anchor !== undefined || tokens[end - 1]?.word === 'list'
    case 'in': return !isContinued
    case 'object':
      // `delete the hero, just the quote` may correct the first object.
      if (chunks.at(-1)?.role === 'filler' && isAfter('object', 'comma')) return false
      return isJoined ? isAfter('object', 'with') : !isAfter('object') || real.filter((chunk) => chunk.role === 'object').length === 1
    case 'comma': return real.length > 0 && !isAfter('comma', 'verb')
    case 'text': return isJoined ? isAfter('text') : unambiguousForms.has(value?.form) || isAfter('duty')
    case 'detail': return next.isBare !== true || ['detail', 'comma', 'text', 'called', 'value', 'saying', 'by'].includes(chunks.at(-1)?.role ?? '')
    default: return true
  }
}

/** An unquoted name or text, which the next words may continue. */
const isOpenText = (chunk: Chunk | undefined): boolean =>
  chunk?.value?.form === 'text' && ['called', 'saying', 'labelled'].includes(chunk.role)

/** Value forms that are unambiguously a text. */
const unambiguousForms: ReadonlySet<Value['form'] | undefined> = new Set(['quoted', 'address', 'figure'])

function toFrame(all: readonly Chunk[]): Frame | undefined {
  const chunks = all.filter(({ role }) => role !== 'filler' && role !== 'comma')
  const [verb] = chunks.filter(({ role }) => role === 'verb')
  const duty = chunks.find(({ role }) => role === 'duty')
  const modal = chunks.find(({ role }) => role === 'modal')
  const particles = chunks.filter(({ role }) => role === 'particle')
  const [first] = all
  const last = all.at(-1)
  if (!first || !last || last.role === 'comma') return undefined
  if (modal && !duty) return undefined
  if (particles.length > 1 || verb?.particle !== particles[0]?.particle) return undefined
  const others = chunks.filter(({ role }) => !['verb', 'duty', 'modal', 'particle'].includes(role))
  const parts = expandLists(others)
  if (parts.length === 0 && !verb) return undefined
  // `take the quote` needs a clause about it: `and put it first`.
  if (first.role === 'lead' && first.classes?.includes('take') && !parts.some(({ noun }) => noun?.kind === 'it')) return undefined
  return {
    verbs: (verb ?? duty)?.classes ?? [],
    hasVerb: verb !== undefined || duty !== undefined,
    isDuty: duty !== undefined && verb === undefined,
    isNewly: duty?.choice === 'newly',
    chunks: parts,
    cost: all.reduce((sum, { cost }) => sum + cost, 0) + all.length,
    start: first.start,
    end: last.end,
  }
}

/** `the rentals and about us pages`: each name is a page. */
function distributePage(all: readonly Chunk[]): readonly Chunk[] {
  const objects = all.flatMap(({ role, noun }) => (role === 'object' && noun ? [noun] : []))
  const last = objects.at(-1)
  if (objects.length < 2 || last?.kind !== 'page' || !last.isMany) return all
  return all.map((chunk) => {
    const { role, noun } = chunk
    return role === 'object' && (noun?.page === 'bare' || noun?.isMany) ? { ...chunk, noun: { ...noun, page: 'named', isMany: false } } : chunk
  })
}

const sameHead = (a: Noun, b: Noun): boolean =>
  a.kind === b.kind && a.row === b.row && a.types?.join() === b.types?.join()

/** `the first and second cards`, `sections 3 and 4`: an ordinal takes the next noun, a number the one before. */
function expandLists(given: readonly Chunk[]): readonly Chunk[] {
  const all = distributePage(given)
  const isListed = all.some(({ role, noun }) => role === 'object' && noun?.kind === 'nth')
  const chunks = !isListed ? all : all.map((chunk) => (chunk.noun?.ord !== undefined && chunk.noun.isMany ? { ...chunk, noun: { ...chunk.noun, isMany: false } } : chunk))
  return chunks.map((chunk, index) => {
    const { noun } = chunk
    if (chunk.role !== 'object' || noun?.kind !== 'nth') return chunk
    const isPlace = (other: Noun | undefined) => other?.ord !== undefined || other?.n !== undefined
    const [before, after] = [chunks.slice(0, index).toReversed(), chunks.slice(index + 1)]
      .map((others) => others.find((other) => other.noun?.kind !== 'nth' || other.role !== 'object'))
      .map((other) => (other?.role === 'object' && isPlace(other.noun) ? other.noun : undefined))
    const next = noun.n === undefined ? after : undefined
    const neighbor = next ?? before
    // `The first stat and the second card`
    if (!neighbor || (next && before && !sameHead(next, before))) return chunk
    const { start, end, ord, n } = noun
    const short = { start, end, ord, n, isMany: false, isShort: true, name: undefined, count: undefined }
    return { ...chunk, noun: { ...neighbor, ...short } }
  })
}
