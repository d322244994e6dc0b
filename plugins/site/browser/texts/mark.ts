/** Marks elements of a page that carries no marks with the places of their texts. */
import type { SourceText } from './respell.ts'

/** Where a text, picture or link of the page is in the content, as the service says it. */
export interface PagePlace extends SourceText {
  readonly index: number
  readonly slug: string
  readonly file: string
  readonly blockId: string
  readonly blockType: string
  readonly path: string
  readonly kind: string
  /** Whether its block stays as it is: it is not copied, moved or removed. */
  readonly isFixed: boolean
}

/** An element of the page with its place. */
export interface PlacedElement {
  readonly element: HTMLElement
  readonly place: PagePlace
  /** Whether it can be typed in. */
  readonly isTyped: boolean
}

const names = [
  'data-block-id',
  'data-block-type',
  'data-block-slug',
  'data-block-fixed',
  'data-editable-target',
  'data-editable-kind',
  'data-editable-marked',
] as const
type Marks = Partial<Readonly<Record<(typeof names)[number], string>>>

let marked = new Map<HTMLElement, Marks>()

/**
 * Sets the marks of elements, where they differ, and removes those of elements that have no place any more. Returns
 * whether any differed.
 */
export function markElements(placed: readonly PlacedElement[]): boolean {
  const next = new Map<HTMLElement, Marks>()
  const add = (element: HTMLElement, marks: Marks): void =>
    void next.set(element, { ...next.get(element), ...marks })
  const counts = new Map<string, number>()
  for (const { element, place, isTyped } of placed) {
    const of = `${place.slug} ${place.blockId} ${place.path}`
    const count = counts.get(of) ?? 0
    counts.set(of, count + 1)
    add(element, {
      'data-editable-target': count === 0 ? place.path : `${place.path}#${count}`,
      'data-editable-kind': /\]\[\d/.test(place.path) ? 'cell' : place.kind,
      ...(isTyped && { 'data-editable-marked': '' }),
    })
  }
  const blocks = Map.groupBy(placed, ({ place }) => `${place.slug} ${place.blockId}`)
  const all = placed.map(({ element }) => element)
  for (const parts of blocks.values())
    for (const element of rootsOf(parts, all)) add(element, blockMarks(parts[0]?.place))
  const gone = [...marked.keys()].filter((element) => !next.has(element)).map((element) => set(element, {}))
  const changed = [...next].map(([element, marks]) => set(element, marks))
  marked = next
  return [...gone, ...changed].some(Boolean)
}

/** The element around all texts of a block, if it has none of another one; else each of them. */
function rootsOf(parts: readonly PlacedElement[], all: readonly HTMLElement[]): readonly HTMLElement[] {
  const own = parts.map(({ element }) => element)
  const [first] = own
  if (!first || own.length === 1 || parts[0]?.place.isFixed) return own
  let root = first
  while (root.parentElement && !own.every((element) => root.contains(element))) root = root.parentElement
  const isOwn =
    root !== document.body && all.every((element) => own.includes(element) || !root.contains(element))
  return isOwn ? [root] : own
}

const blockMarks = (place: PagePlace | undefined): Marks =>
  place
    ? {
        'data-block-id': place.blockId,
        'data-block-type': place.blockType,
        'data-block-slug': place.slug,
        ...(place.isFixed && { 'data-block-fixed': '' }),
      }
    : {}

/** Returns whether a mark differed. */
function set(element: HTMLElement, marks: Marks): boolean {
  const different = names.filter((name) => (element.getAttribute(name) ?? undefined) !== marks[name])
  for (const name of different) {
    const value = marks[name]
    if (value === undefined) element.removeAttribute(name)
    else element.setAttribute(name, value)
  }
  return different.length > 0
}
