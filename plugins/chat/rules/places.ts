/** From words to places, such as `below the hero`. */
import { found, one, pagesNamed, readItem } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf, type Tokens } from './tokens.ts'
import { ask, isPinned, type Item, type PlanState } from './work.ts'

/** Where something goes. */
export type Destination =
  | { readonly where: 'front' | 'end' | 'up' | 'down' }
  | { readonly where: 'before' | 'after'; readonly anchor: Tokens }

const places = [
  [/^(?:(?:at|to|on) )?(?:top|start|beginning|front)(?: of (?:this )?page)?$/, 'front'],
  [/^(?:(?:at|to) )?(?:bottom|end)(?: of (?:this )?page)?$/, 'end'],
  [/^(?:(?:at|to|in) )?first(?: position| place| one)?$/, 'front'],
  [/^(?:(?:at|to|in) )?last(?: position| place| one)?$/, 'end'],
  [/^(?:up(?: one(?: place)?)?|one(?: place)? up)$/, 'up'],
  [/^(?:down(?: one(?: place)?)?|one(?: place)? down)$/, 'down'],
] as const

/** Reads a destination: `to the top`, `last`, `up`, `below the hero`. */
export function readDestination(_work: PlanState, tokens: Tokens): Destination | undefined {
  const [, where] = places.find(([pattern]) => pattern.test(phraseOf(tokens))) ?? []
  if (where) return { where }
  const isDirect = /^(?:right|directly|just)$/.test(tokens[0]?.word ?? '')
  const [first, ...anchor] = isDirect ? tokens.slice(1) : tokens
  if (anchor.length === 0) return undefined
  if (/^(?:before|above)$/.test(first?.word ?? '')) return { where: 'before', anchor }
  return /^(?:after|below|under|behind)$/.test(first?.word ?? '') ? { where: 'after', anchor } : undefined
}

/** The item that a place is right after; `undefined` for the first place. Pinned items keep theirs. */
export function anchorOf(
  work: PlanState,
  siblings: readonly Item[],
  place: Destination,
  moved?: Item,
): Item | undefined {
  const others = siblings.filter(({ id }) => id !== moved?.id)
  const now = siblings.findIndex(({ id }) => id === moved?.id)
  const first = others.findIndex((item) => !isPinned(item))
  const last = others.findLastIndex((item) => !isPinned(item)) + 1
  const index =
    'anchor' in place
      ? placeBeside(work, others, place.anchor) + (place.where === 'after' ? 1 : 0)
      : { front: first, end: last, up: now - 1, down: now + 1 }[place.where]
  return others[Math.min(Math.max(index, first), last) - 1]
}

function placeBeside(work: PlanState, others: readonly Item[], anchor: Tokens): number {
  // In the menu a title names its page.
  const pages = others[0]?.kind === 'page' ? pagesNamed(work, phraseOf(anchor)) : []
  const { words, candidates } =
    (pages.length > 0 ? undefined : readItem(work, anchor)) ?? found(anchor, pages)
  const beside = candidates.filter(({ id }) => others.some((each) => each.id === id))
  if (candidates.length > 0 && beside.length === 0) ask(texts.besideItself)
  const { id } = one(work, { words, candidates: beside })
  return others.findIndex((each) => each.id === id)
}
