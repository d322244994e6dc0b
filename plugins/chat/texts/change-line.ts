import { labelOf } from '../../content/field-meta.ts'
import { everyItemField } from '../../content/list-fields.ts'
import type { BlockType, Manifest } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page, Props } from '../../content/page.ts'
import { ownValue } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { BlockWords, Texts } from './texts.ts'

/** The language of people, and what their site calls its own block types. */
export interface WordSource {
  readonly texts: Pick<Texts, 'named'>
  readonly manifest?: Manifest | undefined
}

/** What people call a type of blocks and its fields. */
export function typeWords(type: string | undefined, source: WordSource): BlockWords {
  const known = type === undefined ? undefined : knownType(type, source)
  return {
    block: known?.displayName ?? type,
    field(name, list) {
      const row = list === undefined ? undefined : ownValue(known?.fields, list)
      return labelOf(name, ownValue(list === undefined ? known?.fields : row && everyItemField(row), name))
    },
  }
}

/**
 * Finds what people call the block that an operation is about, in pages that are there or were, in the order in which they are
 * given. A site names its own block types; the others have the names that are built in.
 */
export function blockWords(source: WordSource, ...drafts: readonly (readonly Page[])[]): (op: Operation) => BlockWords {
  const pages = drafts.flat()
  let types: Map<string, string> | undefined
  const typeOf = ({ pageSlug, blockId }: { readonly pageSlug: string; readonly blockId: string }): string | undefined => {
    // Most blocks are on the page that their operation names, so that all others need not be walked through.
    const here = pages.find(({ slug }) => slug === pageSlug)?.blocks.find(({ id }) => id === blockId)
    return here?.type ?? (types ??= typesIn(pages)).get(blockId)
  }
  return (op) => {
    const type = op.op === 'add_block' ? op.block.type : 'blockId' in op ? typeOf(op) : undefined
    return typeWords(type, source)
  }
}

/** A type of block under the names that people know; `undefined` where neither the site nor anybody else declares it. */
export function knownType(type: string, { texts, manifest }: WordSource): BlockType | undefined {
  const declared = manifest?.get(type) ?? builtinRegistry.get(type)
  return declared && texts.named(declared)
}

/** What people call a type of block. */
export const typeName = (type: string, source: WordSource): string => knownType(type, source)?.displayName ?? type

function typesIn(pages: readonly Page[]): Map<string, string> {
  const types = new Map<string, string>()
  for (const page of pages.toReversed()) for (const { id, type } of page.blocks) types.set(id, type)
  return types
}

/** A prop with its new value, where that is short enough to be shown. */
export interface NewValue {
  readonly name: string
  /** `null` takes the prop away; nothing for a list or an object. */
  readonly value?: string | null
}

const longestValue = 80
const mostValues = 4

/** What a patch sets, as far as it fits into a line; a prop has the name that people give it. */
export function newValues(patch: Props, nameOf: (prop: string) => string): readonly NewValue[] {
  return Object.entries(patch).slice(0, mostValues).map(([prop, value]) => {
    const name = nameOf(prop)
    if (value === null) return { name, value }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return { name }
    const text = String(value).replace(/\s+/g, ' ')
    return { name, value: text.length > longestValue ? `${text.slice(0, longestValue)}…` : text }
  })
}
