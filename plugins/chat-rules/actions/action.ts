import { perObject } from '../../content/plain-object.ts'
import type { Chunk, Role } from '../frame/chunks.ts'
import type { Frame } from '../frame/frames.ts'
import { ends, isWord, type Parser, wordsBetween } from '../frame/parser.ts'
import type { Name, Noun } from '../frame/noun.ts'
import { isRelativePosition, nounsAt } from '../frame/nouns.ts'
import type { Place } from '../frame/places.ts'
import type { Value } from '../frame/values.ts'
import type { VerbClass, WordClass } from '../language/language.ts'
import { findBlock } from '../resolve/blocks.ts'
import { ownerOf } from '../resolve/block-fields.ts'
import { findField, findOwner } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { type Doubts, reject, rejectDoubtful } from '../work/ask.ts'
import { onPage, restorePage, type Work } from '../work/work.ts'
import { askForQuotes, isHeadingLevel } from './values.ts'

/** The parts of a frame, as passed to an action. */
export interface Parts {
  readonly frame: Frame
  readonly verbs: readonly VerbClass[]
  /** The objects of the verb, in order. */
  readonly objects: readonly Noun[]
  readonly object: Noun
  readonly value: Value | undefined
  readonly text: Value | undefined
  /** The value to set, in any syntactic role. */
  readonly given: Value | undefined
  readonly place: Place | undefined
  readonly choice: string
  first(role: Role): Chunk | undefined
  all(...roles: readonly Role[]): readonly Chunk[]
  has(...roles: readonly Role[]): boolean
  nouns(...roles: readonly Role[]): readonly Noun[]
}

/**
 * An edit that can be requested.
 *
 * Throws `Ask` when something is missing, ambiguous or impossible, and `Rejected` when the reading is invalid.
 */
export interface Action {
  /** The accepted verb classes; `none` accepts a clause without a verb. */
  readonly verbs: readonly (VerbClass | 'none')[]
  /**
   * The roles of the chunks: `?` optional, `+` one or more, `*` any number. A frame with any other role does not fit.
   * `given` is a value, a text or an address; `@` marks a role that scopes the action.
   */
  readonly roles: string
  /** States or keeps the current content; does not count as a request. */
  readonly isStatement?: true
  /** May change the current page for later clauses. */
  readonly mayChangePage?: true
  /** `start` is the work before scoping. */
  run(work: Work, parts: Parts, start: Work): Work
}

/** How often each role may occur, and whether it scopes the action. */
const patternOf = perObject(({ roles }: Action) => new Map(roles.split(' ').map((role) => {
  const [least, most] = [/[?*]$/.test(role) ? 0 : 1, /[+*]$/.test(role) ? Infinity : 1]
  return [role.replace(/\W/g, ''), { least, most, isScope: role.startsWith('@') }]
})))

const givenRoles: ReadonlySet<string> = new Set(['value', 'text', 'at'])

/** Whether the chunks of a frame match the roles of an action. */
export function fits(action: Action, { chunks }: Frame): boolean {
  const pattern = patternOf(action)
  const found = new Map<string, number>()
  for (const { role } of chunks) {
    const name = pattern.has('given') && givenRoles.has(role) ? 'given' : role
    if (!pattern.has(name) && role !== 'lead') return false
    found.set(name, (found.get(name) ?? 0) + 1)
  }
  return pattern.entries().every(([role, { least, most }]) => {
    const count = found.get(role) ?? 0
    return count >= least && count <= most
  })
}

/** Runs an action in the scope that the frame specifies. */
export function runAction(action: Action, work: Work, parts: Parts): Work {
  const scopeChunks = parts.frame.chunks.filter(({ role }) => patternOf(action).get(role)?.isScope)
  rejectDoubtful(doubts, { verbs: action.verbs, parser: work.context.parser, parts, scopeChunks })
  const places = scopeChunks.map(({ noun }) => (noun && noun.kind !== 'field' ? noun : reject('a field is not a scope')))
  const done = action.run(places.reduce(scopedTo, work), parts, work)
  askAboutNote(work, parts)
  return action.mayChangePage ? done : restorePage(work, done)
}

/** `Headline: Too long` may be a note. */
function askAboutNote(work: Work, { frame, first }: Parts): void {
  const { parser: { tokens }, language } = work.context
  const { start = -1, value } = first('value') ?? {}
  const isLed = frame.hasVerb && !(language.verbLast && value && value.end < frame.end)
  if (isLed || tokens[start]?.kind !== 'sign' || value?.form !== 'text') return
  askForQuotes(work, value)
}

interface Reading extends Pick<Action, 'verbs'> {
  readonly parser: Parser
  readonly parts: Parts
  /** The chunks that scope the action. */
  readonly scopeChunks: readonly Chunk[]
}

const isAdding = ({ verbs }: Reading): boolean => verbs.includes('add')
const isMoving = ({ verbs }: Reading): boolean => verbs.some((verb) => verb === 'remove' || verb === 'move' || verb === 'copy')
const isField = ({ parts: { object } }: Reading, ...props: readonly string[]): boolean => object.kind === 'field' && props.includes(object.props?.[0] ?? '')

/** Whether a word of a class is in a clause, or directly before it. */
const hasWord = ({ parser, parts: { frame: { start, end } } }: Reading, name: WordClass): boolean =>
  wordsBetween(parser, Math.max(0, start - 1), end, name).length > 0

/** `Also on the about page`: whether the clause means another place besides the current one. */
const isAlsoThere = ({ parser, parts: { all, frame } }: Reading): boolean => all('in', 'to', 'from')
  .some(({ start, end }) => ends(parser, end, 'also').includes(frame.end)
    || [1, 2].some((size) => ends(parser, start - size, 'also').includes(start)))

/** Verbs with a list of objects. */
const listing: ReadonlySet<VerbClass | 'none'> = new Set(['remove', 'clear', 'add', 'swap', 'copy'])

const doubts: Doubts<Reading> = [
  ['nouns without a connector are no list', ({ verbs, parts: { all } }) => !verbs.includes('give')
    && verbs.some((verb) => listing.has(verb)) && all('object').slice(1).some(({ isJoined }) => !isJoined)],
  ['may be the total', (reading) => isAdding(reading) && reading.parts.verbs.includes('want')
    && (reading.parts.object.count ?? 1) > 1 && !hasWord(reading, 'further')],
  ['means a thing on the page', ({ parser, parts: { all } }) => all('value').some((chunk) => isNumbered(parser, chunk))],
  ['an ordinal without a noun', ({ parts: { object }, scopeChunks: { length } }) => object.kind === 'nth' && length > 0],
  ['a new name is not a place', ({ parts: { verbs, has } }) =>
    verbs.includes('rename') && !verbs.includes('be') && has('place')],
  ['means the current place too', isAlsoThere],
  ['goes after the current block', (reading) => isAdding(reading) && !reading.parts.place && hasWord(reading, 'next')],
  ['as many more', (reading) => !isAdding(reading) && hasWord(reading, 'further')
    && (reading.parts.has('columns') || reading.parts.given?.form === 'figure')],
  ['new blocks are not empty', (reading) => isAdding(reading) && hasWord(reading, 'empty')],
  ['already exists', (reading) => isAdding(reading) && reading.scopeChunks.some(({ start }) => isOriginWord(reading.parser, start))],
  ['the page may be the topic', ({ verbs, parser, scopeChunks, parts: { object } }) => verbs.includes('add')
    && (scopeChunks.some(({ noun, start }) => isTopic(parser, noun, start)) || isTopic(parser, object.owner, (object.owner?.start ?? 0) - 1))],
  ['the page may be the link target', (reading) => isAdding(reading) && reading.parts.has('detail')
    && reading.scopeChunks.some(({ start, noun }) => noun?.kind === 'page' && start > (reading.parts.first('detail')?.start ?? 0))],
  ['means an adjacent block', (reading) => isMoving(reading)
    && reading.scopeChunks.some(({ start }) => isRelativePosition(reading.parser, start))],
  ['means the text below', (reading) => isField(reading, 'heading', 'title')
    && reading.scopeChunks.some(({ start }) => ends(reading.parser, start, 'after').length > 0)],
  ['may mean the field of the page', (reading) => isField(reading, 'description', 'ctaHref')
    && !reading.parts.object.owner && reading.parts.nouns('in', 'from').some(({ kind }) => kind === 'page')],
]

/** `question 4` as a value; in English, a capital makes it a text. */
const isNumbered = (parser: Parser, { start, end, value }: Chunk): boolean => value?.form === 'text'
  && (parser.language.verbLast || value.text === value.text.toLowerCase())
  && nounsAt(parser, start + 1).some((noun) => noun.end === end && noun.n !== undefined)

/** `a gallery of our services`: without the word `page`, the name may be its topic. */
const isTopic = (parser: Parser, noun: Noun | undefined, at: number): boolean => noun?.kind === 'page' && noun.page === 'bare' && isWord(parser, at, 'topic')

/** Whether an origin word such as `from` is at `at`: its noun exists already. */
export const isOriginWord = (parser: Parser, at: number): boolean => isWord(parser, at, 'origin')

export function partsOf(frame: Frame): Parts {
  const all = (...roles: readonly Role[]) => roles.flatMap((role) => frame.chunks.filter((chunk) => chunk.role === role))
  const first = (role: Role) => all(role)[0]
  const nouns = (...roles: readonly Role[]) => all(...roles).flatMap(({ noun }) => noun ?? [])
  const objects = nouns('object')
  const [object = { kind: 'it', start: 0, end: 0, text: '', cost: 0 }] = objects
  const [value, text] = [first('value')?.value, first('text')?.value]
  return {
    frame, verbs: frame.verbs, objects, object, value, text, place: first('place')?.place, first, all, nouns,
    given: value ?? text ?? first('at')?.value,
    choice: frame.chunks.find(({ choice }) => choice !== undefined)?.choice ?? '',
    has: (...roles) => all(...roles).length > 0,
  }
}

/** The parts with a name as the first text: `the "Tours" card`. */
export const withText = ({ frame }: Parts, name: Name | undefined): Parts => partsOf(!name ? frame : {
  ...frame, chunks: [{ role: 'text', start: 0, end: 0, cost: 0, value: { text: name.text, form: name.isQuoted ? 'quoted' : 'text', end: 0 } }, ...frame.chunks],
})

/** Scopes the work to a page, block, row or field. */
export function scopedTo(work: Work, noun: Noun): Work {
  if (noun.isNew) return reject('something new is not a scope')
  switch (noun.kind) {
    case 'menu': case 'site': case 'everywhere': return reject('not a place on a page')
    case 'page': return onPage(work, findPage(work, noun).slug)
    case 'field': {
      const field = findField(work, noun)
      return { ...onPage(work, field.slug), lead: { slug: field.slug, id: field.id }, touched: ownerOf(field), touchedField: field }
    }
    default: {
      const at = noun.kind === 'section' || noun.kind === 'block' ? findBlock(work, noun) : findOwner(work, noun)
      return { ...onPage(work, at.slug), lead: { slug: at.slug, id: at.id }, ...('listKey' in at && { touched: at }) }
    }
  }
}

/** The text of a value; rejects a remark, and the level of a heading. */
export const textOf = (value: Value | undefined): string =>
  (!value || value.form === 'remark' || isHeadingLevel(value) ? reject('not a text') : value.text)
