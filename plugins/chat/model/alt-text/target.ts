import { effectiveItemFields, isDeclaredList } from '../../../content/fields.ts'
import type { Block, Fields, Props } from '../../../content/model.ts'
import type { Operation } from '../../../content/operations/index.ts'
import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import type { PlanningInput } from '../../types/planner.ts'

/** The description of an image that is selected, and the image. */
export interface AltTarget {
  readonly block: Block
  /** The address of the image, as the content has it. */
  readonly address: string
  /** What sets the description. */
  setTo(text: string): Operation
}

/** Finds the selected description and the image that it belongs to; `undefined` when something else is selected, or nothing. */
export function altTargetOf({ draft, selection: { slug, blockId, path = '' }, registry, manifest }: Pick<PlanningInput, 'draft' | 'selection' | 'registry' | 'manifest'>): AltTarget | undefined {
  const block = draft.pages.find((page) => page.slug === slug)?.blocks.find(({ id }) => id === blockId)
  const fields = block && (manifest?.get(block.type) ?? registry.get(block.type))?.fields
  const [, listKey, number, name = ''] = /^(?:(\w+)\[(\d{1,6})\]\.)?(\w+)$/.exec(path) ?? []
  if (!block || !fields) return undefined
  const at = { pageSlug: slug, blockId: block.id }
  if (listKey === undefined) {
    const address = imageBeside(name, fields, block.props)
    return address === undefined ? undefined : { block, address, setTo: (text) => ({ op: 'update_props', ...at, patch: { [name]: text } }) }
  }
  const index = Number(number)
  const list = ownValue(fields, listKey)
  const rows = ownValue(block.props, listKey)
  const row: unknown = Array.isArray(rows) ? rows[index] : undefined
  if (!list || !isDeclaredList(list) || !isPlainObject(row)) return undefined
  const address = imageBeside(name, effectiveItemFields(list, row), row)
  return address === undefined ? undefined : { block, address, setTo: (text) => ({ op: 'update_item', ...at, listKey, index, patch: { [name]: text } }) }
}

/** The image that a description is about: the one of the same name, such as `imageUrl` for `imageAlt`, or the only one. */
function imageBeside(name: string, fields: Fields, props: Props): string | undefined {
  if (ownValue(fields, name)?.kind !== 'imageAlt') return undefined
  const images = Object.keys(fields).filter((key) => fields[key]?.kind === 'image')
  const image = images.find((key) => key.startsWith(name.replace(/Alt$/, ''))) ?? images[0]
  const address = image === undefined ? undefined : props[image]
  return typeof address === 'string' && address !== '' ? address : undefined
}
