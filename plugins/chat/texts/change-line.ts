import type { Operation } from '../../content/operations/index.ts'
import type { Page, Props } from '../../content/page.ts'

/** One change, ready to be put into words: in the past once it is done, as an announcement before. */
export interface ChangeLine {
  readonly op: Operation
  /** What people call the block that it is about. */
  readonly block: string
  readonly tense: 'done' | 'planned'
}

/** Finds the type of a block in pages that are there or were, in the order in which they are given. */
export function blockNames(...drafts: readonly (readonly Page[])[]): (op: Operation) => string {
  let types: Map<string, string> | undefined
  return (op) => {
    if (op.op === 'add_block') return op.block.type
    if (!('blockId' in op)) return 'block'
    return (types ??= typesIn(drafts.flat())).get(op.blockId) ?? 'block'
  }
}

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

/** What a patch sets, as far as it fits into a line. */
export function newValues(patch: Props): readonly NewValue[] {
  return Object.entries(patch).slice(0, mostValues).map(([name, value]) => {
    if (value === null) return { name, value }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return { name }
    const text = String(value).replace(/\s+/g, ' ')
    return { name, value: text.length > longestValue ? `${text.slice(0, longestValue)}…` : text }
  })
}
