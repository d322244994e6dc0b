import type { Chunk, Role } from '../frame/chunks.ts'
import type { Frame } from '../frame/frames.ts'
import { ends, type Ground } from '../frame/ground.ts'
import { isBeside, type Name, type Noun } from '../frame/nouns.ts'
import type { Place } from '../frame/places.ts'
import type { Value } from '../frame/values.ts'
import type { VerbClass } from '../language/language.ts'
import { findBlock } from '../resolve/blocks.ts'
import { findField, findOwner, ownerOf } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { type Doubts, refuseDoubtful, unfit } from '../work/ask.ts'
import { backFrom, onPage, type Work } from '../work/work.ts'

/** The parts of a frame, for the action that does what it says. */
export interface Parts {
  readonly frame: Frame
  readonly verbs: readonly VerbClass[]
  /** What the verb acts on, in order. */
  readonly objects: readonly Noun[]
  readonly object: Noun
  readonly value: Value | undefined
  readonly text: Value | undefined
  /** What something is set to, however it is said. */
  readonly given: Value | undefined
  readonly place: Place | undefined
  readonly choice: string
  first(role: Role): Chunk | undefined
  all(...roles: readonly Role[]): readonly Chunk[]
  has(...roles: readonly Role[]): boolean
  nouns(...roles: readonly Role[]): readonly Noun[]
}

/**
 * One thing that can be asked for.
 *
 * It throws `Ask` where something is missing, ambiguous or not possible, and `Unfit` where the reading makes no sense here.
 */
export interface Action {
  /** It takes verbs of any of these kinds; `none` takes a clause without a verb. */
  readonly verbs: readonly (VerbClass | 'none')[]
  /**
   * The roles that a frame must have, and with `?` may have; `+` for several. A frame with any other part does not fit.
   * `given` is a value, a text or an address; `@in` says where the action is to work.
   */
  readonly roles: string
  /** It says what is so or stays so: a message of nothing else asks for nothing. */
  readonly isStatement?: true
  /** It is about pages: another one may be talked about afterwards. */
  readonly isOfPages?: true
  /** `start` is the work where the clause begins. */
  does(work: Work, parts: Parts, start: Work): Work
}

interface Pattern {
  readonly counts: ReadonlyMap<string, { readonly least: 0 | 1; readonly most: number }>
  /** The roles that say where. */
  readonly scope: readonly string[]
}

const patterns = new Map<string, Pattern>()

function patternOf(roles: string): Pattern {
  const known = patterns.get(roles)
  if (known) return known
  const parsed = roles.split(' ').map((role) => ({ name: role.replace(/\W/g, ''), isOptional: /[?*]$/.test(role), isMany: /[+*]$/.test(role), isScope: role.startsWith('@') }))
  const pattern: Pattern = {
    counts: new Map(parsed.map(({ name, isOptional, isMany }) => [name, { least: isOptional ? 0 : 1, most: isMany ? Infinity : 1 }])),
    scope: parsed.flatMap(({ name, isScope }) => (isScope ? [name] : [])),
  }
  patterns.set(roles, pattern)
  return pattern
}

const givenRoles: ReadonlySet<string> = new Set(['value', 'text', 'at'])

/** Whether an action takes the parts of a frame. */
export function fits({ roles }: Action, { chunks }: Frame): boolean {
  const { counts } = patternOf(roles)
  const found = new Map<string, number>()
  for (const { role } of chunks) {
    const name = counts.has('given') && givenRoles.has(role) ? 'given' : role
    if (!counts.has(name) && role !== 'lead') return false
    found.set(name, (found.get(name) ?? 0) + 1)
  }
  return counts.entries().every(([role, { least, most }]) => (found.get(role) ?? 0) >= least && (found.get(role) ?? 0) <= most)
}

/** Does what a frame says, where it says so. */
export function act(action: Action, work: Work, parts: Parts): Work {
  const { scope } = patternOf(action.roles)
  const within = parts.frame.chunks.filter(({ role }) => scope.includes(role))
  refuseDoubtful(doubts, { verbs: action.verbs, ground: work.scene.ground, parts, within })
  const places = within.map(({ noun }) => (noun && noun.kind !== 'field' ? noun : unfit('a field has no parts')))
  const done = action.does(places.reduce(inside, work), parts, work)
  return action.isOfPages ? done : backFrom(work, done)
}

interface Doubted extends Pick<Action, 'verbs'> {
  readonly ground: Ground
  readonly parts: Parts
  /** The parts that say where. */
  readonly within: readonly Chunk[]
}

const isAdding = ({ verbs }: Doubted): boolean => verbs.includes('add')
const isMoving = ({ verbs }: Doubted): boolean => verbs.some((verb) => verb === 'remove' || verb === 'move' || verb === 'copy')
const isField = ({ parts: { object } }: Doubted, ...props: readonly string[]): boolean => object.kind === 'field' && props.includes(object.props?.[0] ?? '')

/** Words of a clause, with the one in front of it. */
const wordsOf = ({ ground, parts: { frame } }: Doubted): readonly string[] => ground.tokens.slice(Math.max(0, frame.start - 1), frame.end).map(({ word }) => word)

const doubts: Doubts<Doubted> = [
  ['it goes behind what was talked about', (it) => isAdding(it) && !it.parts.place && wordsOf(it).some((word) => behindWords.has(word))],
  ['what is new has content to begin with', (it) => isAdding(it) && wordsOf(it).some((word) => emptyWords.has(word))],
  ['it is there already', (it) => isAdding(it) && it.within.some(({ start }) => comesFrom(it.ground, start))],
  ['it may be where the button leads', (it) => isAdding(it) && it.parts.has('detail') && it.within.some(({ start, noun }) => noun?.kind === 'page' && start > (it.parts.first('detail')?.start ?? 0))],
  ['what stands beside it is meant', (it) => isMoving(it) && it.within.some(({ start }) => isBeside(it.ground, start))],
  ['what stands below it is meant', (it) => isField(it, 'heading', 'title') && it.within.some(({ start }) => ends(it.ground, start, 'after').length > 0)],
  ['that of the page itself may be meant', (it) => isField(it, 'description', 'ctaHref') && !it.parts.object.owner && it.parts.nouns('in', 'from').some(({ kind }) => kind === 'page')],
]

const emptyWords: ReadonlySet<string> = new Set(['empty', 'blank', 'leer', 'leere', 'leeren', 'leerer', 'leeres'])
const behindWords: ReadonlySet<string> = new Set(['danach', 'dahinter', 'darunter', 'stattdessen', 'instead'])

const fromWords: ReadonlySet<string> = new Set(['from', 'aus', 'von', 'vom'])

/** Whether the word at `at` names an origin: what comes from somewhere is there already. */
export const comesFrom = ({ tokens }: Ground, at: number): boolean => fromWords.has(tokens[at]?.word ?? '')

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

/** The same parts with a name as their first text: `the "Tours" card`. */
export const withText = ({ frame }: Parts, name: Name | undefined): Parts => partsOf(!name ? frame : {
  ...frame, chunks: [{ role: 'text', start: 0, end: 0, cost: 0, value: { text: name.text, form: name.isQuoted ? 'quoted' : 'text', end: 0 } }, ...frame.chunks],
})

/** The same work in what is named: on a page, in a block, at a row or a field. */
export function inside(work: Work, noun: Noun): Work {
  if (noun.isNew) return unfit('what is new has no parts yet')
  switch (noun.kind) {
    case 'menu': case 'site': case 'everywhere': return unfit('not a place on a page')
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

/** A text that was written for something; gives up where it may only be a remark about it. */
export const textOf = (value: Value | undefined): string => (!value || value.form === 'remark' ? unfit('a remark, not a text') : value.text)
