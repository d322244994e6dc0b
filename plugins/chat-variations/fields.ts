import { isInternal } from '../content/fields.ts'
import type { BlockType, FieldKind, FieldMeta, Fields } from '../content/model.ts'
import { ownValue, picked } from '../content/plain-object.ts'
import type { Words } from '../content/words.ts'

/** Fields that a model may not write: references are chosen in the CMS, and images never by a model. */
const notWritten: ReadonlySet<FieldKind> = new Set(['reference', 'image', 'imageList', 'imageAlt'])
/** Property names that providers accept. */
const isName = /^[\w.-]{1,64}$/

/** Other names of fields, understood even if the block has no such field. */
const alsoCalled: ReadonlyMap<string, readonly string[]> = new Map([
  ['title', ['titel']],
  ['heading', ['title', 'headline', 'titel', 'überschrift']],
  ['cards', ['karten']],
])

const only = { before: ['only', 'only the', 'nur', 'nur die', 'nur den', 'nur das'], after: ['only'] }
const same = {
  before: [
    'same', 'keep', 'keep the', 'keeping the',
    'gleicher', 'gleiche', 'gleichen', 'gleichem', 'behalte die', 'behalte den', 'behalte das',
  ],
  after: [],
}

/** The fields of an object that a model may write. */
export const writtenFields = (fields: Fields): Fields => picked(fields, (meta, name) =>
  isName.test(name) && !isInternal(name, meta) && !notWritten.has(meta.kind) && name !== 'imageUrl')

/**
 * Returns the props that may vary: those that a message names with `only`, or else all except those it keeps.
 * The description of an image may vary only with a new image.
 */
export function variedFields({ fields }: Pick<BlockType, 'fields'>, words: Words, hasImage: boolean): Fields {
  const { imageAlt } = fields
  const said = ` ${words.list.join(' ')} `
  const writable: Fields = { ...writtenFields(fields), ...(hasImage && imageAlt && { imageAlt }) }
  const isMeant = (name: string, how: typeof only): boolean => isSaid(said, name, ownValue(writable, name), how)
  const isOnly = [...alsoCalled.keys(), ...Object.keys(writable)].some((name) => isMeant(name, only))
  return picked(writable, (_, name) => (isOnly ? isMeant(name, only) : !isMeant(name, same)))
}

/** Whether a message qualifies a field, as in `same title` or `cards only`. */
function isSaid(said: string, name: string, meta: FieldMeta | undefined, { before, after }: typeof only): boolean {
  const spelled = name.replace(/[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
  const names = [name.toLowerCase(), spelled, ...(meta?.label ? [meta.label.toLowerCase()] : []), ...(alsoCalled.get(name) ?? [])]
  return names.some((called) =>
    before.some((word) => said.includes(` ${word} ${called} `)) || after.some((word) => said.includes(` ${called} ${word} `)),
  )
}
