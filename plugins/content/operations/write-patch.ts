import { withoutGeneratedId } from '../items.ts'
import type { FieldMeta, Props, PropsSchema } from '../model.ts'
import { ownValue, perObject } from '../plain-object.ts'
import { admits } from '../props-schema.ts'
import { sameJson } from '../same-json.ts'
import type { Target } from './find.ts'
import { pathTo, settle, type Place, type Write } from './settle.ts'
import { type BatchState, replaceBlocks } from './state.ts'

/**
 * Applies a patch to the props of a block or to a row.
 *
 * A value replaces the stored one; rows of a declared list are matched, see `settle`. `null` removes an
 * optional prop. A value equal to the stored one is not checked further: sending a value back as read never
 * fails. `object` is the same object if nothing changed, `references` the number of references into the CMS
 * that were sent and ignored.
 */
export function writePatch(
  write: Write,
  place: Place & { readonly stored: Props },
  patch: Props,
  { inherits = false }: { readonly inherits?: boolean } = {},
): { readonly object: Props; readonly changed: readonly string[]; readonly references: number } {
  const { stored, fields, schema } = place
  let object: Record<string, unknown> | undefined
  const changed: string[] = []
  let references = 0
  for (const name of Object.keys(patch)) {
    const value = patch[name]
    const meta = ownValue(fields, name)
    if (meta?.kind === 'reference') {
      references += 1
      write.state.notes.push(`${pathTo(place, name)}: change this reference in the CMS`)
      continue
    }
    const present = Object.hasOwn(stored, name)
    if (present ? sameJson(stored[name], value) : value === undefined) continue
    const unset = value === null && isOptional(name, meta, schema)
    const settled = unset ? undefined : settle(write, place, name, value, { inherits })
    if (unset ? !present : settled === undefined || (present && sameContent(stored[name], settled))) continue
    object ??= { ...stored }
    if (unset) delete object[name]
    else object[name] = settled
    changed.push(name)
  }
  return { object: object ?? stored, changed, references }
}

export function replaceProps(state: BatchState, { page, block, index }: Target, props: Props): void {
  replaceBlocks(state, page, page.blocks.with(index, { ...block, props }))
}

/** Whether `null` removes a prop: it is optional, and null is not one of its values. */
function isOptional(name: string, meta: FieldMeta | undefined, schema: PropsSchema | undefined): boolean {
  if (meta?.required || schema?.required?.includes(name)) return false
  return !admitsNull(ownValue(schema?.properties, name) ?? {})
}

/** Cached: a schema may have many alternatives, and a batch many patches. */
const admitsNull: (schema: PropsSchema) => boolean = perObject((schema) =>
  admits(schema, 'null') || schema.const === null || (schema.enum?.includes(null) ?? false)
    || [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(admitsNull))

/** Rows that differ only in generated ids are not a change. */
const sameContent = (a: unknown, b: unknown) => sameJson(a, b, withoutGeneratedId)
