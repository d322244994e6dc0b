import type { VerbClass } from '../language/language.ts'
import { type Chunk, chunksAt, type Role } from './chunks.ts'
import { behind, createMemo, ends, type Ground, step } from './ground.ts'
import { nounsAt } from './nouns.ts'
import type { Span } from './values.ts'

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
export function framesOf(ground: Ground, start: number, span: Span): readonly Frame[] {
  return remember(ground, `${start} ${span.end} ${span.isLong}`, () => {
    const found: Frame[] = []
    search(ground, start, span, [], found)
    return found.toSorted((a, b) => a.cost - b.cost).slice(0, mostFrames)
  })
}

function search(ground: Ground, at: number, span: Span, chunks: readonly Chunk[], found: Frame[]): void {
  step(ground)
  if (found.length >= mostFrames * 4) return
  if (at === span.end) {
    const frame = toFrame(chunks)
    if (frame) found.push(frame)
    return
  }
  const isBegun = chunks.some(({ role }) => role !== 'lead')
  if (isBegun && !canEnd(ground, at, span)) return
  for (const next of [...(isBegun ? [] : leadsAt(ground, at, span)), ...chunksAt(ground, at, span)]) {
    if (follows(ground, chunks, next, span)) search(ground, next.end, span, [...chunks, next], found)
  }
}

const endable = createMemo<boolean>()

/** Whether parts of a clause, in any order, reach from a place to its end. */
function canEnd(ground: Ground, at: number, span: Span): boolean {
  return at === span.end || endable(ground, `${at} ${span.end} ${span.isLong}`, () =>
    chunksAt(ground, at, span).some(({ end }) => canEnd(ground, end, span)))
}

/** What a sentence begins with that says where the rest is about: `In the hero, …`, `FAQ, second question: …`, `Update the CTA: …`. */
function leadsAt(ground: Ground, at: number, { end }: Span): readonly Chunk[] {
  const { tokens, vocabulary } = ground
  const isTaken = vocabulary.verbs.find(tokens, at).filter(({ values }) => values.some(({ classes }) => classes.includes('take')))
  const isEdit = (from: number) => vocabulary.verbs.find(tokens, from).filter(({ values }) => values.some(({ classes }) => classes.includes('edit')))
  const leads = [
    ...nounsAt(ground, at).filter(({ kind }) => kind !== 'field').flatMap((noun) => markEnds(ground, noun.end, [':', ',']).map((to) => ({ noun, to }))),
    ...ends(ground, at, 'in').flatMap((from) => nounsAt(ground, from)).flatMap((noun) => [noun.end, ...markEnds(ground, noun.end, [':', ','])].map((to) => ({ noun, to }))),
    ...isTaken.flatMap((verb) => nounsAt(ground, verb.end)).filter(({ kind, end: last }) => kind !== 'field' && behind(ground, last) > last).map((noun) => ({ noun, to: behind(ground, noun.end) })),
    ...isEdit(at).flatMap((verb) => nounsAt(ground, verb.end)).filter(({ kind }) => kind !== 'field').flatMap((noun) => markEnds(ground, noun.end, [':', '.']).map((to) => ({ noun, to }))),
  ]
  // `Second card: Move on!` may be a new title: only quotes or a small letter say that a request follows.
  const isTitle = (to: number) => tokens[to - 1]?.word === ':' && tokens[to]?.text !== tokens[to]?.word && !tokens.some(({ kind }) => kind === 'quoted')
  return leads.filter(({ noun: { kind }, to }) => !isTitle(to) || (kind !== 'row' && kind !== 'name' && kind !== 'block' && kind !== 'section')).filter(({ noun: { kind, isNew }, to }) => to < end && !isNew && leadKinds.has(kind)).map(({ noun, to }): Chunk => ({ role: 'lead', start: at, end: to, noun, cost: noun.cost + 1 }))
}

const leadKinds: ReadonlySet<string> = new Set(['block', 'section', 'row', 'page', 'name', 'menu', 'this', 'field'])

const markEnds = ({ tokens }: Ground, at: number, marks: readonly string[]) => (marks.includes(tokens[at]?.word ?? '') ? [at + 1] : [])

/** Whether a part may stand behind the others. */
function follows({ language: { verbLast } }: Ground, chunks: readonly Chunk[], next: Chunk, span: Span): boolean {
  const { role, end, isJoined, value } = next
  const real = chunks.filter((chunk) => chunk.role !== 'filler' && chunk.role !== 'lead')
  const last = real.at(-1)
  const has = (wanted: Role) => real.some((chunk) => chunk.role === wanted)
  switch (role) {
    case 'verb': return !has('verb') && !has('modal') && !has('duty') && (real.every((chunk) => ['instead', 'place', 'comma'].includes(chunk.role)) || (verbLast && end === span.end))
    case 'modal': return !has('verb') && !has('modal') && real.length > 0 && real.every((chunk) => ['object', 'text', 'in', 'comma', 'instead', 'bits'].includes(chunk.role))
    case 'duty':
      if (has('verb') || has('duty')) return false
      if (next.choice === 'newly') return !has('modal') && (last?.role === 'object' || last?.role === 'in')
      return has('modal') && (last?.role === 'modal' || (verbLast && end === span.end))
    case 'particle': return has('verb') || verbLast
    case 'object': return isJoined ? last?.role === 'object' || last?.role === 'with' : last?.role !== 'object' || real.filter((chunk) => chunk.role === 'object').length === 1
    case 'comma': return real.length > 0 && last?.role !== 'comma'
    case 'text': return isJoined ? last?.role === 'text' : value?.form === 'quoted' || value?.form === 'address' || value?.form === 'figure' || last?.role === 'duty'
    case 'detail': return next.isBare !== true || ['detail', 'comma', 'text', 'called', 'value', 'saying', 'by'].includes(chunks.at(-1)?.role ?? '')
    default: return true
  }
}

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
  const parts = spelledOut(chunks.filter(({ role }) => !['verb', 'duty', 'modal', 'particle'].includes(role))).map((chunk) => (duty ? asRemark(chunk) : chunk))
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
  const isList = objects.length > 1 && objects.at(-1)?.kind === 'page' && objects.at(-1)?.isMany === true
  return !isList ? all : all.map((chunk) => (chunk.role === 'object' && (chunk.noun?.page === 'bare' || chunk.noun?.isMany) ? { ...chunk, noun: { ...chunk.noun, page: 'named', isMany: false } } : chunk))
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
    const { ord: _ord, n: _n, name: _name, ...same } = beside
    const { start, end, ord, n } = noun
    return { ...chunk, noun: { ...same, start, end, ...(ord !== undefined && { ord }), ...(n !== undefined && { n }) } }
  })
}
