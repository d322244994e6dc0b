/** A picture for a field: chosen by a person, and stored with its description as one change. */
import { fieldsOf, labelOf, typeOf, type Field } from '../stores/block-types.ts'
import { blocks, slug, type Block } from '../stores/draft.ts'
import { isDocument } from '../stores/documents.ts'
import { picking, type Picked } from '../stores/picking.ts'
import { isRow, operationFor, pathAt, valueAt, type ValuePlace, type Row } from '../stores/place.ts'
import { say } from '../stores/toast.ts'
import type { PictureUse } from '../stores/uploads.ts'
import { nameOfPath } from '../stores/words.ts'
import { addressInDocument } from './file-picture.ts'
import { changeInTurn } from './store-field.ts'
import { changing } from './undo-line.ts'

type PictureFields = Readonly<Record<string, Field>>

/** The fields beside a place: those of its block, or of the row that has it. */
function fieldsBeside(
  fields: PictureFields,
  values: Row,
  [list = '', key, ...inner]: readonly string[],
): PictureFields {
  if (key === undefined) return fields
  const [field, row] = [fields[list], valueAt(values, [list, key])]
  return field && isRow(row) ? fieldsBeside(fieldsOf(field, row), row, inner) : {}
}

const fieldsAt = ({ type, props }: Block, path: readonly string[]): PictureFields =>
  fieldsBeside(typeOf.value(type)?.fields ?? {}, props, path)

/** What front matter and data call the description of a picture, as they declare no fields. */
const altNames = (own: string): readonly string[] => [`${own}Alt`, `${own}_alt`, `${own}-alt`, 'alt']

/** The name of the description of a picture, which is beside it; `undefined` if it has none. */
function altOf(block: Block, path: readonly string[]): string | undefined {
  const own = path.at(-1) ?? ''
  const beside = valueAt(block.props, path.slice(0, -1))
  const undeclared = altNames(own).find((name) => isRow(beside) && typeof beside[name] === 'string')
  const alts = Object.entries(fieldsAt(block, path)).flatMap(([name, { kind }]) =>
    kind === 'imageAlt' ? name : [],
  )
  return (
    alts.find((each) => each.startsWith(own.replace(/(?:Url|Src)$/, ''))) ??
    (alts.length === 1 ? alts[0] : undefined) ??
    undeclared
  )
}

/**
 * Stores a picture with its description. Without one, the description of the previous picture is removed.
 * Only fields that change are written.
 */
export const setPicture = (place: ValuePlace, what: string, { url, alt }: Picked): Promise<void> =>
  changing(
    `${what} saved`,
    () =>
      changeInTurn(place, (block) => {
        if (!block) return undefined
        const name = altOf(block, place.path)
        const now = (field: string): unknown => valueAt(block.props, [...place.path.slice(0, -1), field])
        const shows = alt ?? (now(place.path.at(-1) ?? '') === url ? undefined : '')
        const isSame = name === undefined || shows === undefined || shows === (now(name) ?? '')
        return operationFor(block, place.path, url, isSame ? {} : { [name]: shows })
      }),
    'This was deleted meanwhile.',
  )

/** Says what a picture is for, if its place is a field of a document. */
export const useOf = ({ slug, path }: ValuePlace, before: string): PictureUse | undefined =>
  isDocument(slug) ? { slug, field: path.at(-1) ?? '', before } : undefined

/** Opens the pictures for a field. */
export function pickFor(place: ValuePlace, label: string): void {
  const block = blocks.value.find(({ id }) => id === place.blockId)
  const name = block && altOf(block, place.path)
  const before = String(valueAt(block?.props, place.path) ?? '')
  const alt = name === undefined ? undefined : valueAt(block?.props, [...place.path.slice(0, -1), name])
  const use = useOf(place, before)
  picking.value = {
    label: `Choose a picture for ${label}`,
    alt: name === undefined ? undefined : String(alt ?? ''),
    url: before,
    ...(use && { use }),
    onPick(picked) {
      const url = isDocument(place.slug) ? addressInDocument(picked, place.slug, before) : picked.url
      if (url === undefined)
        say('The website has no address for this picture that is known. Move its file, or use a link.')
      else void setPicture(place, label, { ...picked, url })
    },
  }
}

/** Opens them for a field that the page in the frame names by its positions. */
export function pickAt(blockId: string, position: string): void {
  const block = blocks.value.find(({ id }) => id === blockId)
  const path = block && pathAt(block.props, position)
  if (!path) return
  const name = path.at(-1) ?? ''
  const field = fieldsAt(block, path)[name]
  pickFor(
    { slug: slug.value, blockId, path },
    field ? labelOf(name, field) : nameOfPath(block.type, position),
  )
}
