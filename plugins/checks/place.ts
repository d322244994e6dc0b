/** Where in a draft something was found; a finding about the whole site has no page. */
export interface Place {
  readonly slug?: string | undefined
  readonly pageId?: string | undefined
  readonly blockId?: string | undefined
  readonly blockType?: string | undefined
  /** As editable paths are written: `cards[2].imageAlt`, `meta.title`. */
  readonly path?: string | undefined
  /** The same with the ids of rows in place of their positions. */
  readonly stablePath?: string | undefined
  readonly itemId?: string | undefined
  /** The position of the block on its page; what has none comes first. */
  readonly blockIndex?: number | undefined
}
