/** Incoming values of a block: stored as sent, unless a field has a special rule. */
import { effectiveItemFields, hasMarkup, isContentOwned, isDeclaredList, isInternal } from '../fields.ts'
import { sanitiseHtml } from '../html.ts'
import { isGeneratedId, nextRowId, type RowIds, rowIds, rowKey, withoutGeneratedId } from '../items.ts'
import type { Block, BlockType, FieldMeta, Fields, Props, PropsSchema } from '../model.ts'
import { isPlainObject, mapValues, ownValue, perObject, picked, sameJson } from '../plain-object.ts'
import { admits, itemSchemaOf } from '../props-schema.ts'
import { readsAsInstruction } from '../words.ts'
import { referencesIn } from './enforce.ts'
import { violates } from './refuse.ts'
import { isSameBranch, keysOf, matchRows, noteBranchless } from './rows.ts'
import { type BatchState, spend } from './state.ts'

/** One write of an operation to a block. */
interface Write {
  readonly state: BatchState
  readonly block: Pick<Block, 'id' | 'type'>
  /** Maps a path inside the props to one in the operation. */
  readonly pathInOp: (path: string) => string
  /** True if the content may contain references into the CMS; otherwise only the CMS sets them. */
  readonly bringsReferences?: boolean
}

/** The object whose fields are written: the props of a block, or a row. */
interface Owner {
  readonly fields: Fields
  readonly schema: PropsSchema | undefined
  /** The stored object; `undefined` if it is new. */
  readonly stored: Props | undefined
  /** The path in messages: `''` for props, `items[2]` for a row. */
  readonly at: string
  /** Returns the row ids of a list inside the object. */
  readonly idsOf: (listName: string) => RowIds
  /** True if the rows of its lists keep the fields that their new versions omit. */
  readonly rowsInherit?: boolean
}

/** A declared list that is written. */
interface List {
  readonly meta: FieldMeta
  /** The schema of a row. */
  readonly schema: PropsSchema | undefined
  readonly at: string
  readonly ids: RowIds
  /** True if a row keeps the fields that its new version omits. */
  readonly inherits?: boolean | undefined
}

/** The cost of a prop that was not sent. */
export const stepsPerNewProp = 50
/** The cost of a row's new key, which is a hash. */
const stepsPerNewKey = 40

/** Returns the props to store for a new block; `at` is their path in the operation. */
export function newProps(state: BatchState, block: Block, blockType: BlockType, at: string): Props {
  const { fields, propsSchema: schema } = blockType
  const bringsReferences = state.context.source !== 'planner' // a plan cannot know references
  const write = { state, block, pathInOp: pathsBelow(at), bringsReferences }
  const idsOf = rowIds(block.id)
  return valuesOf(write, { fields, schema, stored: undefined, at: '', idsOf }, block.props)
}

/** Maps a path inside the props at `at` to a path in the operation. */
export const pathsBelow =
  (at: string) =>
  (path: string): string =>
    path === '' ? at : `${at}.${path}`

/**
 * Applies a patch to the props of a block or to a row.
 *
 * A value replaces the stored one; rows of a declared list are matched, see `matchRows`. `null` removes an
 * optional prop. A value equal to the stored one is not checked further: sending a value back as read never
 * fails. `object` is the same object if nothing changed, `references` the number of references into the CMS
 * that were sent and ignored.
 */
export function patched(
  write: Write,
  owner: Owner & { readonly stored: Props },
  patch: Props,
): { readonly object: Props; readonly changed: readonly string[]; readonly references: number } {
  const { stored, fields, schema } = owner
  const object: Record<string, unknown> = { ...stored }
  const changed: string[] = []
  let references = 0
  for (const [name, sent] of Object.entries(patch)) {
    const meta = ownValue(fields, name)
    if (meta?.kind === 'reference') {
      references += 1
      write.state.notes.push(`${pathTo(owner, name)}: change this reference in the CMS`)
      continue
    }
    const before = ownValue(stored, name)
    if (sameJson(before, sent)) continue
    const isUnset = isAbsent(sent, name, meta, schema)
    const value = isUnset ? undefined : valueOf(write, owner, name, sent)
    if (sameJson(before, value, withoutGeneratedId)) continue
    if (isUnset) delete object[name]
    else object[name] = value
    changed.push(name)
  }
  return { object: changed.length > 0 ? object : stored, changed, references }
}

/** Whether a value counts as absent: `null`, unless the prop is required or null is one of its values. */
function isAbsent(
  value: unknown,
  name: string,
  meta: FieldMeta | undefined,
  schema: PropsSchema | undefined,
): boolean {
  if (value !== null || meta?.required || schema?.required?.includes(name)) return false
  return !admitsNull(ownValue(schema?.properties, name) ?? {})
}

/** Cached: a schema may have many alternatives, and a batch many patches. */
const admitsNull: (schema: PropsSchema) => boolean = perObject(
  (schema) =>
    admits(schema, 'null') ||
    schema.const === null ||
    (schema.enum?.includes(null) ?? false) ||
    [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(admitsNull),
)

/** Returns the values to store for the fields of a new version of an object, without those that count as absent. */
function valuesOf(write: Write, owner: Owner, incoming: Props): Props {
  const values = mapValues(incoming, (value, name) => valueOf(write, owner, name, value))
  return picked(values, (value) => value !== undefined)
}

/** Returns the value to store under a name, or `undefined` for none. */
function valueOf(write: Write, owner: Owner, name: string, value: unknown): unknown {
  const { state, block } = write
  const { source } = state.context
  const meta = ownValue(owner.fields, name)
  const at = pathTo(owner, name)
  const stored = ownValue(owner.stored, name)
  const note = (why: string) => void state.notes.push(`${at}: ${why}`)
  if (source === 'planner' && isInternal(name, meta) && !(name === '_key' && owner.at.endsWith(']'))) {
    note('internal to the site, left as it is')
    return stored
  }
  if (!meta) return value
  if (meta.kind === 'reference') {
    if (write.bringsReferences) return value
    const retained = owner.stored ? stored : null
    if (value !== null && !sameJson(value, retained)) note('change this reference in the CMS')
    return retained
  }
  if (stored !== null && isAbsent(value, name, meta, owner.schema)) return undefined
  if (isDeclaredList(meta)) {
    if (!Array.isArray(value)) return value
    const schema = itemSchemaOf(ownValue(owner.schema?.properties, name))
    const list = { meta, schema, at, ids: owner.idsOf(name), inherits: owner.rowsInherit }
    return storedRows(write, list, Array.isArray(stored) ? stored : [], value)
  }
  if (owner.at === '' && block.type === 'Table') return textCells(value)
  if (hasMarkup(meta) && typeof value === 'string') {
    const isDocument = typeof stored === 'object' && stored !== null
    if (isDocument && !admits(ownValue(owner.schema?.properties, name) ?? {}, 'string')) {
      violates(write.pathInOp(at), 'holds a document and cannot become plain text; send the whole document')
    }
    return source === 'planner' && meta.kind === 'html' ? sanitiseHtml(value) : value
  }
  if (source === 'planner' && meta.kind === 'imageAlt' && owner.stored && readsAsInstruction(value)) {
    note('kept, because the new text reads as an instruction')
    return stored
  }
  return value
}

const pathTo = ({ at }: Owner, name: string) => (at === '' ? name : `${at}.${name}`)

/** Headings and rows of a table hold only text. Other values are unchanged, and are refused later. */
function textCells(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((cell) => (Array.isArray(cell) ? cell.map(textCell) : textCell(cell)))
}

function textCell(cell: unknown): unknown {
  if (cell === null) return ''
  return typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : cell
}

function storedRows(
  write: Write,
  list: List,
  stored: readonly unknown[],
  incoming: readonly unknown[],
): readonly unknown[] {
  const used = keysOf([...stored, ...incoming])
  const matches = matchRows(stored, incoming)
  const rows = incoming.map((row, position) => {
    if (!isPlainObject(row)) return row
    const { stored: match, repeated = false } = matches[position] ?? {}
    if (!match) return newRow(write, list, row, { position, startAt: position, used, repeated })
    const own = picked(match, (_value, name) => name === 'id' || name === '_key')
    const key = rowKey(match) === undefined ? newKey(write, list, used, position) : own
    return rowOf(write, list, row, { position, match, key })
  })
  noteBranchless(write.state.notes, list.meta, rows, list.at)
  return rows
}

/** Returns the row to store for a new one, with a key. */
export function newRow(
  write: Write,
  list: List,
  row: Props,
  {
    position,
    startAt,
    used,
    repeated,
  }: {
    readonly position: number
    /** The first index to try for a new id. */
    readonly startAt: number
    /** The keys of the list; the new one is added. */
    readonly used: Set<unknown>
    /** True if the list already has this row's key. */
    readonly repeated: boolean
  },
): Props {
  const keyless = rowKey(row) === undefined || (repeated && isGeneratedId(row['id']))
  if (repeated && !keyless) {
    write.state.notes.push(`${list.at}[${position}]: another row has the key ${rowKey(row)} too`)
  }
  return rowOf(write, list, row, { position, key: keyless ? newKey(write, list, used, startAt) : {} })
}

/** Returns a key for a row without one, unless keys are author-assigned. */
function newKey({ state }: Write, { meta, ids }: List, used: Set<unknown>, startAt: number): Props {
  if (isContentOwned(meta)) return {}
  spend(state, stepsPerNewKey)
  const { id } = nextRowId(ids, startAt, (wanted) => used.has(wanted))
  used.add(id)
  return { id }
}

function rowOf(
  write: Write,
  list: List,
  row: Props,
  {
    position,
    match,
    key,
  }: {
    readonly position: number
    readonly match?: Props
    /** The new key of the row; if empty, it keeps its own. */
    readonly key: Props
  },
): Props {
  const { meta, schema, inherits } = list
  const stored = match && isSameBranch(meta, match, row) ? match : undefined
  const fields = effectiveItemFields(meta, stored && inherits ? { ...stored, ...row } : row)
  const idsOf = (name: string) => list.ids.within(rowKey({ ...row, ...key }) ?? position, name)
  const values = valuesOf(write, { fields, schema, stored, at: `${list.at}[${position}]`, idsOf }, row)
  const references = referencesIn(fields)
  const isRetained = (name: string) =>
    inherits ? !Object.hasOwn(row, name) || Object.hasOwn(values, name) : Object.hasOwn(references, name)
  const retained = stored && picked(stored, (_value, name) => isRetained(name))
  const result = { ...key, ...(retained ?? missingReferences(write, references, row)), ...values, ...key }
  return match && sameJson(match, result) ? match : result
}

/** Returns the missing references of a new row, except internal ones: `null` until the CMS sets them. */
function missingReferences({ state, bringsReferences }: Write, references: Fields, row: Props): Props {
  if (bringsReferences) return {}
  const isMissing = (meta: FieldMeta, name: string) => !Object.hasOwn(row, name) && !isInternal(name, meta)
  const missing = Object.keys(picked(references, isMissing))
  spend(state, missing.length * stepsPerNewProp)
  return Object.fromEntries(missing.map((name) => [name, null]))
}
