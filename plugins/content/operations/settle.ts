/** Settling what comes in: a value is stored as it was sent, unless its field has a rule of its own. */
import { effectiveItemFields, isContentOwned, isDeclaredList, isInternal } from '../fields.ts'
import { sanitiseHtml } from '../html.ts'
import { isGeneratedId, nextRowId, rowKey } from '../items.ts'
import type { FieldMeta, Fields, Props, PropsSchema } from '../model.ts'
import { isPlainObject } from '../plain-object.ts'
import { admits, itemSchemaOf } from '../props-schema.ts'
import { ownValue } from '../plain-object.ts'
import { sameJson } from '../same-json.ts'
import { fieldOf, propertyOf } from './declared.ts'
import { readsAsInstruction } from './instruction.ts'
import { keysOf, matchRows } from './match-rows.ts'
import { refuse } from './refuse.ts'
import { textCells } from './table-cells.ts'
import type { BatchState } from './state.ts'

/** Into which block a batch writes. */
export interface Write {
  readonly state: BatchState
  readonly block: { readonly id: string; readonly type: string }
  /** Where in the operation a path inside the props comes from. */
  readonly from: (path: string) => string
  /** True where pointers into the CMS come along with the content; elsewhere only the CMS sets them. */
  readonly bringsReferences: boolean
}

/** The object that is written to: the props of a block, or a row. */
export interface Place {
  readonly fields: Fields
  readonly schema: PropsSchema | undefined
  /** What is stored there already; nothing when the object is new. */
  readonly stored: Props | undefined
  /** The path for people: `''` for props, `items[2]` for a row. */
  readonly at: string
  /** What the path of a list begins with when row ids are made. */
  readonly idPrefix: string
}

/** A declared list, and where it stands. */
export interface ListPlace {
  readonly meta: FieldMeta
  readonly schema: PropsSchema | undefined
  readonly at: string
  readonly idPath: string
  /** True when a row keeps the fields that its new version leaves out. */
  readonly inherits: boolean
}

/** The props of a new block, or the fields of a new version of an object, each settled. */
export function settleAll(write: Write, place: Place, incoming: Props): Props {
  const settled: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(incoming)) {
    const kept = settle(write, place, name, value)
    if (kept !== undefined) settled[name] = kept
  }
  return settled
}

/** The value to store under a name; `undefined` when the name is to be left as it is. */
export function settle(write: Write, place: Place, name: string, value: unknown, { inherits = false } = {}): unknown {
  const { state, bringsReferences } = write
  const meta = fieldOf(place.fields, name)
  const at = place.at === '' ? name : `${place.at}.${name}`
  const stored = place.stored && ownValue(place.stored, name)
  const planned = state.context.source === 'planner'
  if (planned && isInternal(name, meta) && !isRowKey(place, name)) {
    state.notes.push(`${at}: internal to the site, left as it is`)
    return stored
  }
  if (!meta) return value
  if (meta.kind === 'reference') return bringsReferences ? value : keptReference(write, place, { at, stored, value })
  if (isDeclaredList(meta)) {
    const list = { meta, schema: itemSchemaOf(propertyOf(place.schema, name)), at, idPath: place.idPrefix + name, inherits }
    return Array.isArray(value) ? settleRows(write, list, Array.isArray(stored) ? stored : [], value) : value
  }
  if (place.at === '' && write.block.type === 'Table') return textCells(value)
  if (isMarkup(meta) && typeof value === 'string') {
    if (typeof stored === 'object' && stored !== null && !admits(propertyOf(place.schema, name) ?? {}, 'string')) {
      refuse('schema_violation', 'holds a document and cannot become plain text: send the whole document', { path: write.from(at) })
    }
    return planned && meta.kind === 'html' ? sanitiseHtml(value) : value
  }
  if (planned && meta.kind === 'imageAlt' && place.stored && readsAsInstruction(value)) {
    state.notes.push(`${at}: kept, because the new text reads as an instruction`)
    return stored
  }
  return value
}

/** A row that is new to a list, with a key. `used` holds the keys of the list and takes the new one. */
export function settleNewRow(write: Write, list: ListPlace, row: Props, { position, startAt, used, repeated }: {
  readonly position: number
  /** Where counting for a new id begins. */
  readonly startAt: number
  readonly used: Set<unknown>
  /** True when the list has this row's key already. */
  readonly repeated: boolean
}): Props {
  const keyless = rowKey(row) === undefined || (repeated && isGeneratedId(row['id']))
  if (repeated && !keyless) write.state.notes.push(`${list.at}[${position}]: another row has the key ${rowKey(row)} too`)
  return settleRow(write, list, row, { position, key: keyless ? newKey(write, list, used, startAt) : {} })
}

function settleRows(write: Write, list: ListPlace, stored: readonly unknown[], incoming: readonly unknown[]): readonly unknown[] {
  const used = keysOf([...stored, ...incoming])
  const matches = matchRows(stored, incoming)
  const rows = incoming.map((row, position) => {
    if (!isPlainObject(row)) return row
    const { stored: match, repeated = false } = matches[position] ?? {}
    if (!match) return settleNewRow(write, list, row, { position, startAt: position, used, repeated })
    const key = rowKey(match) === undefined ? newKey(write, list, used, position) : keyFields(match)
    return settleRow(write, list, row, { position, match, key })
  })
  noteBranchless(write.state, list, rows)
  return rows
}

function settleRow(write: Write, list: ListPlace, row: Props, { position, match, key }: {
  readonly position: number
  readonly match?: Props
  /** The key that the row is to have; what is empty leaves it its own. */
  readonly key: Props
}): Props {
  const { meta, at, idPath, inherits } = list
  const stored = match && isSameBranch(meta, match, row) ? match : undefined
  const whole = stored && inherits ? { ...stored, ...row } : row
  const fields = effectiveItemFields(meta, whole)
  const settled = settleAll(write, {
    fields, schema: list.schema, stored, at: `${at}[${position}]`,
    idPrefix: `${idPath}.${rowKey({ ...row, ...key }) ?? position}.`,
  }, row)
  const kept = stored && (inherits ? stored : referencesOf(stored, fields))
  const result = { ...key, ...kept, ...settled, ...key }
  return match && sameJson(match, result) ? match : result
}

function newKey({ block }: Write, { meta, idPath }: ListPlace, used: Set<unknown>, startAt: number): Props {
  if (isContentOwned(meta)) return {}
  const id = nextRowId(block.id, idPath, startAt, (wanted) => used.has(wanted))
  used.add(id)
  return { id }
}

function keptReference({ state }: Write, { stored: target }: Place, { at, stored, value }: { readonly at: string; readonly stored: unknown; readonly value: unknown }): unknown {
  const kept = target ? stored : null
  if (value !== null && !sameJson(value, kept)) state.notes.push(`${at}: change this reference in the CMS`)
  return kept
}

/** Notes rows that do not say of which branch they are; only adding one by one insists on it. */
export function noteBranchless(state: BatchState, { meta, at }: Pick<ListPlace, 'meta' | 'at'>, rows: readonly unknown[]): void {
  const { discriminator } = meta
  if (!discriminator) return
  const count = rows.filter((row) => isPlainObject(row) && !isBranch(ownValue(row, discriminator))).length
  if (count > 0) state.notes.push(`${at}: ${count === 1 ? 'one row has' : `${count} rows have`} no ${discriminator}`)
}

/** Tells whether a value can name the branch of a row: any text that is not empty. */
export function isBranch(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isSameBranch({ discriminator }: FieldMeta, stored: Props, row: Props): boolean {
  return !discriminator || !Object.hasOwn(row, discriminator) || sameJson(ownValue(stored, discriminator), row[discriminator])
}

const isMarkup = ({ kind }: FieldMeta) => kind === 'richtext' || kind === 'html'
const isRowKey = ({ at }: Place, name: string) => at.endsWith(']') && name === '_key'

const keyFields = (row: Props): Props =>
  Object.fromEntries(['id', '_key'].filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]))

const referencesOf = (row: Props, fields: Fields): Props =>
  Object.fromEntries(Object.entries(row).filter(([name]) => fieldOf(fields, name)?.kind === 'reference'))
