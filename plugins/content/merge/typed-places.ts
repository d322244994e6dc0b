import type { Page, SiteConfig } from '../page.ts'
import { redirectsKey } from '../redirects.ts'
import { isPlainObject, ownValue } from '../plain-object.ts'
import type { Operation } from '../operations/index.ts'
import type { AvailableTypes } from '../model.ts'
import { changedSettings } from './config.ts'
import type { ConflictPlace } from './conflict.ts'
import { mergePage } from './index.ts'
import { same } from './sides.ts'

/**
 * Returns the places of the values that an operation sets to what they are already; none for an operation
 * that changes anything, or that sets no value. `page` and `config` are those before it.
 */
export function typedPlaces(
  op: Operation,
  { page, config }: { readonly page: Page | undefined; readonly config: SiteConfig },
  types: AvailableTypes,
): readonly ConflictPlace[] {
  if (op.op === 'update_site_config') {
    const { redirects, ...settings } = op.patch
    const patch = redirects === undefined ? settings : { ...settings, [redirectsKey]: redirects }
    return isSet(config, patch) ? changedSettings(config, others(config, patch)) : []
  }
  const other = page && withOthers(page, op)
  if (!page || !other) return []
  return mergePage({ base: page, ours: page, theirs: other }, types).taken
}

/**
 * Returns a page with another value wherever an operation sets the one that is there; `undefined` if it
 * changes one.
 */
function withOthers(page: Page, op: Operation): Page | undefined {
  if (op.op === 'update_page_meta')
    return isSet(page.meta ?? {}, op.patch) ? { ...page, meta: others(page.meta ?? {}, op.patch) } : undefined
  if (op.op === 'rename_page') {
    const { newPageSlug = page.slug, newTitle } = op
    return newPageSlug === page.slug && newTitle === page.title ? { ...page, title: another } : undefined
  }
  if (op.op !== 'update_props' && op.op !== 'update_item') return undefined
  const block = page.blocks.find(({ id }) => id === op.blockId)
  const rows = op.op === 'update_item' ? ownValue(block?.props ?? {}, op.listKey) : undefined
  const before = op.op === 'update_item' ? Array.isArray(rows) && rows[op.index] : block?.props
  if (!block || !isPlainObject(before) || !isSet(before, op.patch)) return undefined
  const after = others(before, op.patch)
  const props =
    op.op === 'update_item' && Array.isArray(rows)
      ? { ...block.props, [op.listKey]: rows.with(op.index, after) }
      : after
  return { ...page, blocks: page.blocks.map((each) => (each === block ? { ...block, props } : each)) }
}

/** A value that no field has. */
const another = '\u0000'

/** Whether what a patch names is as it says; what it removes is not there, also without the object around it. */
function isSet(value: unknown, patch: unknown): boolean {
  const object = value ?? {}
  if (isPlainObject(object) && isPlainObject(patch))
    return Object.entries(patch).every(([name, each]) => isSet(ownValue(object, name), each))
  if (value === undefined) return patch === undefined || patch === null || patch === ''
  return same(value, patch)
}

function others(value: Readonly<Record<string, unknown>>, patch: object): Record<string, unknown> {
  const changed = Object.entries(patch).map(([name, each]: [string, unknown]) => {
    const before = ownValue(value, name) ?? {}
    return [name, isPlainObject(before) && isPlainObject(each) ? others(before, each) : another] as const
  })
  return { ...value, ...Object.fromEntries(changed) }
}
