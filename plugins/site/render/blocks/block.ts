import type { HeadingLevel } from '../../../content/fields.ts'
import type { Props } from '../../../content/page.ts'
import type { Html } from '../html.ts'

/** A block as its renderer sees it. */
export interface BlockView {
  readonly id: string
  readonly props: Props
  /** The level of the block's own heading. */
  readonly level: HeadingLevel
  /** The level of headings inside the block. */
  readonly inner: HeadingLevel
  /** Whether an absolute address may be of an origin of ours. */
  readonly isOwn: (address: string) => boolean
}

/** Renders what is inside the element that carries the id and the type of a block. */
export type BlockRenderer = (block: BlockView) => Html
