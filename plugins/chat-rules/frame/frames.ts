import type { VerbClass } from '../language/language.ts'
import { type Chunk, chunksAt, type Role } from './chunks.ts'
import { behind, createMemo, ends, type Ground, step } from './ground.ts'
import { type Noun, nounsAt } from './nouns.ts'
import type { Value } from './values.ts'

/** One way to read a clause: what is to be done, and the part that every word plays in it. */
export interface Frame {
  readonly verbs: readonly VerbClass[]
  /** Without a verb of its own, a clause takes that of the clause before. */
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

/** Every reading of a clause that accounts for all of its words, the likeliest first. */
export function framesOf(ground: Ground, start: number, last: number): readonly Frame[] {
  return remember(ground, `${start} ${last}`, () => {
    const found: Frame[] = []
    search(ground, start, last, [], found)
    return found.toSorted((a, b) => a.cost - b.cost).slice(0, mostFrames)
  })
}

function search(ground: Ground, at: number, last: number, chunks: readonly Chunk[], found: Frame[]): void {
  step(ground)
  if (found.length >= mostFrames * 4) return
  if (at === last) {
    const frame = toFrame(chunks)
    if (frame) found.push(frame)
    return
  }
  const isBegun = chunks.some(({ role }) => role !== 'lead')
  if (isBegun && !canEnd(ground, at, last)) return
  for (const next of [...(isBegun ? [] : leadsAt(ground, at, last)), ...chunksAt(ground, at, last)]) {
    if (follows(ground, chunks, next, last)) search(ground, next.end, last, [...chunks, next], found)
  }
}

const endable = createMemo<boolean>()

/** Whether parts of a clause, in any order, reach from a place to its end. */
function canEnd(ground: Ground, at: number, last: number): boolean {
  return at === last || endable(ground, `${at} ${last}`, () =>
    chunksAt(ground, at, last).some(({ end }) => canEnd(ground, end, last)))
}

/** What a sentence begins with that says where the rest is about: `In the hero, …`, `FAQ, second question: …`, `Update the CTA: …`. */
function leadsAt(ground: Ground, at: number, last: number): readonly Chunk[] {
  const { tokens, vocabulary } = ground
  const marks = (place: number, ...signs: readonly string[]) => (signs.includes(tokens[place]?.word ?? '') ? [place + 1] : [])
  const joint = (place: number) => [place, ...vocabulary.particles.find(tokens, place).map(({ end }) => end)]
    .flatMap((end) => [behind(ground, end)].filter((to) => to > end))
  const after = (name: VerbClass) => vocabulary.verbs.find(tokens, at)
    .filter(({ values }) => values.some(({ classes }) => classes.includes(name))).flatMap(({ end }) => nounsAt(ground, end))
  const openings: readonly (readonly [nouns: readonly Noun[], ends: (end: number) => readonly number[]])[] = [
    [nounsAt(ground, at).filter(({ kind }) => kind !== 'field'), (end) => marks(end, ':', ',')],
    [ends(ground, at, 'in').flatMap((from) => nounsAt(ground, from)), (end) => [end, ...marks(end, ':', ',')]],
    [after('take').filter(({ kind }) => kind !== 'field'), joint],
    [after('edit').filter(({ kind }) => kind !== 'field'), (end) => marks(end, ':', '.')],
  ]
  // `Second card: Move on!` may be a new title: only quotes or a small letter say that a request follows.
  const isTitle = (to: number) => tokens[to - 1]?.word === ':' && tokens[to]?.text !== tokens[to]?.word && !tokens.some(({ kind }) => kind === 'quoted')
  return openings.flatMap(([nouns, endsOf]) => nouns.filter(({ kind, isNew }) => !isNew && leadKinds.has(kind))
    .flatMap((noun) => endsOf(noun.end).filter((to) => to < last && !(titled.has(noun.kind) && isTitle(to)))
      .map((to): Chunk => ({ role: 'lead', start: at, end: to, noun, cost: noun.cost + 1 }))))
}

const leadKinds: ReadonlySet<string> = new Set(['block', 'section', 'row', 'page', 'name', 'menu', 'this', 'field'])
/** Nouns of things that have a title. */
const titled: ReadonlySet<string> = new Set(['row', 'name', 'block', 'section'])

/** Whether a part may stand behind the others. */
function follows({ language: { verbLast } }: Ground, chunks: readonly Chunk[], next: Chunk, last: number): boolean {
  const { role, end, isJoined, value } = next
  const real = chunks.filter((chunk) => chunk.role !== 'filler' && chunk.role !== 'lead')
  const before = real.at(-1)
  const has = (...roles: readonly Role[]) => real.some((chunk) => roles.includes(chunk.role))
  const isOnly = (...roles: readonly Role[]) => real.every((chunk) => roles.includes(chunk.role))
  const isBehind = (...roles: readonly Role[]) => before !== undefined && roles.includes(before.role)
  const isLastVerb = verbLast && end === last
  switch (role) {
    case 'verb': return !has('verb', 'modal', 'duty') && (isOnly('instead', 'place', 'comma') || isLastVerb)
    case 'modal': return !has('verb', 'modal') && real.length > 0 && isOnly('object', 'text', 'in', 'comma', 'instead', 'bits')
    case 'duty':
      if (has('verb', 'duty')) return false
      if (next.choice === 'newly') return !has('modal') && isBehind('object', 'in')
      return has('modal') && (isBehind('modal') || isLastVerb)
    // The order of things is only changed by swapping them.
    case 'filler': return next.choice !== 'order' || real.some(({ classes }) => classes?.includes('swap'))
    case 'particle': return has('verb') || verbLast
    case 'object': return isJoined ? isBehind('object', 'with') : !isBehind('object') || real.filter((chunk) => chunk.role === 'object').length === 1
    case 'comma': return real.length > 0 && !isBehind('comma')
    case 'text': return isJoined ? isBehind('text') : clear.has(value?.form) || isBehind('duty')
    case 'detail': return next.isBare !== true || ['detail', 'comma', 'text', 'called', 'value', 'saying', 'by'].includes(chunks.at(-1)?.role ?? '')
    default: return true
  }
}

/** Forms of a text that can be nothing else. */
const clear: ReadonlySet<Value['form'] | undefined> = new Set(['quoted', 'address', 'figure'])

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
  const parts = spelledOut(others).map((chunk) => (duty ? asRemark(chunk) : chunk))
  if (parts.length === 0 && !verb) return undefined
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

/** Behind `should be`, small letters may as well say something about the text. */
const asRemark = (chunk: Chunk): Chunk => (chunk.role === 'text' && chunk.value?.form === 'text' && /^\p{Ll}/u.test(chunk.value.text)
  ? { ...chunk, value: { ...chunk.value, form: 'remark' } } : chunk)

/** `the rentals and about us pages`: each name is that of a page. */
function asPages(all: readonly Chunk[]): readonly Chunk[] {
  const objects = all.flatMap(({ role, noun }) => (role === 'object' && noun ? [noun] : []))
  const last = objects.at(-1)
  if (objects.length < 2 || last?.kind !== 'page' || !last.isMany) return all
  return all.map((chunk) => {
    const { role, noun } = chunk
    return role === 'object' && (noun?.page === 'bare' || noun?.isMany) ? { ...chunk, noun: { ...noun, page: 'named', isMany: false } } : chunk
  })
}

/** `the first and the last feature`, `the first and second cards`, `sections 3 and 4`: a place in a list takes the noun beside it. */
function spelledOut(given: readonly Chunk[]): readonly Chunk[] {
  const all = asPages(given)
  const isListed = all.some(({ role, noun }) => role === 'object' && noun?.kind === 'nth')
  const chunks = !isListed ? all : all.map((chunk) => (chunk.noun?.ord !== undefined && chunk.noun.isMany ? { ...chunk, noun: { ...chunk.noun, isMany: false } } : chunk))
  return chunks.map((chunk, index) => {
    const { noun } = chunk
    if (chunk.role !== 'object' || noun?.kind !== 'nth') return chunk
    const beside = [chunks[index + 1], chunks[index + 2], chunks[index - 1]].find((other) => other?.role === 'object' && other.noun && other.noun.kind !== 'nth')?.noun
    if (!beside || (beside.ord === undefined && beside.n === undefined)) return chunk
    const { start, end, ord, n } = noun
    return { ...chunk, noun: { ...beside, name: undefined, start, end, ord, n, count: undefined, isMany: false } }
  })
}
