import { isInternal, isTranslatable, labelOf } from '../../../content/field-meta.ts'
import { effectiveItemFields, isDeclaredList } from '../../../content/list-fields.ts'
import type { Block, FieldMeta, Fields, Props } from '../../../content/model.ts'
import { isPlainObject } from '../../../content/plain-object.ts'
import { sameJson } from '../../../content/same-json.ts'
import { isFieldTranslation, isPageTranslation, isTranslation } from '../modes.ts'
import { blockTypeAt } from '../normalise/place.ts'
import { hasAny, wordSet } from '../words.ts'
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
  if (!isPageTranslation(words, input.selection)) return []
  return touchedBlocks({ ops, input, after }).flatMap(([before, now]) => leftIn(before, now, input))
}

/** The same as violations, one for each block. */
export function untranslatedViolations(left: readonly LeftText[]): readonly Violation[] {
  return Object.entries(Object.groupBy(left, ({ blockId }) => blockId)).map(([blockId, texts = []]) => ({
    path: `block ${blockId}`,
    kind: 'not translated',
    message: `these texts have no translation yet: ${texts.map(({ path }) => path).join(', ')}`,
  }))
}

/** Verbs that ask for more than a translation. */
const more = wordSet('add change edit fix link point remove rename replace rewrite set update aktualisiere ändere ändern entferne ergänze ersetze füge setze verlinke')

/**
 * What a translation changed and should have left as it was: whatever is no text, is the same in every language, or stands
 * beside the one field that was meant.
 */
export function strays({ ops, input, words, after }: CheckedPlan): readonly Violation[] {
  const { selection } = input
  if (!isTranslation(words) || hasAny(words, more)) return []
  const isMeant = ({ id }: Block, path: string): boolean => !isFieldTranslation(words, selection) || (id === selection.blockId && path === selection.path)
  return touchedBlocks({ ops, input, after }).flatMap(([before, now]): readonly Violation[] => {
    const wrong = fieldsOf(before, now, input).filter(({ path, meta, old, value }) => !sameJson(old, value) && !(isTranslatable(meta) && isMeant(before, path)))
    if (wrong.length === 0) return []
    return [{ path: `block ${before.id}`, kind: 'to be left alone', message: `a translation leaves these as they are: ${wrong.map(({ path }) => path).join(', ')}` }]
  })
}

/** The blocks that a plan changes, each before it and after it. */
function touchedBlocks({ ops, input, after }: Pick<CheckedPlan, 'ops' | 'input' | 'after'>): readonly (readonly [before: Block, now: Block])[] {
  const touched = new Set(ops.flatMap((op) => ('blockId' in op ? [op.blockId] : [])))
  return input.draft.pages.flatMap(({ slug, blocks }) =>
    blocks.filter(({ id }) => touched.has(id)).flatMap((before) => {
      const now = after.get(slug)?.blocks.find(({ id }) => id === before.id)
      return now ? [[before, now] as const] : []
    }))
}

function leftIn(before: Block, now: Block, input: CheckedPlan['input']): readonly LeftText[] {
  const type = blockTypeAt({ input }, before.type)?.displayName ?? before.type
  const left = fieldsOf(before, now, input).filter(({ meta, old, value }) => isTranslatable(meta) && hasLetters(old) && sameJson(old, value))
  return left.map(({ path, label }) => ({ blockId: before.id, path, label: `${type}: ${label}` }))
}

/** A field of a block or of one of its rows, with what it said and what it says. */
interface Field {
  readonly path: string
  readonly label: string
  readonly meta: FieldMeta
  readonly old: unknown
  readonly value: unknown
}

const fieldsOf = (before: Block, now: Block, input: CheckedPlan['input']): readonly Field[] =>
  fieldsIn(before.props, now.props, blockTypeAt({ input }, before.type)?.fields ?? {})

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
      const inRow = fieldsIn(row, other, effectiveItemFields(meta, row))
      return inRow.map((field) => ({
        ...field,
        path: `${name}[${at}].${field.path}`,
        label: `${label} ${at + 1}, ${field.label}`,
        meta: meta.localized === false ? { ...field.meta, localized: false } : field.meta,
      }))
    })
  })
}

/** Tells whether a text, or a list of texts, says something. */
export const hasLetters = (value: unknown): boolean =>
  typeof value === 'string' ? /\p{L}/u.test(value) : Array.isArray(value) && value.some(hasLetters)
