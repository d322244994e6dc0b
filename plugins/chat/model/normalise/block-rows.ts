import { engineBlockId, freeBlockId } from '../../../content/block-ids.ts'
import { isInternal } from '../../../content/field-meta.ts'
import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import { typeName } from './names.ts'
import { blockTypeAt, without, type Loose, type Place } from './place.ts'
import type { Row } from './row.ts'

const ownKeys = new Set(['id', 'type', 'props'])

/** Rows for a block that is new to the draft. */
export const newBlockRows: readonly Row[] = [
  {
    name: 'the type under another name',
    apply(block) {
      const key = ['blockType', 'block_type', 'component'].find((name) => typeof block[name] === 'string')
      return block['type'] === undefined && key !== undefined ? { ...without(block, key), type: block[key] } : block
    },
  },
  {
    name: 'the type in a loose spelling',
    apply(block, place) {
      if (typeof block['type'] !== 'string') return block
      const type = typeName(block['type'], place.input)
      return type === block['type'] ? block : { ...block, type }
    },
  },
  {
    name: 'props beside their envelope',
    apply(block) {
      if (block['props'] !== undefined) return block
      const beside = Object.entries(block).filter(([name]) => !ownKeys.has(name))
      return beside.length === 0 ? block : { ...without(block, ...beside.map(([name]) => name)), props: Object.fromEntries(beside) }
    },
  },
  {
    name: 'an id that is missing or used',
    apply(block, place) {
      const { id, type } = block
      if (typeof type !== 'string') return block
      const isUsed = (wanted: string): boolean => place.given.has(wanted) || isInDraft(place, wanted)
      if (typeof id !== 'string' || id.trim() === '') return { ...block, id: engineBlockId(type, place.now, isUsed) }
      return isUsed(id) ? { ...block, id: freeBlockId(id, isUsed) } : block
    },
  },
  {
    name: 'props that are missing, all or the required ones',
    apply(block, place) {
      const blockType = blockTypeAt(place, block['type'])
      if (!blockType) return block
      const props = isPlainObject(block['props']) ? block['props'] : {}
      const starter = blockType.starter()
      if (Object.keys(props).length === 0) return { ...block, props: starter }
      const { required = [] } = blockType.propsSchema
      const missing = Object.entries(starter).filter(([name]) => required.includes(name) && isMissing(props[name]))
      return missing.length === 0 ? block : { ...block, props: { ...props, ...Object.fromEntries(missing) } }
    },
  },
  {
    name: 'references in a new block',
    apply(block, place) {
      const fields = blockTypeAt(place, block['type'])?.fields ?? {}
      const props = block['props']
      if (!isPlainObject(props)) return block
      const pointers = Object.keys(props).filter((name) => ownValue(fields, name)?.kind === 'reference' && props[name] !== null)
      return pointers.length === 0 ? block : { ...block, props: { ...props, ...Object.fromEntries(pointers.map((name) => [name, null])) } }
    },
  },
]

/** Rows for the props of a block, new ones and patches alike; the type says what they may be. */
export interface PropsRow {
  readonly name: string
  readonly apply: (props: Loose, type: string, place: Place) => Loose
}

/** Keys that models give to the lists of some built-in types. */
const otherLists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Carousel: { slides: 'items' },
  Gallery: { photos: 'images', pictures: 'images' },
  Table: { columns: 'headers', data: 'rows' },
}

export const propsRows: readonly PropsRow[] = [
  {
    name: 'lists under another name',
    apply(props, type, place) {
      const fields = blockTypeAt(place, type)?.fields
      const renamed = Object.entries(ownValue(otherLists, type) ?? {}).filter(([from, to]) =>
        Array.isArray(props[from]) && props[to] === undefined && ownValue(fields, from) === undefined && ownValue(fields, to) !== undefined)
      const moved = renamed.map(([from, to]) => [to, props[from]])
      return renamed.length === 0 ? props : { ...without(props, ...renamed.map(([from]) => from)), ...Object.fromEntries(moved) }
    },
  },
  {
    name: 'a heading where the type has a title',
    apply(props, type, place) {
      const fields = blockTypeAt(place, type)?.fields
      if (props['heading'] === undefined || ownValue(fields, 'heading') !== undefined || ownValue(fields, 'title') === undefined) return props
      return { ...without(props, 'heading'), title: props['title'] ?? props['heading'] }
    },
  },
  {
    name: 'true, false and numbers where texts are to choose from',
    apply(props, type, place) {
      const { properties } = blockTypeAt(place, type)?.propsSchema ?? {}
      const texts = Object.entries(props).filter(([name, value]) => {
        const choices = ownValue(properties, name)?.enum
        return (typeof value === 'boolean' || typeof value === 'number') && choices?.includes(String(value)) && !choices.includes(value)
      })
      return texts.length === 0 ? props : { ...props, ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])) }
    },
  },
  {
    name: 'internal props',
    apply(props, type, place) {
      const fields = blockTypeAt(place, type)?.fields
      const internal = Object.keys(props).filter((name) => isInternal(name, ownValue(fields, name)))
      return internal.length === 0 ? props : without(props, ...internal)
    },
  },
]

const isMissing = (value: unknown): boolean => value === undefined || value === null

function isInDraft({ input }: Place, id: string): boolean {
  return input.draft.pages.some(({ blocks }) => blocks.some((block) => block.id === id))
}
