/**
 * What is typed and not stored yet, by the place where it is typed.
 *
 * The only place that knows it: fields show it, it is stored at a pause, and it stays when the service refuses it or
 * the field is closed.
 */
import { signal, type Signal } from '@preact/signals'
import { forget, keep, offer } from './unsaved.ts'
import { isSame } from './place.ts'

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
  /** The place was deleted: what was typed is offered apart from it. */
  | { readonly gone: true }
  /** What stands there now, in the form in which the field shows it. */
  | TypedConflict

/** Stores a value that was typed on another one. */
export type Store = (value: unknown, on: unknown) => Promise<StoreOutcome>

const all = new Map<string, Signal<Typed | undefined>>()
const stores = new Map<string, Store>()
const timers = new Map<string, number>()
const sending = new Set<string>()
/** What is to be stored again once its request is answered. */
const waiting = new Set<string>()
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

/** What is typed at a place; `undefined` while the stored value stands there. */
export function typedAt(name: string): Signal<Typed | undefined> {
  const existing = all.get(name) ?? signal<Typed | undefined>(undefined)
  all.set(name, existing)
  return existing
}

export const isUnsent = ({ value, on }: Typed): boolean => !isSame(value, on)

function put(name: string, next: Typed): void {
  typedAt(name).value = next
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
  const at = typedAt(name)
  const now = at.peek()
  const isOurs = now !== undefined && (isUnsent(now) || sending.has(name))
  at.value = isOurs ? { ...now, hasFocus: true } : { value: shown, on: shown, hasFocus: true }
  caret.value = { name, at: Date.now() }
}

/** Takes what a key changed, and stores it at the next pause; `shown` is what the field showed before. */
export function type(name: string, value: unknown, shown: unknown, store: Store): void {
  const now = typedAt(name).peek()
  const isOurs = now !== undefined && (now.hasFocus || isUnsent(now) || sending.has(name))
  put(name, isOurs ? { ...now, value } : { value, on: shown, hasFocus: false })
  caret.value = { name, at: Date.now() }
  goOnTyping()
  stores.set(name, store)
  clearTimeout(timers.get(name))
  timers.set(
    name,
    window.setTimeout(() => void flush(name, store), pauseMs),
  )
}

export function leave(name: string, store: Store): void {
  const at = typedAt(name)
  const now = at.peek()
  if (now) at.value = { ...now, hasFocus: false }
  if (caret.peek()?.name === name) caret.value = undefined
  void flush(name, store)
}

/** Stores what was typed. One request is under way for a field; what was typed meanwhile follows it. */
export async function flush(name: string, store: Store): Promise<void> {
  clearTimeout(timers.get(name))
  if (sending.has(name)) return void waiting.add(name)
  const at = typedAt(name)
  do {
    const now = at.peek()
    if (!now || !isUnsent(now) || now.conflict) return
    sending.add(name)
    const outcome = await store(now.value, now.on)
    sending.delete(name)
    const latest = at.peek() ?? now
    if ('theirs' in outcome && isUnanswered(latest, outcome.theirs)) {
      put(name, { ...latest, on: outcome.theirs })
      waiting.add(name)
      continue
    }
    if ('gone' in outcome) {
      offer(name, latest)
      at.value = undefined
      return mark(name, false)
    }
    put(name, settled(latest, now.value, outcome))
  } while (waiting.delete(name))
}

/** Whether a stored value was sent from here, and its answer was lost. */
const isUnanswered = ({ unanswered = [] }: Typed, stored: unknown): boolean =>
  unanswered.some((value) => isSame(value, stored))

function settled(
  latest: Typed,
  sent: unknown,
  outcome: Exclude<StoreOutcome, { readonly gone: true }>,
): Typed {
  const { failure: _failure, conflict: _conflict, ...rest } = latest
  if ('version' in outcome) return { ...rest, on: sent, version: outcome.version, unanswered: [] }
  if ('waits' in outcome) return { ...rest, unanswered: [...(rest.unanswered ?? []), sent] }
  return 'theirs' in outcome ? { ...rest, conflict: outcome } : { ...rest, failure: outcome.failure }
}

/** Stores all that is typed and not stored. */
export async function flushAll(): Promise<void> {
  await Promise.all([...unsent.peek()].map((name) => flush(name, stores.get(name) ?? missing)))
}
const missing: Store = () => Promise.resolve({ waits: true })

/** Decides a conflict: the value that stays, on what others stored. */
export function decide(name: string, value: unknown, store: Store): Promise<void> {
  const at = typedAt(name)
  const now = at.peek()
  if (!now?.conflict) return Promise.resolve()
  const { conflict, ...rest } = now
  put(name, { ...rest, value, on: conflict.theirs })
  return flush(name, store)
}

/** Lets the browser ask before it closes a page with text that is not stored. */
export const askBeforeLeaving = (): void =>
  addEventListener('beforeunload', (event) => {
    if (unsent.peek().size > 0) event.preventDefault()
  })
