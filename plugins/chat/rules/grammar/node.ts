/** What a slot read: which of its forms, what was captured, and where it stands among the tokens. */
export interface Node {
  readonly slot: string
  readonly form: string
  readonly start: number
  readonly end: number
  readonly parts: Parts
  readonly text?: string
  readonly number?: number
  /** Types, props or slugs that the words may mean, best first. */
  readonly names?: readonly string[]
}

/** Captured nodes by the key that the form gives them. */
export type Parts = Readonly<Record<string, Node>>

export const noParts: Parts = {}

/** The members of a list that a slot of the form `one … more` read. */
export function listOf(node: Node | undefined): readonly Node[] {
  if (!node) return []
  const { one, more } = node.parts
  return one ? [one, ...listOf(more)] : [node]
}
