import type { Chunk, Role } from '../frame/chunks.ts'
import type { Frame } from '../frame/frames.ts'
import type { Noun } from '../frame/nouns.ts'
import type { Place } from '../frame/places.ts'
import type { Value } from '../frame/values.ts'
import type { VerbClass } from '../language/language.ts'
import { findBlock } from '../resolve/blocks.ts'
import { findField, findOwner, ownerOf } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { unfit } from '../work/ask.ts'
import { onPage, type Work } from '../work/work.ts'

/** The parts of a frame, for the action that does what it says. */
export interface Parts {
  readonly frame: Frame
  /** What the verb acts on, in order. */
  readonly objects: readonly Noun[]
  readonly object: Noun
  readonly value: Value | undefined
  readonly text: Value | undefined
  readonly place: Place | undefined
  readonly choice: string
  first(role: Role): Chunk | undefined
  all(role: Role): readonly Chunk[]
}

/**
 * One thing that can be asked for.
 *
 * It throws `Ask` where something is missing, ambiguous or not possible, and `Unfit` where the reading makes no sense here.
 */
export interface Action {
  /** It takes verbs of any of these kinds; `none` takes a clause without a verb. */
  readonly verbs: readonly (VerbClass | 'none')[]
  /** The roles that a frame must have, and with `?` may have; `+` for several. A frame with any other part does not fit. */
  readonly roles: string
  /** It says what is so or stays so: a message of nothing else asks for nothing. */
  readonly isStatement?: true
  does(work: Work, parts: Parts): Work
}

interface RoleCount {
  readonly least: 0 | 1
  readonly most: number
}

const counts = new Map<string, ReadonlyMap<string, RoleCount>>()

function countsOf(roles: string): ReadonlyMap<string, RoleCount> {
  const known = counts.get(roles) ?? new Map(roles.split(' ').map((role): [string, RoleCount] => {
    const mark = role.at(-1)
    return [role.replace(/[?+*]$/, ''), { least: mark === '?' || mark === '*' ? 0 : 1, most: mark === '+' || mark === '*' ? Infinity : 1 }]
  }))
  counts.set(roles, known)
  return known
}

/** Whether an action takes a frame, for the verbs that it has or that it takes over. */
export function fits({ verbs, roles }: Action, { chunks }: Frame, given: readonly (VerbClass | 'none')[]): boolean {
  if (!verbs.some((verb) => given.includes(verb))) return false
  const wanted = countsOf(roles)
  if (chunks.some(({ role }) => role !== 'lead' && !wanted.has(role))) return false
  return wanted.entries().every(([role, { least, most }]) => {
    const count = chunks.reduce((sum, chunk) => (chunk.role === role ? sum + 1 : sum), 0)
    return count >= least && count <= most
  })
}

export function partsOf(frame: Frame): Parts {
  const all = (role: Role) => frame.chunks.filter((chunk) => chunk.role === role)
  const first = (role: Role) => all(role)[0]
  const objects = all('object').flatMap(({ noun }) => noun ?? [])
  const [object = { kind: 'it', start: 0, end: 0, text: '', cost: 0 }] = objects
  const choice = frame.chunks.find((chunk) => chunk.choice !== undefined)?.choice ?? ''
  return { frame, objects, object, value: first('value')?.value, text: first('text')?.value, place: first('place')?.place, choice, first, all }
}

const contexts = ['in', 'to', 'from'] as const

/** The same work where the rest of the sentence says it is: on a page, in a block, at a row or a field. */
export function within(work: Work, parts: Parts, roles: readonly Role[] = contexts): Work {
  return roles.flatMap((role) => parts.all(role)).reduce((at, { noun }) => (noun && noun.kind !== 'field' ? inside(at, noun) : unfit('a field has no parts')), work)
}

export function inside(work: Work, noun: Noun): Work {
  if (noun.isNew) return unfit('what is new has no parts yet')
  if (noun.kind === 'menu' || noun.kind === 'site' || noun.kind === 'everywhere') return unfit('not a place on a page')
  if (noun.kind === 'page') return onPage(work, findPage(work, noun).slug)
  if (noun.kind === 'field') {
    const field = findField(work, noun)
    const owner = ownerOf(field)
    return { ...onPage(work, field.slug), lead: { slug: field.slug, id: field.id }, touched: owner, touchedField: field }
  }
  const at = noun.kind === 'section' || noun.kind === 'block' ? findBlock(work, noun) : findOwner(work, noun)
  return { ...onPage(work, at.slug), lead: { slug: at.slug, id: at.id }, ...('listKey' in at && { touched: at }) }
}

/** A text that was written for something; gives up where it may only be a remark about it. */
export const textOf = (value: Value | undefined): string => (!value || value.form === 'remark' ? unfit('a remark, not a text') : value.text)
