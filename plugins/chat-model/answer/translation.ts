import { effectiveItemFields, isDeclaredList, isInternal, isTranslatable, labelOf } from '../../content/fields.ts'
import type { FieldMeta, Fields, Props } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { sameJson } from '../../content/same-json.ts'
import { isFieldTranslation, isOnlyTranslation, isPageTranslation } from '../language.ts'
import { blockTypeAt } from '../lookup.ts'
import type { Subject } from '../prompt/context.ts'

/** A plan as it is checked. */
export interface CheckedPlan extends Pick<Subject, 'input' | 'words'> {
  readonly ops: readonly Operation[]
  /** Pages of the draft as they would be after the plan. */
  readonly after: ReadonlyMap<string, Page>
}

/** A field of a block or of one of its rows, with what it said and what it says. */
interface Field {
  /** Such as `items[1].q`. */
  readonly path: string
  /** For people. */
  readonly label: string
  readonly meta: FieldMeta
  readonly old: unknown
  readonly value: unknown
}

/** A field of a block that a plan changes; its label begins with the name of the block type. */
export type TouchedField = Field & { readonly blockId: string }

/**
 * The texts that a translation of a whole page should have changed, of the blocks that it touches.
 *
 * Rows count as well. A text without a letter needs no translation, and a text that comes back as it was is not one.
 */
export function untranslated(plan: CheckedPlan): readonly TouchedField[] {
  if (!isPageTranslation(plan.words, plan.input.selection)) return []
  return touchedFields(plan).filter(({ meta, old, value }) => isTranslatable(meta) && hasLetters(old) && sameJson(old, value))
}

/**
 * What a translation changed and should have left alone: what is not a text, is the same in every language, or stands beside
 * the one field that was meant.
 */
export function strays(plan: CheckedPlan): readonly TouchedField[] {
  const { words, input: { selection } } = plan
  if (!isOnlyTranslation(words)) return []
  const isOneField = isFieldTranslation(words, selection)
  return touchedFields(plan).filter(({ blockId, path, meta, old, value }) => {
    const isMeant = !isOneField || (blockId === selection.blockId && path === selection.path)
    return !sameJson(old, value) && !(isTranslatable(meta) && isMeant)
  })
}

/** Every field of the blocks that a plan changes. */
function touchedFields({ ops, input, after }: CheckedPlan): readonly TouchedField[] {
  const touched = new Set(ops.flatMap((op) => ('blockId' in op ? [op.blockId] : [])))
  return input.draft.pages.flatMap(({ slug, blocks }) => blocks.filter(({ id }) => touched.has(id)).flatMap(({ id, type, props }) => {
    const now = after.get(slug)?.blocks.find((block) => block.id === id)
    const { displayName = type, fields = {} } = blockTypeAt(input, type) ?? {}
    return now ? fieldsIn(props, now.props, fields).map((field) => ({ ...field, blockId: id, label: `${displayName}: ${field.label}` })) : []
  }))
}

/** Every field that a block has before, in rows as well, with what it says before and after. */
export function fieldsIn(before: Props, now: Props, fields: Fields): readonly Field[] {
  return Object.entries(fields).flatMap(([name, meta]): readonly Field[] => {
    if (isInternal(name, meta)) return []
    const old = before[name]
    const value = now[name]
    const label = labelOf(name, meta)
    if (!isDeclaredList(meta)) return [{ path: name, label, meta, old, value }]
    if (!Array.isArray(old) || !Array.isArray(value)) return []
    return old.flatMap((row: unknown, at) => {
      const other: unknown = value[at]
      if (!isPlainObject(row) || !isPlainObject(other)) return []
      return fieldsIn(row, other, effectiveItemFields(meta, row)).map((field) => ({
        ...field,
        path: `${name}[${at}].${field.path}`,
        label: `${label} ${at + 1}, ${field.label}`,
        meta: meta.localized === false ? { ...field.meta, localized: false } : field.meta,
      }))
    })
  })
}

/** Whether a text, or a list of texts, says something. */
export const hasLetters = (value: unknown): boolean =>
  typeof value === 'string' ? /\p{L}/u.test(value) : Array.isArray(value) && value.some(hasLetters)
