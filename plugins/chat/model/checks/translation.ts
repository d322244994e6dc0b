import { isInternal, isTranslatable, labelOf } from '../../../content/field-meta.ts'
import { effectiveItemFields, isDeclaredList } from '../../../content/list-fields.ts'
import type { Block, Fields, Props } from '../../../content/model.ts'
import { isPlainObject } from '../../../content/plain-object.ts'
import { sameJson } from '../../../content/same-json.ts'
import { blockTypeOf } from '../context/pack.ts'
import { isPageTranslation } from '../modes.ts'
import type { CheckedPlan, Violation } from './check.ts'

/** A text that a translation of the page left as it was. */
export interface LeftText {
  readonly blockId: string
  /** Such as `items[1].q`. */
  readonly path: string
  /** For people: the name of the block type, and of the field. */
  readonly label: string
}

/**
 * The texts that a translation of a whole page should have changed, of the blocks that it touches.
 *
 * Rows count as well. A text without a letter has no translation, and a text that comes back as it was is none.
 */
export function untranslated({ ops, input, words, after }: CheckedPlan): readonly LeftText[] {
  if (!after || !isPageTranslation(words, input.selection)) return []
  const touched = new Set(ops.flatMap((op) => ('blockId' in op ? [op.blockId] : [])))
  return input.draft.pages.flatMap(({ slug, blocks }) =>
    blocks.filter(({ id }) => touched.has(id)).flatMap((before) => {
      const now = after.get(slug)?.blocks.find(({ id }) => id === before.id)
      return now ? leftIn(before, now, input) : []
    }))
}

/** The same as violations, one for each block. */
export function untranslatedViolations(left: readonly LeftText[]): readonly Violation[] {
  return Object.entries(Object.groupBy(left, ({ blockId }) => blockId)).map(([blockId, texts = []]) => ({
    path: `block ${blockId}`,
    kind: 'not translated',
    message: `these texts have no translation yet: ${texts.map(({ path }) => path).join(', ')}`,
  }))
}

function leftIn(before: Block, now: Block, input: CheckedPlan['input']): readonly LeftText[] {
  const blockType = blockTypeOf(input, before.type)
  const left = leftTexts(before.props, now.props, blockType?.fields ?? {})
  return left.map(({ path, label }) => ({ blockId: before.id, path, label: `${blockType?.displayName ?? before.type}: ${label}` }))
}

type Left = Pick<LeftText, 'path' | 'label'>

function leftTexts(before: Props, now: Props, fields: Fields): readonly Left[] {
  return Object.entries(fields).flatMap(([name, meta]): readonly Left[] => {
    if (!isTranslatable(meta) || isInternal(name, meta)) return []
    const old = before[name]
    const label = labelOf(name, meta)
    if (!isDeclaredList(meta)) return hasLetters(old) && sameJson(old, now[name]) ? [{ path: name, label }] : []
    const rows = now[name]
    if (!Array.isArray(old) || !Array.isArray(rows)) return []
    return old.flatMap((row: unknown, at) => {
      const other: unknown = rows[at]
      if (!isPlainObject(row) || !isPlainObject(other)) return []
      const inRow = leftTexts(row, other, effectiveItemFields(meta, row))
      return inRow.map((text) => ({ path: `${name}[${at}].${text.path}`, label: `${label} ${at + 1}, ${text.label}` }))
    })
  })
}

const hasLetters = (value: unknown): boolean =>
  typeof value === 'string' ? /\p{L}/u.test(value) : Array.isArray(value) && value.some(hasLetters)
