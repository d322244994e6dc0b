import { createStoreOver } from './group-commit.ts'
import { type AnySpec, byCodePoint, type Engine, type Json, type Query, startValue, type StoredDocument, type Values, type WritableTable } from './engine.ts'
import type { Store } from './port.ts'

/** One stored document; `undefined` in an upper layer means that it was removed there. */
type Entry = { readonly version: number; readonly json: Json; readonly columns: Values } | undefined
/** Entries by key within scope within collection. */
type Layer = Map<string, Map<string, Map<string, Entry>>>

/** Creates a store in memory, for tests and demonstrations; its data lasts until the process ends. */
export function createMemoryStore(): Store {
  return createStoreOver(createMemoryEngine(), { shared: false })
}

/**
 * Creates an engine with three layers: committed documents, writes of the open group, writes after its mark.
 *
 * Reads never see uncommitted writes, and a rollback drops a layer.
 */
export function createMemoryEngine(): Engine {
  const durable: Layer = new Map()
  let group: Layer = new Map()
  let marked: Layer = new Map()
  let commits = 0
  return {
    committed: (spec) => tableOf(spec, () => [durable]),
    staged: (spec) => tableOf(spec, () => [durable, group, marked]),
    *bodies() {
      for (const scopes of durable.values()) for (const entries of scopes.values()) for (const entry of entries.values()) if (entry) yield entry.json
    },
    commits: () => commits,
    async begin() {},
    commit() {
      commits++
      merge(group, durable, 'forget what is removed')
    },
    rollback() {
      marked = new Map()
      group = new Map()
    },
    mark() {},
    keep: () => merge(marked, group),
    undo() {
      marked = new Map()
    },
    failure: () => undefined,
    touch() {},
  }
}

function merge(upper: Layer, lower: Layer, removed?: 'forget what is removed'): void {
  for (const [collection, scopes] of upper) {
    for (const [scope, entries] of scopes) {
      const below = entriesOf(lower, collection, scope)
      for (const [key, entry] of entries) {
        if (entry || !removed) below.set(key, entry)
        else below.delete(key)
      }
    }
  }
  upper.clear()
}

function entriesOf(layer: Layer, collection: string, scope: string): Map<string, Entry> {
  const scopes = layer.get(collection) ?? new Map<string, Map<string, Entry>>()
  const entries = scopes.get(scope) ?? new Map<string, Entry>()
  layer.set(collection, scopes.set(scope, entries))
  return entries
}

function tableOf(spec: AnySpec, layers: () => readonly Layer[]): WritableTable {
  const collection = spec.name.toLowerCase()

  function find(scope: string, key: string): Entry {
    for (const layer of layers().toReversed()) {
      const entries = layer.get(collection)?.get(scope)
      if (entries?.has(key)) return entries.get(key)
    }
    return undefined
  }

  function* documents(scope: string): Generator<StoredDocument> {
    const merged = new Map<string, Entry>()
    for (const layer of layers()) {
      for (const [key, entry] of layer.get(collection)?.get(scope) ?? []) merged.set(key, entry)
    }
    for (const [key, entry] of merged) if (entry) yield toDocument(spec, scope, key, entry)
  }

  function scopes(): Iterable<string> {
    return new Set(layers().flatMap((layer) => [...(layer.get(collection)?.keys() ?? [])]))
  }

  function list(query: Query): readonly StoredDocument[] {
    const { scope, where, orderBy, descending, after, limit = Infinity } = query
    const found = [...(scope === undefined ? scopes() : [scope])].flatMap((each) => [...documents(each)])
    const chosen = found.filter(({ columns }) => where.every(([column, value]) => columns[column] === value))
    const direction = descending ? -1 : 1
    const first = (row: StoredDocument) => (orderBy === undefined ? row.scope : row.columns[orderBy])
    chosen.sort((a, b) => direction * (compare(first(a), first(b)) || byCodePoint(a.key, b.key)))
    const beyond =
      after === undefined ? chosen : chosen.filter(({ key }) => direction * byCodePoint(key, after) > 0)
    return beyond.slice(0, limit)
  }

  function write(scope: string, key: string, entry: Entry): void {
    const top = layers().at(-1)
    if (top) entriesOf(top, collection, scope).set(key, entry)
  }

  return {
    get(scope, key) {
      const entry = find(scope, key)
      return entry && toDocument(spec, scope, key, entry)
    },
    rows: list,
    list,
    count: (query) => list(query).length,
    bytes: (query) => list(query).reduce((sum, { json }) => sum + Buffer.byteLength(json), 0),
    put(scope, key, { json, columns }, expect) {
      const before = find(scope, key)
      if (expect !== undefined && expect !== (before?.version ?? 0)) return undefined
      const version = (before?.version ?? 0) + 1
      write(scope, key, { version, json, columns: { ...before?.columns, ...columns } })
      return version
    },
    remove(scope, key, expect) {
      const before = find(scope, key)
      if (!before || (expect !== undefined && expect !== before.version)) return false
      write(scope, key, undefined)
      return true
    },
    clear(scope, before) {
      const doomed = [...documents(scope)].filter(
        ({ key }) => before === undefined || byCodePoint(key, before) < 0,
      )
      for (const { key } of doomed) write(scope, key, undefined)
      return doomed.length
    },
  }
}

function toDocument(
  spec: AnySpec,
  scope: string,
  key: string,
  { version, json, columns }: NonNullable<Entry>,
): StoredDocument {
  const declared = Object.entries(spec.columns)
  const values = declared.map(([column, type]) => [column, columns[column] ?? startValue[type]] as const)
  return { scope, key, version, json, columns: Object.fromEntries(values) }
}

function compare(a: string | number | undefined, b: string | number | undefined): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : byCodePoint(String(a), String(b))
}
