/** A picture for a field: chosen by a person, and stored with its description as one change. */
import { sentenceOf } from '../service.ts'
import { labelOf, typeOf, type Field } from '../stores/block-types.ts'
import { blocks, slug, type Block } from '../stores/draft.ts'
import { picking, type Picked } from '../stores/picking.ts'
import { isRow, operationFor, pathAt, valueAt, type Place } from '../stores/place.ts'
import { say } from '../stores/toast.ts'
import { changeInTurn } from './store-field.ts'
import { undoLine } from './undo-line.ts'

type Fields = Readonly<Record<string, Field>>

/** The fields beside a place: those of its block, or of the row that has it. Deeper rows are stored as a whole. */
function fieldsBeside({ type, props }: Block, [list = '', key, ...inner]: readonly string[]): Fields {
  const fields = (typeOf.value(type)?.fields ?? {}) as Fields
  if (key === undefined) return fields
  const { discriminator = '', itemFields, itemFieldsByType } = fields[list] ?? {}
  const row = valueAt(props, [list, key])
  const kind = isRow(row) ? String(row[discriminator]) : ''
  return inner.length === 1 ? { ...itemFields, ...itemFieldsByType?.[kind] } : {}
}

/** The path of the description of a picture; `undefined` if it has none. */
function altOf(block: Block, path: readonly string[]): readonly string[] | undefined {
  const own = path.at(-1) ?? ''
  const alts = Object.entries(fieldsBeside(block, path)).flatMap(([name, { kind }]) =>
    kind === 'imageAlt' ? name : [],
  )
  const name =
    alts.find((each) => each.startsWith(own.replace(/(?:Url|Src)$/, ''))) ??
    (alts.length === 1 ? alts[0] : undefined)
  return name === undefined ? undefined : [...path.slice(0, -1), name]
}

/** Stores a picture, and what it shows if that is given. */
export async function setPicture(place: Place, what: string, { url, alt }: Picked): Promise<void> {
  try {
    const version = await changeInTurn(place, (block) => {
      const altPath = alt === undefined ? undefined : altOf(block, place.path)
      const values = [[place.path, url], ...(altPath ? [[altPath, alt] as const] : [])] as const
      return values.flatMap(([path, value]) => operationFor(block, path, value) ?? [])
    })
    if (version === undefined) return say('This was deleted meanwhile.')
    say(`${what} changed`, { text: 'Undo', run: () => void undoLine(version) })
  } catch (error) {
    say(sentenceOf(error))
  }
}

/** Opens the pictures for a field. */
export function pickFor(place: Place, label: string): void {
  const block = blocks.value.find(({ id }) => id === place.blockId)
  const altPath = block && altOf(block, place.path)
  const alt = altPath && valueAt(block.props, altPath)
  picking.value = {
    label: `Choose: ${label}`,
    alt: altPath ? String(alt ?? '') : undefined,
    onPick: (picked) => void setPicture(place, label, picked),
  }
}

/** Opens them for a field that the page in the frame names by its positions. */
export function pickAt(blockId: string, position: string): void {
  const block = blocks.value.find(({ id }) => id === blockId)
  const path = block && pathAt(block.props, position)
  const name = path?.at(-1) ?? ''
  if (path) pickFor({ slug: slug.value, blockId, path }, labelOf(name, fieldsBeside(block, path)[name]))
}
