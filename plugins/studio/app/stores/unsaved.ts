/**
 * What was typed and not stored, retained in this browser: it outlives a reload and a crash.
 *
 * Another page load only offers it, beside what is there now.
 */
import { signal } from '@preact/signals'
import { randomId } from '../random-id.ts'
import { pageVersion } from './draft.ts'
import { sentenceOfGone, type Gone } from './gone.ts'
import { isRow, nameAfter, type PageRename } from './place.ts'
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
  /** What became of its place, as a sentence. */
  readonly why?: string | undefined
}

const prefix = 'content-orchestrator:unsent:'
const load = randomId()
const mostUnsaved = 50
const longest = 200_000

/** What earlier page loads have left, oldest first. */
export const offered = signal<readonly Unsaved[]>([])

const draftPrefix = (): string => `${prefix}${JSON.stringify(draftId.value)}`
const storageKey = (name: string): string => `${draftPrefix()}${load}${name}`

interface Typed extends Pick<Unsaved, 'value' | 'on'> {
  readonly gone?: Gone | undefined
}
const entryOf = (name: string, { value, on, gone }: Typed): Omit<Unsaved, 'key'> => ({
  name,
  value,
  on,
  version: pageVersion.peek(),
  at: new Date().toISOString(),
  ...(gone && { why: sentenceOfGone(gone) }),
})

export const keep = (name: string, typed: Typed): void => store(storageKey(name), entryOf(name, typed))

function store(key: string, entry: Omit<Unsaved, 'key'>): void {
  const text = JSON.stringify(entry)
  try {
    if (text.length <= longest) localStorage.setItem(key, text)
  } catch {
    // The storage is full or off: it stays in the field.
  }
}
export const forget = (name: string): void => localStorage.removeItem(storageKey(name))

function putOffered(key: string, entry: Omit<Unsaved, 'key'>): void {
  store(key, entry)
  offered.value = [...offered.peek(), { ...entry, key }]
}

/** Offers what has lost its place, apart from what may be typed there again. */
export function offer(name: string, typed: Typed): void {
  forget(name)
  putOffered(`${draftPrefix()}${randomId()}${name}`, entryOf(name, typed))
}

/** Takes what is offered along with pages that have moved, in the change of a version. */
export function carryUnsaved(renames: readonly PageRename[], version: number): void {
  for (const { key, ...entry } of offered.peek()) {
    const name = nameAfter(entry.name, renames)
    if (name === entry.name || entry.version >= version) continue
    discard(key)
    putOffered(key.slice(0, -entry.name.length) + name, { ...entry, name })
  }
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
    const { name, value, on, version, at, why } = entry
    const known = { key, name: String(name), value, on, version: Number(version), at: String(at) }
    return typeof why === 'string' ? { ...known, why } : known
  } catch {
    return undefined
  }
}
