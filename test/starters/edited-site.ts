import type { SentOperation } from './documented-curl.ts'
import type { StarterFiles } from './starter.ts'

/** A block by its type, and by its text if a page has several of that type; a program reads its id. */
export interface BlockOf {
  readonly ofType: string
  readonly text?: string
}

/** A website as its generator makes it, and what a program does with its files. */
export interface EditedSite {
  readonly name: string
  readonly made: StarterFiles
  /** The files that are its content, in their order. */
  readonly pages: readonly string[]
  /** Where they name a block, they may do so by what it has. */
  readonly ops: readonly SentOperation[]
  /** The lines that differ then, by file, as git shows them. */
  readonly changed: Readonly<Record<string, readonly string[]>>
  readonly refused: readonly { readonly op: SentOperation; readonly reason: RegExp }[]
}
