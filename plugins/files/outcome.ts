/** A file that cannot be read: it costs itself, and no other file. */
export interface Unreadable {
  /** One sentence without the name of the file. */
  readonly unreadable: string
  /** 1-based. */
  readonly line: number
}

/** A change that cannot be written as it was meant. Nothing is written. */
export interface Unwritable {
  /** One sentence for the person who made the change. */
  readonly refused: string
  /** Which kind of rule refused it, for statistics. */
  readonly rule: RefusalRule
  /** The id of the block, if the refusal is about one. */
  readonly block?: string
}

/**
 * - `stale`: the text is not the one that was read.
 * - `form`: the file has no spelling for this value at this place.
 * - `fixed`: the value, row or block belongs to the code of the site.
 * - `code`: the text would run code, or leave its place.
 */
export type RefusalRule = 'stale' | 'form' | 'fixed' | 'code'

export type Patched = { readonly text: string } | Unwritable

export const refusal = (rule: RefusalRule, refused: string, block?: string): Unwritable => ({
  refused,
  rule,
  ...(block === undefined ? {} : { block }),
})
