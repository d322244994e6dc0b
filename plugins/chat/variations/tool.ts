import { effectiveItemFields, isDeclaredList, isInternal } from '../../content/fields.ts'
import type { BlockType, FieldKind, Fields, Props } from '../../content/model.ts'
import { isPlainObject, ownValue, picked } from '../../content/plain-object.ts'
import type { ModelTool } from '../../models/port.ts'
import { isOnlyAbout, keeps } from './read-message.ts'

export const variationToolName = 'submit_variations'

/** Fields that a model may not write: references are chosen in the CMS, and images never by a model. */
const notWritten: ReadonlySet<FieldKind> = new Set(['reference', 'image', 'imageList', 'imageAlt'])
/** Property names that providers accept. */
const isName = /^[\w.-]{1,64}$/
/** Other names of fields; these are understood even if the block has no such field. */
const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  title: [],
  heading: ['title', 'headline'],
  cards: [],
}

/** The fields of an object that a model may write. */
const writtenFields = (fields: Fields): Fields =>
  picked(
    fields,
    (meta, name) =>
      isName.test(name) && !isInternal(name, meta) && !notWritten.has(meta.kind) && name !== 'imageUrl',
  )

/**
 * Returns the props that may vary: those that a message names with `only`, or else all except those it keeps.
 * The description of an image may vary only with a new image.
 */
export function variedFields({ fields }: BlockType, message: string, hasImage: boolean): Fields {
  const { imageAlt } = fields
  const writable: Fields = { ...writtenFields(fields), ...(hasImage && imageAlt && { imageAlt }) }
  const namesOf = (name: string): readonly string[] => {
    const spelled = name.replace(/[A-Z]/g, (letter) => ` ${letter}`)
    const label = ownValue(writable, name)?.label ?? name
    return [name, spelled, label, ...(ownValue(alsoCalled, name) ?? [])].map((each) => each.toLowerCase())
  }
  const isAlone = (name: string): boolean => isOnlyAbout(message, namesOf(name))
  const isOnly = Object.keys({ ...alsoCalled, ...writable }).some(isAlone)
  return picked(writable, (_, name) => (isOnly ? isAlone(name) : !keeps(message, namesOf(name))))
}

/** Returns the tool for submitting variations. Patches are checked later; their types are in the contract. */
export function variationTool(fields: Fields, count: number): ModelTool {
  const text = (description: string) => ({ type: 'string', description })
  const variation = {
    type: 'object',
    properties: {
      title: text('A name of two to five words for this variation.'),
      summary: text('One sentence on what is different.'),
      patch: { type: 'object', description: `Only these props: ${Object.keys(fields).join(', ')}.` },
    },
    required: ['title', 'summary', 'patch'],
    additionalProperties: false,
  }
  const variations = { type: 'array', items: variation, description: `At most ${count}.` }
  const properties = { variations }
  const input = { type: 'object', properties, required: ['variations'], additionalProperties: false }
  return { name: variationToolName, description: 'Hands in the variations of the block.', input }
}

/** Removes undeclared fields from a patch, also in rows. Rows keep their place, so they need no key. */
export function withinFields(patch: Props, fields: Fields): Props {
  return Object.fromEntries(
    Object.entries(patch).flatMap(([name, value]) => {
      const meta = ownValue(fields, name)
      if (!meta) return []
      if (!isDeclaredList(meta) || !Array.isArray(value)) return [[name, value]]
      const within = (row: unknown): unknown =>
        isPlainObject(row) ? withinFields(row, writtenFields(effectiveItemFields(meta, row))) : row
      return [[name, value.map(within)]]
    }),
  )
}
