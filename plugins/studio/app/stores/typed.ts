/**
 * What is typed and not stored yet, by the place where it is typed.
 *
 * The only place that knows it: fields show it, it is stored at a pause, and it stays when the service
 * refuses it or the field is closed.
 */
import { batch, signal, type Signal } from '@preact/signals'
import { sentenceOfGone, type Gone } from './gone.ts'
import { isSame, nameAfter, type PageRename } from './place.ts'
import { say } from './toast.ts'
import { forget, keep, offer } from './unsaved.ts'

export interface Typed {
  readonly value: unknown
  /** The stored value on which it was typed. */
  readonly on: unknown
  /** Whether the field has the caret: nothing else writes it then. */
  readonly hasFocus: boolean
  /** The version of the draft that has it; `undefined` until the service has answered. */
  readonly version?: number | undefined
  /** The values that were sent, and perhaps stored, since the service has answered last. */
  readonly unanswered?: readonly unknown[]
  /** Why the service did not store it. */
  readonly failure?: string | undefined
  /** What others stored meanwhile: it waits for a decision. */
  readonly conflict?: TypedConflict | undefined
  /** What took its place away: it is stored if that comes back, and is offered once it is left. */
  readonly gone?: Gone | undefined
}

export interface TypedConflict<T = unknown> {
  readonly theirs: T
  /** Who wrote it, where that is known. */
  readonly by?: string | undefined
}

/** What came of storing a value. */
export type StoreOutcome =
  | { readonly version: number }
  | { readonly failure: string }
  /** The service has not answered: it is stored with the next connection. */
  | { readonly waits: true }
  /** The place was deleted. */
  | { readonly gone: Gone }
  /** What is there now, in the form in which the field shows it. */
  | TypedConflict

/** Stores a value that was typed on another one, at the place that has this name now. */
export type Store = (value: unknown, on: unknown, name: string) => Promise<StoreOutcome>

/** A place where something is typed. Its name changes when its page moves. */
interface Spot {
  name: string
  readonly at: Signal<Typed | undefined>
  store?: Store
  timer?: number
  isSending: boolean
  /** Whether it is to be stored again once its request is answered. */
  isWaiting: boolean
  /** The number of fields that show it. */
  fields: number
}

const spots = new Map<string, Spot>()
/** How long a person pauses before a field is stored. */
const pauseMs = 600

/** How long no key has to be pressed before something else may take the keyboard. */
const stillMs = 2000
let still = 0
/** Whether a person types, here or in the page of the frame: until a pause, or a click. */
export const isTyping = signal(false)
function goOnTyping(): void {
  isTyping.value = true
  clearTimeout(still)
  still = window.setTimeout(endTyping, stillMs)
}
export function endTyping(): void {
  clearTimeout(still)
  isTyping.value = false
}

/** Notices the keys and clicks of the studio; what is typed in the page comes by `type`. */
export function followTyping(): void {
  // After the field itself, which would be drawn again with the value before.
  document.addEventListener('input', goOnTyping)
  document.addEventListener('pointerdown', endTyping, true)
}

/** The places whose text is not stored. */
export const unsent = signal<ReadonlySet<string>>(new Set())
/** The place where a key was pressed last, and when; `undefined` once it is left. */
export const caret = signal<{ readonly name: string; readonly at: number } | undefined>(undefined)

function spotAt(name: string): Spot {
  const existing = spots.get(name)
  if (existing) return existing
  const spot: Spot = { name, at: signal(undefined), isSending: false, isWaiting: false, fields: 0 }
  spots.set(name, spot)
  return spot
}

/** What is typed at a place; `undefined` while the stored value is there. */
export const typedAt = (name: string): Signal<Typed | undefined> => spotAt(name).at

export const isUnsent = ({ value, on }: Typed): boolean => !isSame(value, on)

function put({ name, at }: Spot, next: Typed): void {
  at.value = next
  const isPending = isUnsent(next)
  if (isPending) keep(name, next)
  else forget(name)
  mark(name, isPending)
}

function mark(name: string, isPending: boolean): void {
  if (isPending === unsent.peek().has(name)) return
  const others = [...unsent.peek()].filter((each) => each !== name)
  unsent.value = new Set(isPending ? [...others, name] : others)
}

/** Gives a field the caret; `shown` is what it shows. */
export function enter(name: string, shown: unknown): void {
  const { at, isSending } = spotAt(name)
  const now = at.peek()
  const isOurs = now !== undefined && (isUnsent(now) || isSending)
  at.value = isOurs ? { ...now, hasFocus: true } : { value: shown, on: shown, hasFocus: true }
  caret.value = { name, at: Date.now() }
}

/**
 * Takes a change of a field, and stores it at the next pause; a value that is not valid before it is complete is
 * stored once the field is left. `shown` is what the field showed before.
 */
export function type(
  name: string,
  value: unknown,
  shown: unknown,
  store: Store,
  when: 'at a pause' | 'once left' = 'at a pause',
): void {
  const spot = spotAt(name)
  const now = spot.at.peek()
  const isOurs = now !== undefined && (now.hasFocus || isUnsent(now) || spot.isSending)
  put(spot, isOurs ? { ...now, value } : { value, on: shown, hasFocus: false })
  caret.value = { name, at: Date.now() }
  goOnTyping()
  spot.store = store
  clearTimeout(spot.timer)
  if (when === 'at a pause') spot.timer = window.setTimeout(() => void flushSpot(spot, store), pauseMs)
}

export function leave(name: string, store: Store): void {
  const spot = spotAt(name)
  const now = spot.at.peek()
  if (now) spot.at.value = { ...now, hasFocus: false }
  if (caret.peek()?.name === name) caret.value = undefined
  void flushSpot(spot, store)
}

/** Shows a place in a field, until the function that it returns is called. */
export function show(name: string, store: Store): () => void {
  const spot = spotAt(name)
  spot.fields += 1
  return () => {
    spot.fields -= 1
    // A page that moves takes its fields along.
    if (spot.name === name) leave(name, store)
  }
}

export const flush = (name: string, store: Store): Promise<void> => flushSpot(spotAt(name), store)

/** Stores what was typed. One request is under way for a place; what was typed meanwhile follows it. */
async function flushSpot(spot: Spot, store: Store): Promise<void> {
  clearTimeout(spot.timer)
  if (spot.isSending) return void (spot.isWaiting = true)
  do {
    spot.isWaiting = false
    const now = spot.at.peek()
    if (!now || !isUnsent(now) || now.conflict) return
    spot.isSending = true
    const outcome = await store(now.value, now.on, spot.name)
    spot.isSending = false
    const last = spot.at.peek() ?? now
    if ('theirs' in outcome && isUnanswered(last, outcome.theirs)) {
      put(spot, { ...last, on: outcome.theirs })
      spot.isWaiting = true
      continue
    }
    const latest = settled(last, now.value, outcome)
    if (latest.gone && spot.fields === 0) {
      giveUp(spot.name, { ...latest, gone: latest.gone })
      spot.at.value = undefined
      return mark(spot.name, false)
    }
    put(spot, latest)
  } while (spot.isWaiting)
}

/** Whether a stored value was sent from here, and its answer was lost. */
const isUnanswered = ({ unanswered = [] }: Typed, stored: unknown): boolean =>
  unanswered.some((value) => isSame(value, stored))

function settled(latest: Typed, sent: unknown, outcome: StoreOutcome): Typed {
  const { failure: _failure, conflict: _conflict, gone: _gone, ...rest } = latest
  if ('version' in outcome) return { ...rest, on: sent, version: outcome.version, unanswered: [] }
  if ('waits' in outcome) return { ...rest, unanswered: [...(rest.unanswered ?? []), sent] }
  if ('gone' in outcome) return { ...rest, gone: outcome.gone }
  return 'theirs' in outcome ? { ...rest, conflict: outcome } : { ...rest, failure: outcome.failure }
}

/** Offers what has lost its place. */
export function giveUp(name: string, typed: Pick<Typed, 'value' | 'on'> & { readonly gone: Gone }): void {
  offer(name, typed)
  say(`${sentenceOfGone(typed.gone)} Your text is kept above.`)
}

/** Stores all that is typed and not stored. */
export const flushAll = (): Promise<void> => flushThose(() => true)
/** Stores what has lost its place, which may be back; also where that is only being found out. */
export const flushGone = (): Promise<void> =>
  flushThose((name) => spotAt(name).isSending || spotAt(name).at.peek()?.gone !== undefined)

async function flushThose(isMeant: (name: string) => boolean): Promise<void> {
  const names = [...unsent.peek()].filter(isMeant)
  await Promise.all(names.map((name) => flush(name, spotAt(name).store ?? missing)))
}
const missing: Store = () => Promise.resolve({ waits: true })

/** Takes what is typed along with pages that have moved. */
export function carryTyped(renames: readonly PageRename[]): void {
  const now = (name: string): string => nameAfter(name, renames)
  const moved = [...spots.values()].filter(({ name }) => now(name) !== name)
  batch(() => {
    for (const { name } of moved) spots.delete(name)
    for (const spot of moved) {
      forget(spot.name)
      spot.name = now(spot.name)
      spots.set(spot.name, spot)
      const typed = spot.at.peek()
      if (typed && isUnsent(typed)) keep(spot.name, typed)
    }
    if (moved.length > 0) unsent.value = new Set([...unsent.peek()].map(now))
    const { value: at } = caret
    if (at) caret.value = { ...at, name: now(at.name) }
  })
}

/** Decides a conflict: the value that stays, on what others stored. */
export function decide(name: string, value: unknown, store: Store): Promise<void> {
  const spot = spotAt(name)
  const now = spot.at.peek()
  if (!now?.conflict) return Promise.resolve()
  const { conflict, ...rest } = now
  put(spot, { ...rest, value, on: conflict.theirs })
  return flush(name, store)
}

/** Lets the browser ask before it closes a page with text that is not stored. */
export const askBeforeLeaving = (): void =>
  addEventListener('beforeunload', (event) => {
    if (unsent.peek().size > 0) event.preventDefault()
  })
