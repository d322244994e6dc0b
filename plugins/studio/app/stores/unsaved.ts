/**
 * What was typed and not stored, kept in this browser: it outlives a reload and a crash.
 *
 * Another page load only offers it, beside what stands there now.
 */
import { signal } from '@preact/signals'
import { randomId } from '../random-id.ts'
import { pageVersion } from './draft.ts'
import { isRow } from './place.ts'
import { draftId } from './site.ts'

export interface Unsaved {
  readonly key: string
  /** The name of its place. */
  readonly name: string
  readonly value: unknown
  /** The stored value on which it was typed, and the version that it had. */
  readonly on: unknown
  readonly version: number
  /** The time, as ISO 8601. */
  readonly at: string
}

const prefix = 'content-orchestrator:unsent:'
const load = randomId()
const mostUnsaved = 50
const longest = 200_000

/** What earlier page loads have left, oldest first. */
export const offered = signal<readonly Unsaved[]>([])

const draftPrefix = (): string => `${prefix}${JSON.stringify(draftId.value)}`
const storageKey = (name: string): string => `${draftPrefix()}${load}${name}`

type Typed = Pick<Unsaved, 'value' | 'on'>
const entryOf = (name: string, { value, on }: Typed): Omit<Unsaved, 'key'> => ({
  name,
  value,
  on,
  version: pageVersion.peek(),
  at: new Date().toISOString(),
})

export function keep(name: string, typed: Typed): void {
  const text = JSON.stringify(entryOf(name, typed))
  try {
    if (text.length <= longest) localStorage.setItem(storageKey(name), text)
  } catch {
    // The storage is full or off: it stays in the field.
  }
}
export const forget = (name: string): void => localStorage.removeItem(storageKey(name))

/** Offers what has lost its place. */
export function offer(name: string, typed: Typed): void {
  offered.value = [...offered.value, { key: storageKey(name), ...entryOf(name, typed) }]
}

export function discard(key: string): void {
  localStorage.removeItem(key)
  offered.value = offered.value.filter((each) => each.key !== key)
}

/** Reads what earlier page loads have left; what another tab stores meanwhile goes. */
export function followUnsaved(): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix()))
  const found = keys.flatMap((key) => readStored(key) ?? []).toSorted((a, b) => (a.at < b.at ? -1 : 1))
  for (const { key } of found.slice(0, -mostUnsaved)) localStorage.removeItem(key)
  offered.value = found.slice(-mostUnsaved)
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && newValue === null) discard(key)
  })
}

function readStored(key: string): Unsaved | undefined {
  try {
    const entry: unknown = JSON.parse(localStorage.getItem(key) ?? '')
    if (!isRow(entry) || !Array.isArray(JSON.parse(String(entry['name'])))) return undefined
    const { name, value, on, version, at } = entry
    return { key, name: String(name), value, on, version: Number(version), at: String(at) }
  } catch {
    return undefined
  }
}
