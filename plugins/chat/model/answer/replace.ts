import { declaredType } from '../../../content/registry.ts'
import { effectiveItemFields, isDeclaredList, isInternal, isText } from '../../../content/fields.ts'
import type { Fields } from '../../../content/model.ts'
import type { Block, Page } from '../../../content/page.ts'
import { isPlainObject, ownValue, type PlainObject, sameJson } from '../../../content/plain-object.ts'
import { inTexts, isTexts, wholeWords } from '../../../content/replace-text.ts'
import { pageAt, type SiteInput } from '../lookup.ts'
import { longestReplaced } from '../prompt/tool.ts'
import { type Loose, mostOperations, opOf, type Corrections } from './row.ts'

/** What one `replace_text` replaces. */
export interface Replacement {
  readonly find: string
  readonly replace: string
}

/** Reads what a `replace_text` replaces; `undefined` for other operations, and for texts that cannot be used. */
export function replacementIn(op: Loose): Replacement | undefined {
  const { find, replace } = op
  if (opOf(op) !== 'replace_text' || typeof find !== 'string' || typeof replace !== 'string') return undefined
  const isUsable = find.trim() !== '' && Math.max(find.length, replace.length) <= longestReplaced
  return isUsable ? { find, replace } : undefined
}

/** Replaces whole words in a text, or in each of a list or a table; the addresses of links stay. */
export function replacedIn(value: unknown, { find, replace }: Replacement): unknown {
  const words = wholeWords(find)
  return inTexts(value, (text) =>
    text.includes(find) ? text.replace(words, (found) => (found.startsWith('](') ? found : replace)) : text,
  )
}

/** Returns the operations that a `replace_text` stands for: one for each block and row with the text. */
export function replaceOps(
  op: Loose,
  { input }: { readonly input: SiteInput },
): readonly Loose[] | undefined {
  const replacement = replacementIn(op)
  if (!replacement) return undefined
  const { pageSlug } = op
  const one = pageSlug === undefined ? undefined : pageAt(input, pageSlug)
  if (pageSlug !== undefined && !one) return undefined
  return (one ? [one] : input.draft.pages).flatMap((page) =>
    page.blocks.flatMap((block) => inBlock(page, block, { replacement, input })),
  )
}

type ReplaceInput = { readonly replacement: Replacement; readonly input: SiteInput }

function inBlock(
  { slug }: Page,
  { id, type, props }: Block,
  { replacement, input }: ReplaceInput,
): readonly Loose[] {
  const fields = declaredType(type, input)?.fields ?? {}
  const at = { pageSlug: slug, blockId: id }
  const patch = patchOf(props, fields, replacement)
  const rows = Object.entries(fields).flatMap(([listKey, meta]): readonly Loose[] => {
    const list = isDeclaredList(meta) ? ownValue(props, listKey) : undefined
    return (Array.isArray(list) ? list : []).flatMap((row: unknown, index): readonly Loose[] => {
      const own = isPlainObject(row) && patchOf(row, effectiveItemFields(meta, row), replacement)
      return own ? [{ op: 'update_item', ...at, listKey, index, patch: own }] : []
    })
  })
  return [...(patch ? [{ op: 'update_props', ...at, patch }] : []), ...rows]
}

/** Returns the changed texts of a block or a row; `undefined` if there are none. */
function patchOf(props: PlainObject, fields: Fields, replacement: Replacement): PlainObject | undefined {
  const changed = Object.entries(fields).flatMap(([name, meta]) => {
    const value = ownValue(props, name)
    if (isInternal(name, meta) || !(isText(meta) || isTexts(value, meta))) return []
    const after = replacedIn(value, replacement)
    return sameJson(after, value) ? [] : [[name, after] as const]
  })
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** Turns `replace_text` into operations, as many as a plan may have. */
export const replaceRows: Corrections = {
  'a text that is replaced wherever it stands': (op, context) =>
    replaceOps(op, context)?.slice(0, mostOperations) ?? op,
}
