import type { Props } from './model.ts'
import { ownValue } from './plain-object.ts'

/** How deep a heading is, as in `h1` to `h6`. */
export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6

interface Headed {
  readonly type: string
  readonly props: Props
}

const chosen: Readonly<Record<string, HeadingLevel>> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 }
const ofType: Readonly<Record<string, HeadingLevel>> = { Hero: 1, Card: 3, Footer: 4 }
const below = { 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 6 } as const

/** The level of a block's heading: its own `headingLevel` where that is valid, else that of its type. */
export function headingLevelOf({ type, props }: Headed): HeadingLevel {
  const wanted = props['headingLevel']
  return (typeof wanted === 'string' ? ownValue(chosen, wanted) : undefined) ?? ownValue(ofType, type) ?? 2
}

/** The level of the headings of a block's rows: one below the block's own, at most 6. */
export function rowHeadingLevelOf(block: Headed): HeadingLevel {
  return below[headingLevelOf(block)]
}
