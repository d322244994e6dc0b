import { isInternal } from '../../../content/field-meta.ts'
import { isDeclaredList } from '../../../content/list-fields.ts'
import type { Block, BlockType, Props } from '../../../content/model.ts'
import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import type { Level } from './levels.ts'

/** A block of the page, in as much detail as a level has. */
export interface OutlinedBlock {
  readonly id: string
  readonly type: string
  readonly props?: Props
  readonly arrayProps?: Readonly<Record<string, { readonly length: number; readonly labels: readonly string[] }>>
}

const leading = ['heading', 'subheading', 'title', 'body', 'ctaText', 'label', 'sectionTitle']
const labelKeys = ['label', 'title', 'heading', 'question', 'q', 'name']
const longest = 120

/** Outlines a block: in full, by its leading texts, or by its lists alone. */
export function outlined(block: Block, blockType: BlockType | undefined, detail: 'full' | 'leading' | 'lists'): OutlinedBlock {
  const props = shownProps(block.props, blockType)
  const { id, type } = block
  if (detail === 'full') return { id, type, props }
  const arrays = Object.entries(props).flatMap(([name, value]) => {
    if (!Array.isArray(value) || !isDeclaredList(ownValue(blockType?.fields, name))) return []
    return [[name, { length: value.length, labels: value.map(labelOf).filter((label) => label !== '') }]]
  })
  const texts = Object.entries(props).flatMap(([name, value]) =>
    leading.includes(name) && typeof value === 'string' ? [[name, cut(value)]] : [])
  return {
    id,
    type,
    ...(detail === 'leading' && texts.length > 0 && { props: Object.fromEntries(texts) }),
    ...(arrays.length > 0 && { arrayProps: Object.fromEntries(arrays) }),
  }
}

/** The detail in which a level outlines a block that is not selected; `undefined` where it leaves it out. */
export function detailOf(level: Level): 'full' | 'leading' | 'lists' | undefined {
  if (level === 'full') return 'full'
  if (level === 'normal') return 'leading'
  return level === 'compact' ? 'lists' : undefined
}

/** Props without those that are kept from people. */
export function shownProps(props: Props, blockType: BlockType | undefined): Props {
  return Object.fromEntries(Object.entries(props).filter(([name]) => !isInternal(name, ownValue(blockType?.fields, name))))
}

function labelOf(row: unknown): string {
  if (!isPlainObject(row)) return ''
  const label = labelKeys.map((key) => ownValue(row, key)).find((value) => typeof value === 'string' && value !== '')
  return typeof label === 'string' ? cut(label) : ''
}

/** At most 120 characters, never half of one. */
function cut(text: string): string {
  const characters = Array.from(text.slice(0, 2 * longest + 2))
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text
}
