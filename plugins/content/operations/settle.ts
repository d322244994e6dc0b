import type { Violation } from '../check-props.ts'
import { effectiveItemFields, isContentOwned, isDeclaredList, isInternal } from '../fields.ts'
import { sanitiseHtml } from '../html.ts'
import { isGeneratedId, nextRowId, type RowIds, rowIds, rowKey } from '../items.ts'
import type { Block, BlockType, FieldMeta, Fields, Props, PropsSchema } from '../model.ts'
import { isPlainObject, ownValue } from '../plain-object.ts'
import { admits, itemSchemaOf } from '../props-schema.ts'
import { sameJson } from '../same-json.ts'
import { check, enforcedSchema, referencesIn, stepsPerNewProp } from './enforce.ts'
import { readsAsInstruction } from '../words.ts'
import { violates } from './refuse.ts'
import { isSameBranch, keysOf, matchRows, noteBranchless } from './rows.ts'
import { type BatchState, spend } from './state.ts'

/** Settling of incoming values: a value is stored as sent, unless its field has a special rule. */

/** The block that a batch writes. */
export interface Write {
  readonly state: BatchState
  readonly block: { readonly id: string; readonly type: string }
  /** Maps a path inside the props to one in the operation. */
  readonly from: (path: string) => string
  /** True if the content may contain references into the CMS; otherwise only the CMS sets them. */
  readonly bringsReferences: boolean
}

/** The object that is written: the props of a block, or a row. */
export interface Place {
  readonly fields: Fields
  readonly schema: PropsSchema | undefined
  /** The stored object; `undefined` if it is new. */
  readonly stored: Props | undefined
  /** The path in messages: `''` for props, `items[2]` for a row. */
  readonly at: string
  /** Returns the row ids of a list inside the object. */
  readonly idsOf: (listName: string) => RowIds
}

/** A declared list and its position. */
export interface ListPlace {
  readonly meta: FieldMeta
  /** The schema of a row. */
  readonly schema: PropsSchema | undefined
  readonly at: string
  readonly ids: RowIds
  /** True if a row keeps the fields that its new version omits. */
  readonly inherits: boolean
}

/** Settles the props of a new block, or the fields of a new version of an object. */
function settleAll(write: Write, place: Place, incoming: Props): Props {
  const settled: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(incoming)) {
    const kept = settle(write, place, name, value)
    if (kept !== undefined) settled[name] = kept
  }
  return settled
}

/** Returns the value to store under a name, or `undefined` for none. */
export function settle(
  write: Write, place: Place, name: string, value: unknown, { inherits = false } = {},
): unknown {
  const { state, block } = write
  const meta = ownValue(place.fields, name)
  const at = pathTo(place, name)
  const stored = place.stored && ownValue(place.stored, name)
  const planned = state.context.source === 'planner'
  if (planned && isInternal(name, meta) && !isRowKey(place, name)) {
    state.notes.push(`${at}: internal to the site, left as it is`)
    return stored
  }
  if (!meta) return value
  if (meta.kind === 'reference') {
    return write.bringsReferences ? value : keptReference(state, place.stored ? stored : null, value, at)
  }
  if (isDeclaredList(meta)) {
    const schema = itemSchemaOf(ownValue(place.schema?.properties, name))
    const list = { meta, schema, at, ids: place.idsOf(name), inherits }
    return Array.isArray(value) ? settleRows(write, list, Array.isArray(stored) ? stored : [], value) : value
  }
  if (place.at === '' && block.type === 'Table') return textCells(value)
  if ((meta.kind === 'richtext' || meta.kind === 'html') && typeof value === 'string') {
    if (isDocument(stored) && !admits(ownValue(place.schema?.properties, name) ?? {}, 'string')) {
      violates(write.from(at), 'holds a document and cannot become plain text; send the whole document')
    }
    return planned && meta.kind === 'html' ? sanitiseHtml(value) : value
  }
  if (planned && meta.kind === 'imageAlt' && place.stored && readsAsInstruction(value)) {
    state.notes.push(`${at}: kept, because the new text reads as an instruction`)
    return stored
  }
  return value
}

/** Returns the path of a field in messages. */
export function pathTo({ at }: Place, name: string): string {
  return at === '' ? name : `${at}.${name}`
}

/** Settles a new row of a list, and adds a key. */
export function settleNewRow(write: Write, list: ListPlace, row: Props, { position, startAt, used, repeated }: {
  readonly position: number
  /** The first index to try for a new id. */
  readonly startAt: number
  /** The keys of the list; the new one is added. */
  readonly used: Set<unknown>
  /** True if the list already has this row's key. */
  readonly repeated: boolean
}): Props {
  const { state } = write
  const keyless = rowKey(row) === undefined || (repeated && isGeneratedId(row['id']))
  const at = `${list.at}[${position}]`
  if (repeated && !keyless) state.notes.push(`${at}: another row has the key ${rowKey(row)} too`)
  return settleRow(write, list, row, { position, key: keyless ? newKey(list, used, startAt) : {} })
}

function settleRows(
  write: Write, list: ListPlace, stored: readonly unknown[], incoming: readonly unknown[],
): readonly unknown[] {
  const used = keysOf([...stored, ...incoming])
  const matches = matchRows(stored, incoming)
  const rows = incoming.map((row, position) => {
    if (!isPlainObject(row)) return row
    const { stored: match, repeated = false } = matches[position] ?? {}
    if (!match) return settleNewRow(write, list, row, { position, startAt: position, used, repeated })
    const key = rowKey(match) === undefined ? newKey(list, used, position) : only(match, ['id', '_key'])
    return settleRow(write, list, row, { position, match, key })
  })
  noteBranchless(write.state.notes, list.meta, rows, list.at)
  return rows
}

function settleRow(write: Write, list: ListPlace, row: Props, { position, match, key }: {
  readonly position: number
  readonly match?: Props
  /** The new key of the row; if empty, it keeps its own. */
  readonly key: Props
}): Props {
  const { meta, inherits } = list
  const stored = match && isSameBranch(meta, match, row) ? match : undefined
  const fields = effectiveItemFields(meta, stored && inherits ? { ...stored, ...row } : row)
  const settled = settleAll(write, {
    fields,
    schema: list.schema,
    stored,
    at: `${list.at}[${position}]`,
    idsOf: (name) => list.ids.within(rowKey({ ...row, ...key }) ?? position, name),
  }, row)
  const kept = stored ? (inherits ? stored : only(stored, Object.keys(referencesIn(fields)))) : newReferences(write, fields, row)
  const result = { ...key, ...kept, ...settled, ...key }
  return match && sameJson(match, result) ? match : result
}

/** Returns a key for a row without one, unless keys are author-assigned. */
function newKey({ meta, ids }: ListPlace, used: Set<unknown>, startAt: number): Props {
  if (isContentOwned(meta)) return {}
  const { id } = nextRowId(ids, startAt, (wanted) => used.has(wanted))
  used.add(id)
  return { id }
}

/** Returns the missing references of a new row, except internal ones: `null` until the CMS sets them. */
function newReferences({ state, bringsReferences }: Write, fields: Fields, row: Props): Props {
  if (bringsReferences) return {}
  const missing = Object.entries(referencesIn(fields)).filter(([name, meta]) => !Object.hasOwn(row, name) && !isInternal(name, meta))
  spend(state, missing.length * stepsPerNewProp)
  return Object.fromEntries(missing.map(([name]) => [name, null]))
}

function keptReference(state: BatchState, kept: unknown, sent: unknown, at: string): unknown {
  if (sent !== null && !sameJson(sent, kept)) state.notes.push(`${at}: change this reference in the CMS`)
  return kept
}

const isDocument = (value: unknown) => typeof value === 'object' && value !== null
const isRowKey = ({ at }: Place, name: string) => at.endsWith(']') && name === '_key'

const only = (object: Props, names: readonly string[]): Props =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(object, name)).map((name) => [name, object[name]]))

/** Headers and rows of a table hold only text. Other values are unchanged, and are refused later. */
function textCells(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((cell) => (Array.isArray(cell) ? cell.map(textCell) : textCell(cell)))
}

function textCell(cell: unknown): unknown {
  if (cell === null) return ''
  return typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : cell
}

/**
 * People and the system may send references into the CMS; a plan cannot know any. `at` is the path of the
 * props in the operation.
 */
export function settleNewProps(state: BatchState, block: Block, { fields }: BlockType, at: string): Props {
  const from = (path: string) => `${at}.${path}`
  const write = { state, block, from, bringsReferences: state.context.source !== 'planner' }
  return settleAll(write, { fields, schema: undefined, stored: undefined, at: '', idsOf: (name) => rowIds(block.id, name) }, block.props)
}

/** Lists the violations of a block type by the props of a new block. */
export function propsViolations(state: BatchState, blockType: BlockType, props: Props): readonly Violation[] {
  return check(state, enforcedSchema(blockType), props, '')
}

/** Maps a path inside the props at `at` to a path in the operation. */
export function inProps(at: string): (path: string) => string {
  return (path) => (path === '' ? at : `${at}.${path}`)
}
